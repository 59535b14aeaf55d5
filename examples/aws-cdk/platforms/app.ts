// Platforms to start from, one in each file. `cdk synth -c example=platforms` passes.
import { App, Validations } from 'aws-cdk-lib';
import { EksGuardrails } from 'eks-guardrails/aws-cdk';
import { addPlatforms } from './platforms';

const app = new App();
addPlatforms(app);
Validations.of(app).addPlugins(new EksGuardrails());
