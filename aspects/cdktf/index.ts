export type { EksGuardrailsConfiguration } from '../engine-neutral/configuration';
export type { AcknowledgeOptions } from './acknowledgements';
export { EksGuardrailsAspect } from './aspect';
export { EksGuardrails, EksGuardrailsError } from './guardrails';
