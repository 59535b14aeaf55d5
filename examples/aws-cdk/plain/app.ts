// An app of CDK's own constructs, as people write them without a thought of pitfalls. `cdk synth -c example=plain` fails on it;
// with `-c safeDefaults=true`, one line makes it clean.
import { App, Validations } from 'aws-cdk-lib';
import { EksGuardrails, SafeDefaults } from 'eks-guardrails/aws-cdk';
import { CustomResourceClusterStack } from './custom-resource-cluster';
import { LowLevelStack } from './low-level';
import { NativeClusterStack } from './native-cluster';

const app = new App();
if (app.node.tryGetContext('safeDefaults') === 'true') SafeDefaults.of(app, { includeL1: true });

new NativeClusterStack(app, 'NativeCluster');
new CustomResourceClusterStack(app, 'CustomResourceCluster');
new LowLevelStack(app, 'LowLevel');

Validations.of(app).addPlugins(new EksGuardrails());
