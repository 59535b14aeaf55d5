export { EksGuardrailsAspect } from './aspect';
export type { EksGuardrailsConfiguration } from '../engine-neutral/configuration';
export { EksGuardrails } from './plugin';
