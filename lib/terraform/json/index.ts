export { jsonConfiguration, parseJsonConfiguration, parseJsonVariables } from './configuration';
