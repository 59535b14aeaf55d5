// An app that falls into the pitfalls. `cdktf synth` fails on it, says where and why, and writes nothing.
import { App } from 'cdktf';
import { EksGuardrails } from 'eks-guardrails/cdktf';
import { AddonUpdateStack, CustomNetworkingStack } from './addons';
import { ImdsHopLimitStack, NodeUpdatesStack } from './nodes';
import { NodeBootstrapStack } from './node-bootstrap';
import { CniRoleStack, PodSecurityGroupsStack } from './pod-networking';

const app = new App();
EksGuardrails.of(app);

new ImdsHopLimitStack(app, 'ImdsHopLimit');
new AddonUpdateStack(app, 'AddonUpdate');
new CustomNetworkingStack(app, 'CustomNetworking');
new CniRoleStack(app, 'CniRole');
new NodeUpdatesStack(app, 'NodeUpdates');
new NodeBootstrapStack(app, 'NodeBootstrap');
new PodSecurityGroupsStack(app, 'PodSecurityGroups');

app.synth();
