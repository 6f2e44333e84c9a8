export { setUp as default } from './make-once.js';
