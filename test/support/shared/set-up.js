export { setUp as default } from './share.js';
