import { createRequire } from 'node:module';
import type { IPolicyValidationContext, PolicyValidationPluginReport } from 'aws-cdk-lib';
import type { Connections, LaunchTemplate } from 'aws-cdk-lib/aws-ec2';
import type { CfnAddon, CfnNodegroup } from 'aws-cdk-lib/aws-eks';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** The plugin of eks-guardrails, as `eks-guardrails/aws-cdk` has it. */
export interface Plugin {
  readonly name: string;
  readonly version: string;
  readonly ruleIds: string[];
  validate(context: IPolicyValidationContext): PolicyValidationPluginReport;
}

/** A managed node group, as `eks-guardrails/aws-cdk` has it. */
export interface NodeGroup extends Construct {
  readonly nodegroup: CfnNodegroup;
  readonly nodegroupName: string;
  readonly nodegroupArn: string;
  readonly launchTemplate: LaunchTemplate;
  readonly role: IRole;
  readonly amiType: string | undefined;
  readonly userData: string | undefined;
  readonly connections: Connections;
}

/** The add-on of the VPC CNI, as `eks-guardrails/aws-cdk` has it. */
interface CniAddon extends Construct {
  readonly addon: CfnAddon;
  readonly role: IRole | undefined;
  readonly version: string;
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** What is taken of eks-guardrails. A test holds it against the real one. Options have other types here, which it checks when they are given. */
export interface Engine {
  readonly EksGuardrails: new (configuration: EngineConfiguration) => Plugin;
  readonly ManagedNodeGroup: new (scope: Construct, id: string, options: never) => NodeGroup;
  readonly VpcCniAddon: new (scope: Construct, id: string, options: never) => CniAddon;
  readonly NodeConfig: new (spec: never) => object;
  readonly BottlerocketSettings: new (options: never) => object;
}

/** What the plugin is told, in the words of eks-guardrails. */
export interface EngineConfiguration {
  readonly preset?: 'recommended' | 'strict' | 'all';
  readonly rules?: Readonly<Record<string, EngineRuleSetting>>;
  readonly failOn?: 'error' | 'warning' | 'unverifiable' | 'never';
  readonly asOf?: string;
  readonly ignores?: readonly EngineIgnore[];
  readonly parameters?: EngineParameters;
  readonly knowledge?: string;
  readonly configurationFile?: string | false;
}

/** A rule's level and options. */
interface EngineRuleSetting {
  readonly level?: 'off' | 'info' | 'warning' | 'error';
  readonly options?: Readonly<Record<string, string>>;
}

/** A finding to live with. */
interface EngineIgnore {
  readonly rule: string;
  readonly resource: string;
  readonly reason: string;
  readonly until?: string;
}

/** Values of CloudFormation parameters. */
interface EngineParameters {
  readonly cloudformation?: Readonly<Record<string, string>>;
  readonly stacks?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const load = createRequire(__filename);

/** `npm run jsii` puts it there, with all that it needs: nothing of it is a dependency of who uses this module. */
export const { BottlerocketSettings, EksGuardrails, ManagedNodeGroup, NodeConfig, VpcCniAddon } = load(
  '../engine',
) as Engine;
