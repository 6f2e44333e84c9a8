export { tearDown as default } from './make-once.js';
