export { EksGuardrailsAspect } from './aspect';
export type { EksGuardrailsConfiguration } from './configuration';
export { EksGuardrails } from './plugin';
