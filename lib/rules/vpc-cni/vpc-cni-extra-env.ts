// extraEnv adds variables to one container of the aws-node pods, without a check by the add-on's schema. It is no second place for
// the settings of env. Source: aws/amazon-vpc-cni-k8s, charts/aws-vpc-cni/templates/daemonset.yaml.
import { defineRule } from '../../engine';
import { compareVersions, vpcCniVariable, vpcCni, type ConfigurationKey } from '../../knowledge';
import { dataAt, Unknown, type EksModel } from '../../eks';
import { extraVariables, type ExtraVariable } from '../../eks/networking/cni-environment';
import { parseSwitch, type CniSettings } from '../../eks/networking/cni-settings';
import { judgeCniSettings, type CniOutcome, type JudgedCase } from './parts/cni-judgements';
import { SWITCH_VARIABLE, tellsOfSwitchInExtraEnv } from './vpc-cni-tcp-early-demux';

type MessageId = 'ip-family' | 'service-managed' | 'twice' | 'belongs-to-env' | 'init-container' | 'no-variable';

/** The cluster's family turns one of these on, and the CNI takes exactly one. */
const FAMILIES: ReadonlyMap<string, 'ipv4' | 'ipv6'> = new Map([
  ['ENABLE_IPv4', 'ipv4'],
  ['ENABLE_IPv6', 'ipv6'],
]);

const move = {
  summary: 'Move it to `env: { {{variable}}: … }` and remove it from `extraEnv`.',
  safety: 'needs-decision',
} as const;

export const vpcCniExtraEnv = defineRule<MessageId>({
  id: 'vpc-cni-extra-env',
  subject: 'vpc-cni',
  title: 'extraEnv of the VPC CNI only adds variables that env has no place for',
  severity: 'error',
  since: '0.1.0',
  messages: {
    'ip-family': {
      text: "{{what}} sets {{variable}} to {{value}} in extraEnv, against the {{family}} cluster. EKS sets it already, so that it stands twice and the update probably fails; and with another family than the cluster's aws-node does not become ready.",
      fix: {
        summary: "Remove `{{variable}}` from `extraEnv`; EKS sets it from the cluster's IP family.",
        safety: 'needs-decision',
      },
    },
    'service-managed': {
      text: "{{what}} sets {{variable}} in extraEnv, which EKS sets itself: the variable stands twice on container aws-node. The API server can't apply such a list server-side, as EKS does, so the update of the add-on probably fails.",
      fix: { summary: 'Remove `{{variable}}` from `extraEnv`.', safety: 'needs-decision' },
    },
    twice: {
      text: '{{what}} sets {{variable}} in extraEnv, although container aws-node has it {{already}}: it stands there twice{{effect}}.',
      fix: move,
    },
    'belongs-to-env': {
      text: '{{what}} sets {{variable}} in extraEnv, where no schema checks it; the add-on has a key of its own for it, env.{{variable}}.',
      fix: move,
    },
    'init-container': {
      text: '{{what}} sets {{variable}} in extraEnv, which only reaches container aws-node: the init container reads this variable, so it has no effect.',
      fix: {
        summary: 'Move it to `init: { env: { {{variable}}: … } }` and remove it from `extraEnv`.',
        safety: 'needs-decision',
      },
    },
    'no-variable': {
      text: '{{what}} has an item {{index}} in extraEnv that {{defect}}: it is no environment variable to Kubernetes, which refuses the DaemonSet, and the update of the add-on fails.',
      fix: { summary: 'Write `{ "name": "…", "value": "…" }`, both as text.', safety: 'safe' },
    },
  },
  *check(model: EksModel) {
    yield* judgeCniSettings<MessageId>(model, (one) => judge(one, model), 'everywhere');
  },
});

function judge(one: JudgedCase, model: EksModel): readonly CniOutcome<MessageId>[] {
  if (one.settings.data instanceof Unknown)
    return [unverifiable(`the configuration values are not known (${one.settings.data.reason})`)];
  const variables = extraVariables(one.settings);
  if (variables instanceof Unknown) return [unverifiable(`extraEnv is not known (${variables.reason})`)];
  const told = tellsOfSwitchInExtraEnv(one, one.view, model) ? SWITCH_VARIABLE : undefined;
  const items = [...variables.entries()].filter(([, { name }]) => name === undefined || name !== told);
  if (items.length === 0) return [];
  const outcomes = items.flatMap(([index, variable]) =>
    judgeItem(one, variable, index).map((outcome) => withVariable(outcome, variable)),
  );
  return outcomes.length === 0 ? [{ verdict: 'pass' }] : outcomes;
}

function withVariable(outcome: CniOutcome<MessageId>, { name }: ExtraVariable): CniOutcome<MessageId> {
  return outcome.verdict === 'fail' && typeof name === 'string' ? { ...outcome, about: name } : outcome;
}

function judgeItem(one: JudgedCase, { name, value }: ExtraVariable, index: number): readonly CniOutcome<MessageId>[] {
  if (name instanceof Unknown) return [unverifiable(`item ${index + 1} of extraEnv is not known (${name.reason})`)];
  const defect =
    name === undefined || name === ''
      ? 'has no name'
      : isText(value)
        ? undefined
        : `gives ${name} a value that is no text`;
  if (name === undefined || defect !== undefined) {
    return [
      {
        verdict: 'fail',
        severity: 'warning',
        message: 'no-variable',
        data: { index: String(index + 1), defect: defect ?? '' },
      },
    ];
  }
  const family = FAMILIES.get(name);
  if (family !== undefined && one.ipFamily !== undefined && typeof value === 'string') {
    const wanted = family === one.ipFamily;
    const found = parseSwitch(value);
    if (found !== undefined && found !== wanted) {
      const data = { variable: name, value: JSON.stringify(value), family: one.ipFamily === 'ipv6' ? 'IPv6' : 'IPv4' };
      return [{ verdict: 'fail', message: 'ip-family', data }];
    }
  }
  return one.addon === undefined ? inChart(one.settings, name) : inAddon(one, name);
}

function inAddon({ settings, unknownVersion }: JudgedCase, variable: string): readonly CniOutcome<MessageId>[] {
  const warning = { verdict: 'fail', severity: 'warning' } as const;
  if (vpcCni.neverAccepted(`env.${variable}`)?.setByEks === true)
    return [{ ...warning, message: 'service-managed', data: { variable } }];
  if (isOfInitContainer(variable)) return [{ ...warning, message: 'init-container', data: { variable } }];
  const key = vpcCni.key(`env.${variable}`);
  // A variable that was removed from the schema has no place in env.
  if (key?.since === undefined) return [];
  const { version } = settings;
  if (version !== undefined && !vpcCni.accepts(key, version)) return [];
  if (unknownVersion !== undefined && isNewerThanExtraEnv(key))
    return [unverifiable(`whether env.${variable} is a key of the add-on's version is not known (${unknownVersion})`)];
  const already = alreadySet(settings, variable, 'the add-on');
  if (already !== undefined)
    return [
      {
        ...warning,
        message: 'twice',
        data: {
          variable,
          already,
          effect:
            ", which the API server can't apply server-side, as EKS does, so the update of the add-on probably fails",
        },
      },
    ];
  return [{ ...warning, severity: 'info', message: 'belongs-to-env', data: { variable } }];
}

function inChart(settings: CniSettings, variable: string): readonly CniOutcome<MessageId>[] {
  if (isOfInitContainer(variable))
    return [{ verdict: 'fail', severity: 'warning', message: 'init-container', data: { variable } }];
  const already = alreadySet(settings, variable, 'the chart');
  return already === undefined
    ? []
    : [
        {
          verdict: 'fail',
          severity: 'warning',
          message: 'twice',
          data: { variable, already, effect: ", and a server-side apply of the chart's manifest fails" },
        },
      ];
}

/** Who puts the variable on the container besides extraEnv. */
function alreadySet(settings: CniSettings, variable: string, by: string): string | undefined {
  const written = dataAt(settings.data, 'env', variable);
  if (written !== undefined && written !== null) return 'from env';
  return vpcCni.key(`env.${variable}`)?.rendered === true || FAMILIES.has(variable) ? `from ${by}` : undefined;
}

function isOfInitContainer(variable: string): boolean {
  return vpcCniVariable(variable)?.containers.includes('aws-node') === false;
}

/** Whether some versions have extraEnv but not the key. */
function isNewerThanExtraEnv({ since }: ConfigurationKey): boolean {
  const extraEnv = vpcCni.key('extraEnv')?.since;
  return since !== undefined && extraEnv !== undefined && compareVersions(since, extraEnv) > 0;
}

/** A missing value is an empty one, and an unknown one is text in the end. */
function isText(value: ExtraVariable['value']): boolean {
  return value === undefined || value === null || value instanceof Unknown || typeof value === 'string';
}

function unverifiable(reason: string): CniOutcome<MessageId> {
  return { verdict: 'unverifiable', reason };
}
