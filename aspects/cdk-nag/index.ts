export { EksGuardrailsChecks, type EksGuardrailsChecksProps } from './eks-guardrails-checks';
