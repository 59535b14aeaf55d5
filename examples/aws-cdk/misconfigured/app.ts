// An app that falls into the pitfalls. `cdk synth` fails on it and says where and why.
import { App, Validations } from 'aws-cdk-lib';
import { EksGuardrails } from 'eks-guardrails/aws-cdk';
import { AddonUpdateStack } from './addon-update';
import { CniRoleStack } from './cni-role';
import { CustomNetworkingStack } from './custom-networking';
import { ImdsHopLimitStack } from './imds-hop-limit';
import { NodeBootstrapStack } from './node-bootstrap';
import { NodeUpdatesStack } from './node-updates';
import { PodSecurityGroupsStack } from './pod-security-groups';

const app = new App();

new ImdsHopLimitStack(app, 'ImdsHopLimit');
new AddonUpdateStack(app, 'AddonUpdate');
new CustomNetworkingStack(app, 'CustomNetworking');
new CniRoleStack(app, 'CniRole');
new NodeUpdatesStack(app, 'NodeUpdates');
new NodeBootstrapStack(app, 'NodeBootstrap');
new PodSecurityGroupsStack(app, 'PodSecurityGroups');

Validations.of(app).addPlugins(new EksGuardrails());
