export { setUp as default } from './shared-services.js';
