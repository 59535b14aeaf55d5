import type { IPolicyValidationContext, IPolicyValidationPlugin, PolicyValidationPluginReport } from 'aws-cdk-lib';
import type { EksGuardrailsValidatorProps } from './configuration';
import { EksGuardrails, type EngineConfiguration, type Plugin } from './engine';
import { withoutUndefined } from './given';

/**
 * Checks all stacks of an app for Amazon EKS misconfigurations when it is synthesized: `cdk synth` fails and shows, for each, what will happen
 * to the cluster, and the fix.
 *
 * It is added to an app with `Validations.of(app).addPlugins(…)`, and a finding is accepted with a reason by `Validations.of(construct).acknowledge(…)`,
 * whose id is `EksGuardrails::` and the id of the rule.
 */
export class EksGuardrailsValidator implements IPolicyValidationPlugin {
  /** First part of the ids in acknowledgements: `EksGuardrails`. */
  public readonly name: string;

  /** Version of the rules. */
  public readonly version?: string;

  /** The rules that run. */
  public readonly ruleIds?: string[];

  private readonly plugin: Plugin;

  /**
   * @param props how the app is checked; what isn't given comes from the configuration file. A setting that doesn't exist is an error at once
   */
  constructor(props: EksGuardrailsValidatorProps = {}) {
    this.plugin = new EksGuardrails(configurationOf(props));
    this.name = this.plugin.name;
    this.version = this.plugin.version;
    this.ruleIds = this.plugin.ruleIds;
  }

  /**
   * Called by the CDK at the end of a synthesis.
   *
   * @param context what is to be validated
   */
  public validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    return this.plugin.validate(context);
  }
}

function configurationOf(props: EksGuardrailsValidatorProps): EngineConfiguration {
  const { ignoredFindings, parameters, stackParameters, configurationFile, readsConfigurationFile = true } = props;
  const given = { preset: props.preset, rules: props.rules, failOn: props.failOn, asOf: props.asOf };
  if (!readsConfigurationFile && configurationFile !== undefined)
    throw new Error(
      'configurationFile names a file, and readsConfigurationFile: false says that none is read: leave one of them out',
    );
  return {
    ...withoutUndefined({ ...given, ignores: ignoredFindings, knowledge: props.knowledge }),
    ...(parameters === undefined && stackParameters === undefined
      ? {}
      : { parameters: withoutUndefined({ cloudformation: parameters, stacks: stackParameters }) }),
    ...(readsConfigurationFile ? withoutUndefined({ configurationFile }) : { configurationFile: false }),
  };
}
