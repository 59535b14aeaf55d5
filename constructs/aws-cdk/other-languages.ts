// What the module for apps in other languages has of the engine: packages/jsii/src/engine.ts describes it.
export { EksGuardrails } from '../../aspects/aws-cdk/plugin';
export { BottlerocketSettings } from './bottlerocket-settings';
export { ManagedNodeGroup } from './managed-node-group';
export { NodeConfig } from './node-config';
export { VpcCniAddon } from './vpc-cni-addon';
