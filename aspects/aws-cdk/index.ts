export { EksGuardrailsAspect } from './aspect';
export type { EksGuardrailsConfiguration } from '../common/configuration';
export { EksGuardrails } from './plugin';
