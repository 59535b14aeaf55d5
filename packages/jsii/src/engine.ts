import { createRequire } from 'node:module';
import type { IPolicyValidationContext, PolicyValidationPluginReport } from 'aws-cdk-lib';

/** The plugin of eks-guardrails, as `eks-guardrails/aws-cdk` has it. */
export interface Plugin {
  readonly name: string;
  readonly version: string;
  readonly ruleIds: string[];
  validate(context: IPolicyValidationContext): PolicyValidationPluginReport;
}

/** What is taken of eks-guardrails. A test holds it against the real one. */
interface Engine {
  readonly EksGuardrails: new (configuration: EngineConfiguration) => Plugin;
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
export const { EksGuardrails } = load('../engine') as Engine;
