export type { EksGuardrailsConfiguration } from '../common/configuration';
export type { AcknowledgeOptions } from './acknowledgements';
export { EksGuardrailsAspect } from './aspect';
export { EksGuardrails, EksGuardrailsError } from './guardrails';
