import { withConfigurationFile } from '../../lib/configuration';
import {
  reaches,
  resolveConfiguration,
  type Configuration,
  type FailOn,
  type Finding,
  type Severity,
} from '../../lib/engine';
import { allRules } from '../../lib/rules';

/** How an app is checked, in AWS CDK, CDKTF and CDK Terrain. */
export interface EksGuardrailsConfiguration extends Configuration {
  /**
   * The least that fails the synthesis; each value includes the ones before it, except `never`.
   *
   * - `error`: a setting that breaks nodes, pods or upgrades
   * - `warning`: also what works today and bites later
   * - `unverifiable`: also what can't be judged before deployment
   * - `never`: everything is reported, nothing fails
   *
   * @default 'error'
   */
  readonly failOn?: FailOn;
  /**
   * The file that the settings which are not given here come from; `false` for none.
   *
   * @default - `eks-guardrails.config.*` (json, yaml, yml, ts, js, mjs, cjs) of the nearest folder that has one, from the working directory up to the root of the repository
   */
  readonly configurationFile?: string | false;
}

/**
 * What an app is checked with: the settings given in code, on top of the configuration file.
 * @throws ConfigurationError if the file can't be used, or one of them names a rule, preset, level or option that doesn't exist
 */
export function settledConfiguration({
  configurationFile,
  ...given
}: EksGuardrailsConfiguration): EksGuardrailsConfiguration {
  const configuration = withConfigurationFile(given, configurationFile);
  resolveConfiguration(configuration, allRules);
  return configuration;
}

/**
 * The level at which a finding is reported. In all CDKs, the level `error` is what fails a synthesis: AWS CDK's core even works
 * out the result again from the levels after it has taken out what is acknowledged. So a finding that fails is an error here, and
 * one that doesn't fail is at most a warning; with the default `failOn` that is the finding's own severity.
 */
export function reportedLevel(finding: Finding, failOn: FailOn = 'error'): Severity {
  if (reaches(finding, failOn)) return 'error';
  return finding.severity === 'error' ? 'warning' : finding.severity;
}
