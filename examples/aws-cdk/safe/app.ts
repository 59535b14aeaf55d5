// The twin of the misconfigured app, with the safe constructs. `cdk synth` passes, with the same checks switched on.
import { App, Validations } from 'aws-cdk-lib';
import { EksGuardrails } from 'eks-guardrails/aws-cdk';
import { CustomAmiStack } from './custom-ami-stack';
import { PlatformStack } from './platform-stack';
import { PodNetworkingStack } from './pod-networking-stack';

const app = new App();

new PlatformStack(app, 'Platform');
new CustomAmiStack(app, 'CustomAmi');
new PodNetworkingStack(app, 'PodNetworking', { env: { region: 'eu-central-1', account: '111122223333' } });

Validations.of(app).addPlugins(new EksGuardrails());
