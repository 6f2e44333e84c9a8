export { tearDown as default } from './share.js';
