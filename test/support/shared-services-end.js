export { tearDown as default } from './shared-services.js';
