// An update of the vpc-cni add-on with OVERWRITE puts every field that EKS manages back to its default, so settings made
// with kubectl vanish and, for instance, pods with their own security group lose connectivity. Source: EKS API, UpdateAddon.
import { defineRule, resourceName, type Judgement } from '../../engine';
import { isAddon, isEmptyConfiguration } from '../../eks/analysis/addon';
import { settingsOutsideAddon, type OutsideSetting } from '../../eks/analysis/addon-evidence';
import {
  always,
  cases,
  dataAt,
  except,
  whereOwnNodes,
  type Addon,
  type AddonConfiguration,
  type EksModel,
  type Plain,
  type When,
} from '../../eks';
import { listed, plannedUpdate, type PlannedUpdate, type Values } from './parts/planned-update';
import { unverifiable } from '../parts/case-judgements';
import {
  hasOneModeForBoth,
  sharesMode,
  isOverwrite,
  insteadOf,
  planOf,
  replacedBy,
  updateText,
  byText,
  valuesText,
  beginsText,
} from './parts/conflict-mode-words';

const MODES = ['NONE', 'OVERWRITE', 'PRESERVE'];

const preserve = {
  cloudformation: ['ResolveConflicts: PRESERVE', 'ConfigurationValues: |', '  {{values}}'].join('\n'),
  'aws-cdk': [
    '// in the options of the Addon:',
    'configurationValues: {{values}},',
    '// behind it, where `addon` is the Addon, which has no option for the conflict mode:',
    "(addon.node.defaultChild as eks.CfnAddon).resolveConflicts = 'PRESERVE';",
  ].join('\n'),
  terraform: [
    '{{instead}}resolve_conflicts_on_update = "PRESERVE"',
    'configuration_values        = jsonencode({{hcl}})',
  ].join('\n'),
} as const;

/** What `--fix` does. */
const preserving = [{ kind: 'set', field: 'resolveConflictsOnUpdate', to: 'PRESERVE' }] as const;

const preserveOnly = {
  cloudformation: 'ResolveConflicts: PRESERVE',
  'aws-cdk': [
    '// behind it, where `addon` is the Addon, which has no option for the conflict mode:',
    "(addon.node.defaultChild as eks.CfnAddon).resolveConflicts = 'PRESERVE';",
  ].join('\n'),
  terraform: '{{instead}}resolve_conflicts_on_update = "PRESERVE"',
} as const;

const IN_CONFIG = { eksctl: 'Write `resolveConflicts: preserve`.' } as const;

type MessageId = 'settings-elsewhere' | 'reset' | 'no-configuration' | 'overwrite' | 'none' | 'not-set' | 'no-mode';

/** CloudFormation has one property for both, and so have some modules. */
const ALSO_FOR_CREATION =
  'keeps what the cluster has at updates, and at the creation of the add-on no longer takes over a copy that differs, beside which it fails';

export const vpcCniResolveConflicts = defineRule<MessageId>({
  id: 'vpc-cni-resolve-conflicts',
  subject: 'vpc-cni',
  title: 'Updates of the vpc-cni add-on preserve existing settings',
  severity: 'error',
  since: '0.1.0',
  isAboutCode: true,
  messages: {
    'settings-elsewhere': {
      text: 'Add-on {{name}} updates with OVERWRITE while {{evidence}} needs {{setting}}, which its configuration values do not set: {{update}} puts the default ({{fallback}}) back and {{effect}}.',
      fix: {
        summary: 'Add `{{values}}` to the configuration values, and set the conflict mode to `PRESERVE`.{{replaced}}',
        summaryIn: { eksctl: 'Add `{{values}}` to `configurationValues`, and write `resolveConflicts: preserve`.' },
        code: preserve,
        safety: 'needs-decision',
      },
    },
    reset: {
      text: 'The update of add-on {{name}} in this {{plan}}{{versions}} uses OVERWRITE and resets {{settings}}, which its configuration values no longer set. So go other changes to the fields that EKS manages.',
      fix: {
        summary:
          'Keep `{{values}}` in the configuration values if the cluster needs it, and set the conflict mode to `PRESERVE`.{{replaced}}',
        code: preserve,
        safety: 'needs-decision',
      },
    },
    'no-configuration': {
      text: 'Add-on {{name}} updates with OVERWRITE{{by}} and has no configuration values: {{update}} resets the fields of aws-node that EKS manages where kubectl changed them, ENABLE_POD_ENI and DISABLE_TCP_EARLY_DEMUX for instance to "false".{{begins}}',
      fix: {
        summary:
          'Set the conflict mode to `PRESERVE`, and write every setting that differs from the default into the configuration values.{{replaced}}',
        summaryIn: {
          eksctl:
            'Write `resolveConflicts: preserve`, and every setting that differs from the default into `configurationValues`.',
        },
        code: preserveOnly,
        safety: 'safe',
        repairs: preserving,
        effectIn: { cloudformation: ALSO_FOR_CREATION, ack: ALSO_FOR_CREATION },
      },
    },
    overwrite: {
      text: 'Add-on {{name}} updates with OVERWRITE{{by}}: {{values}} {{update}} resets the other fields of aws-node that EKS manages, where they were changed in the cluster.{{begins}}',
      fix: {
        summary: 'Set the conflict mode to `PRESERVE`.{{replaced}}',
        summaryIn: IN_CONFIG,
        code: preserveOnly,
        safety: 'safe',
        repairs: preserving,
        effectIn: { cloudformation: ALSO_FOR_CREATION, ack: ALSO_FOR_CREATION },
      },
    },
    none: {
      text: 'Add-on {{name}} updates with NONE: where a field of aws-node that EKS manages was changed outside of the add-on, with kubectl for instance, EKS leaves the change and the update can stop with "ConfigurationConflict: Conflicts found when trying to apply". What the configuration values set is no such change.',
      fix: {
        summary: 'Set the conflict mode to `PRESERVE`.{{replaced}}',
        summaryIn: IN_CONFIG,
        code: preserveOnly,
        safety: 'safe',
        repairs: preserving,
      },
    },
    'not-set': {
      text: 'Add-on {{name}} sets no conflict mode for updates, and the EKS API documents no default: fields of aws-node that were changed outside of the add-on, with kubectl for instance, then either stop the update with "ConfigurationConflict", as NONE can, or are reset, as OVERWRITE does. What the configuration values set is no such change.',
      fix: {
        summary: 'Set the conflict mode to `PRESERVE`.{{replaced}}',
        summaryIn: IN_CONFIG,
        code: preserveOnly,
        safety: 'safe',
        repairs: preserving,
      },
    },
    'no-mode': {
      text: 'Add-on {{name}} has the conflict mode "{{mode}}", which EKS refuses: the modes are NONE, OVERWRITE and PRESERVE, in capitals.',
      fix: {
        summary: 'Set the conflict mode to `PRESERVE`.{{replaced}}',
        summaryIn: IN_CONFIG,
        code: preserveOnly,
        safety: 'safe',
        repairs: preserving,
      },
    },
  },
  *check(model: EksModel) {
    for (const addon of model.addons) {
      const named = isAddon(addon, 'vpc-cni');
      if (named === 'no' || addon.isImplied === true) continue;
      if (named === 'maybe') {
        yield { ...unverifiable('the name of the add-on is not known', addon.source), resource: addon };
        continue;
      }
      const view = model.viewOf(addon);
      const outside = settingsOutsideAddon(view);
      const update = plannedUpdate(addon);
      yield* cases({ mode: addon.resolveConflictsOnUpdate, configuration: addon.configuration }).flatMap(
        ({ when, values }) => {
          const both = addon.exists.and(when);
          if (both === undefined) return [];
          // Where no pod of aws-node runs, nothing is lost.
          return whereOwnNodes(view, model, both)
            .flatMap((withNodes) => presence(outside, withNodes))
            .map((one) => judge(addon, values.mode, values.configuration, one.settings, one.when, update))
            .map((judgement) =>
              judgement.data === undefined
                ? judgement
                : {
                    ...judgement,
                    ...(isOverwrite(values.mode) && sharesMode(addon) ? { repairEffect: ALSO_FOR_CREATION } : {}),
                    data: {
                      ...judgement.data,
                      replaced: replacedBy(addon, values.mode),
                      instead: insteadOf(addon, values.mode),
                    },
                  },
            );
        },
      );
    }
  },
});

/** More combinations of evidence than this are not told apart; what is created under further conditions is then left out. */
const MAX_PARTS = 64;

interface Part {
  readonly when: When;
  readonly settings: readonly OutsideSetting[];
}

/** The settings that are there together, when some of the evidence is created under a condition only. */
function presence(outside: readonly OutsideSetting[], when: When): readonly Part[] {
  let parts: readonly Part[] = [{ when, settings: outside.filter(({ exists }) => exists === always) }];
  for (const setting of outside) {
    if (setting.exists === always || parts.length > MAX_PARTS) continue;
    parts = parts.flatMap((part) => {
      const there = part.when.and(setting.exists);
      const missing = except([part.when], setting.exists).map((rest) => ({ ...part, when: rest }));
      return there === undefined ? missing : [{ when: there, settings: [...part.settings, setting] }, ...missing];
    });
  }
  return parts;
}

function judge(
  addon: Addon,
  mode: Plain<string>,
  configuration: Plain<AddonConfiguration>,
  outside: readonly OutsideSetting[],
  when: When,
  update: PlannedUpdate | undefined,
): Judgement<MessageId> {
  const common = { resource: addon, source: mode.source, when };
  const name = resourceName(addon);
  // What a command alone updates is updated with somebody looking on.
  const isByCommand = addon.updatedBy !== undefined;
  const quiet = { severity: isByCommand ? ('info' as const) : ('warning' as const) };
  if (mode.kind === 'absent') return { ...common, ...quiet, verdict: 'fail', message: 'not-set', data: { name } };
  if (mode.kind === 'unknown')
    return { ...common, verdict: 'unverifiable', reason: `the conflict mode is not known (${mode.reason})` };
  if (!MODES.includes(mode.value))
    return { ...common, verdict: 'fail', message: 'no-mode', data: { name, mode: mode.value } };
  if (mode.value === 'PRESERVE')
    return hasOneModeForBoth(addon)
      ? { ...common, verdict: 'unverifiable', reason: REFUSED_ON_CREATION }
      : { ...common, verdict: 'pass' };
  if (mode.value === 'NONE') return { ...common, ...quiet, verdict: 'fail', message: 'none', data: { name } };
  const lost = outside.filter((setting) => !sets(configuration, setting));
  const [first] = lost;
  if (first !== undefined) {
    const values = valuesOf([...lost, ...besides(lost, configuration)]);
    return {
      ...common,
      verdict: 'fail',
      message: 'settings-elsewhere',
      about: first.path.join('.'),
      data: {
        name,
        update: updateText(addon, update),
        evidence: first.evidence,
        setting: first.path.join('.'),
        fallback: first.fallback,
        effect: first.effect,
        values: JSON.stringify(values),
        hcl: hclOf(values),
      },
      related: lost.map(({ message, source }) => ({ message, source })),
    };
  }
  const isModuleDefault = mode.source.isModuleDefault !== undefined;
  const severity =
    hasValues(configuration) || isModuleDefault ? quiet : isByCommand ? { severity: 'warning' as const } : {};
  if (update !== undefined && update.resets.length > 0) {
    const settings = update.resets.map(
      ({ path, live = '', becomes = '' }) => `${path.slice(path.lastIndexOf('.') + 1)} ("${live}" to "${becomes}")`,
    );
    const values = { values: JSON.stringify(update.kept), hcl: hclOf(update.kept) };
    return {
      ...common,
      ...severity,
      verdict: 'fail',
      message: 'reset',
      data: { name, plan: planOf(addon.dialect), versions: update.versions, settings: listed(settings), ...values },
    };
  }
  const data = {
    name,
    by: byText(mode.source),
    values: valuesText(configuration),
    update: updateText(addon, update),
    begins: beginsText(update),
  };
  return {
    ...common,
    ...severity,
    verdict: 'fail',
    message: hasValues(configuration) ? 'overwrite' : 'no-configuration',
    data,
  };
}

const REFUSED_ON_CREATION =
  'its module gives PRESERVE to the creation of the add-on, too, for which the AWS provider of Terraform takes NONE and OVERWRITE only, and refuses the plan';

/** Configuration values that can't be read may set anything, so nothing is certainly lost. */
function sets(configuration: Plain<AddonConfiguration>, setting: OutsideSetting): boolean {
  if (configuration.kind === 'absent') return false;
  if (configuration.kind === 'unknown' || configuration.value.kind === 'malformed') return true;
  return dataAt(configuration.value.data, ...setting.path) !== undefined;
}

function hasValues(configuration: Plain<AddonConfiguration>): boolean {
  if (configuration.kind === 'absent') return false;
  return (
    configuration.kind === 'unknown' ||
    configuration.value.kind === 'malformed' ||
    !isEmptyConfiguration(configuration.value.data)
  );
}

/** What an add-on that gets the lost settings needs as well: without the switch, pods with security groups of their own fail their probes. */
function besides(
  lost: readonly OutsideSetting[],
  configuration: Plain<AddonConfiguration>,
): readonly Pick<OutsideSetting, 'path' | 'value'>[] {
  const isOn = lost.some((setting) => setting.path.join('.') === 'env.ENABLE_POD_ENI' && setting.value === 'true');
  const needed = [
    ...(isOn ? [{ path: ['init', 'env', 'DISABLE_TCP_EARLY_DEMUX'], value: 'true' }] : []),
    ...lost.flatMap(({ beside = [] }) => beside),
  ];
  const isSet = (path: readonly string[]): boolean =>
    configuration.kind === 'known' &&
    configuration.value.kind === 'parsed' &&
    dataAt(configuration.value.data, ...path) !== undefined;
  return needed.filter(
    ({ path }) => !isSet(path) && !lost.some((setting) => setting.path.join('.') === path.join('.')),
  );
}

function valuesOf(settings: readonly Pick<OutsideSetting, 'path' | 'value'>[]): Values {
  const result: Values = {};
  for (const { path, value } of settings) {
    let map = result;
    for (const key of path.slice(0, -1)) {
      const next = map[key];
      if (typeof next === 'object') {
        map = next;
      } else {
        const fresh: Values = {};
        map[key] = fresh;
        map = fresh;
      }
    }
    const last = path.at(-1);
    if (last !== undefined) map[last] = value;
  }
  return result;
}

function hclOf(values: Values): string {
  const entries = Object.entries(values).map(
    ([key, value]) => `${key} = ${typeof value === 'string' ? JSON.stringify(value) : hclOf(value)}`,
  );
  return `{ ${entries.join(', ')} }`;
}
