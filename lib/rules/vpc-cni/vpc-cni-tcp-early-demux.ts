import { defineRule } from '../../engine';
import { ADDON_ROLLS } from '../parts/repair-effects';
import { vpcCni } from '../../knowledge';
import {
  dataAt,
  except,
  hasNoOwnNodes,
  isCovered,
  isTcp,
  podsOf,
  securityGroupPoliciesOf,
  Unknown,
  type ClusterView,
  type CniCase,
  type EksModel,
  type PodProbe,
  type PolicyPods,
  type SecurityGroupPolicy,
  type When,
  type Workload,
} from '../../eks';
import { listOf } from '../../text/in-words';
import type { LaunchOutcome } from '../parts/launch-judgements';
import { extraVariables } from '../../eks/networking/cni-environment';
import type { CniSettings } from '../../eks/networking/cni-settings';
import { cniName, enforcingModeOf, judgeCni, outsideChange } from './parts/pod-eni';
import { isToldElsewhere } from './parts/told-elsewhere';

/*
 * The kernel's early demultiplexing hands TCP packets of the kubelet's probes to the wrong interface when a pod is behind a branch
 * interface in strict mode, so the probes time out. Source: aws/amazon-vpc-cni-k8s, README, DISABLE_TCP_EARLY_DEMUX.
 */

const SWITCH = 'init.env.DISABLE_TCP_EARLY_DEMUX';
export const SWITCH_VARIABLE = 'DISABLE_TCP_EARLY_DEMUX';

const code = {
  cloudformation:
    'ConfigurationValues: \'{"env":{"ENABLE_POD_ENI":"true"},"init":{"env":{"DISABLE_TCP_EARLY_DEMUX":"true"}}}\'',
  'aws-cdk': [
    'configurationValues: {',
    "  env: { ENABLE_POD_ENI: 'true' },",
    "  init: { env: { DISABLE_TCP_EARLY_DEMUX: 'true' } },",
    '},',
  ].join('\n'),
  terraform: [
    'configuration_values = jsonencode({',
    '  env  = { ENABLE_POD_ENI = "true" }',
    '  init = { env = { DISABLE_TCP_EARLY_DEMUX = "true" } }',
    '})',
  ].join('\n'),
} as const;

const repairs = [{ kind: 'setData', field: 'configuration', at: SWITCH, to: '{{switchedOn}}' }] as const;

type Message = 'probes' | 'pods-not-visible';

export const vpcCniTcpEarlyDemux = defineRule<Message>({
  id: 'vpc-cni-tcp-early-demux',
  subject: 'vpc-cni',
  title: 'Probes of the kubelet reach pods with security groups of their own',
  severity: 'error',
  since: '0.1.0',
  messages: {
    probes: {
      text: "{{cni}} has ENABLE_POD_ENI on in strict mode without {{setting}}{{hint}}, so {{probes}} probes of the kubelet can't reach the pods of {{pods}}, which have security groups of their own ({{policies}}). They never become ready, or are restarted again and again.",
      fix: { summary: '{{advice}}', code, safety: 'needs-decision', repairs, effect: ADDON_ROLLS },
    },
    'pods-not-visible': {
      text: "{{cni}} has ENABLE_POD_ENI on in strict mode without {{setting}}{{hint}}: TCP, HTTP and gRPC probes of the kubelet can't reach pods with security groups of their own. Which probes all of these pods have isn't visible here.",
      fix: { summary: '{{advice}}', code, safety: 'needs-decision', repairs, effect: ADDON_ROLLS },
    },
  },
  *check(model) {
    for (const view of model.clusterViews) {
      let pods: PodsOfPolicies | undefined;
      yield* judgeCni<Message>(view, model, (one) => judge(one, view, () => (pods ??= podsOfPolicies(view))));
    }
  },
});

/** Whether the rule fails for a case because the switch has no effect in `extraEnv`, so that nothing else needs to say that. */
export function tellsOfSwitchInExtraEnv(one: CniCase, view: ClusterView, model: EksModel): boolean {
  return (
    isInExtraEnv(one.settings) &&
    !hasNoOwnNodes(view, model, one.when) &&
    judge(one, view, () => podsOfPolicies(view)).some(({ verdict }) => verdict === 'fail')
  );
}

function judge(one: CniCase, view: ClusterView, podsOfAll: () => PodsOfPolicies): readonly LaunchOutcome<Message>[] {
  const { settings, source, when } = one;
  const unverifiable = (reason: string): readonly LaunchOutcome<Message>[] => [
    { verdict: 'unverifiable', reason, source, when },
  ];
  const podEni = settings.switch('env.ENABLE_POD_ENI');
  if (podEni.kind === 'off') return [];
  const mode = enforcingModeOf(settings);
  if (mode === 'invalid') return [];
  const demux = settings.switch(SWITCH);
  if (mode === 'standard' || demux.kind === 'on') return podEni.kind === 'on' ? [{ verdict: 'pass', when }] : [];
  if (podEni.kind === 'unknown')
    return unverifiable(`whether ENABLE_POD_ENI is on isn't known (${podEni.unknown.reason})`);
  if (mode instanceof Unknown) return unverifiable(`POD_SECURITY_GROUP_ENFORCING_MODE isn't known (${mode.reason})`);
  if (isToldElsewhere(one, SWITCH)) return [];
  if (demux.kind === 'unknown')
    return unverifiable(`whether DISABLE_TCP_EARLY_DEMUX is on isn't known (${demux.unknown.reason})`);
  for (const variable of [SWITCH_VARIABLE, 'POD_SECURITY_GROUP_ENFORCING_MODE']) {
    const change = outsideChange(view, variable, when);
    if (change !== undefined) return unverifiable(`${change.label} sets ${variable} besides the configuration values`);
  }
  return judgePods(one, view, podsOfAll());
}

/** A pod that a probe can't reach. */
interface Exposed {
  /** One that fits the pod. */
  readonly policy: SecurityGroupPolicy;
  readonly workload: Workload;
  readonly probes: readonly PodProbe[];
  /** Where both exist. */
  readonly when: When;
}

interface PodsOfPolicies {
  readonly exposed: readonly Exposed[];
  /** One of each kind of policies that fit the same pods and exist under the same condition. */
  readonly policies: readonly { readonly policy: SecurityGroupPolicy; readonly pods: PolicyPods }[];
}

function podsOfPolicies(view: ClusterView): PodsOfPolicies {
  const kinds = new Map<PolicyPods, Map<string, SecurityGroupPolicy>>();
  for (const policy of securityGroupPoliciesOf(view)) {
    const pods = podsOf(view, policy);
    const alike = kinds.get(pods) ?? new Map<string, SecurityGroupPolicy>();
    const condition = policy.manifest.exists.text;
    if (!alike.has(condition)) alike.set(condition, policy);
    kinds.set(pods, alike);
  }
  const policies = [...kinds].flatMap(([pods, alike]) => [...alike.values()].map((policy) => ({ policy, pods })));
  const exposed = policies.flatMap(({ policy, pods }) =>
    pods.sure.flatMap((workload): readonly Exposed[] => {
      const when = policy.manifest.exists.and(workload.manifest.exists);
      const probes = workload.probes.filter(isTcp);
      return when === undefined || probes.length === 0 || !workload.hasOwnAddress
        ? []
        : [{ policy, workload, probes, when }];
    }),
  );
  return { exposed, policies };
}

/** More combinations of conditions than these aren't told apart. */
const MOST_CASES = 32;

function judgePods(one: CniCase, view: ClusterView, all: PodsOfPolicies): readonly LaunchOutcome<Message>[] {
  const exposures = new Map<string, { readonly when: When; readonly exposed: Exposed[] }>();
  // First what doesn't depend on conditions of its own: nothing else has to be told apart then.
  exposures.set(one.when.text, { when: one.when, exposed: [] });
  for (const exposed of all.exposed) {
    const when = one.when.and(exposed.when);
    if (when === undefined) continue;
    const alike = exposures.get(when.text);
    if (alike !== undefined) alike.exposed.push(exposed);
    else if (exposures.size < MOST_CASES) exposures.set(when.text, { when, exposed: [exposed] });
  }
  const outcomes: LaunchOutcome<Message>[] = [];
  let rest: readonly When[] = [one.when];
  for (const { when, exposed } of exposures.values()) {
    if (exposed.length === 0) continue;
    // What fails without a condition, or under a wider one, needn't be said again.
    const isSaid = rest.every((left) => left.and(when) === undefined);
    if (!isSaid) outcomes.push(unreachable(one, view, exposed, when));
    rest = except(rest, when).slice(0, MOST_CASES);
  }
  for (const when of rest) {
    outcomes.push(
      isQuiet(all, when)
        ? { verdict: 'pass', when }
        : {
            verdict: 'fail',
            message: 'pods-not-visible',
            severity: 'warning',
            source: one.source,
            data: settingsData(one),
            when,
          },
    );
  }
  return outcomes;
}

function unreachable(one: CniCase, view: ClusterView, exposed: readonly Exposed[], when: When): LaunchOutcome<Message> {
  const policies = listOf(distinct(exposed.map(({ policy }) => `SecurityGroupPolicy ${policy.label}`)));
  const pods = listOf(distinct(exposed.map(({ workload }) => workload.label)));
  const probes = listOf(distinct(exposed.flatMap((each) => each.probes.map(({ kind }) => kind))));
  const isCertain = view.fargateProfiles.length === 0 && takesSwitch(one);
  return {
    verdict: 'fail',
    message: 'probes',
    ...(isCertain ? {} : { severity: 'warning' as const }),
    source: one.source,
    data: { ...settingsData(one), pods, probes, policies },
    related: [
      ...distinctBy(exposed, ({ policy }) => policy).map(({ policy }) => ({
        message: `SecurityGroupPolicy ${policy.label} gives pods security groups of their own`,
        source: policy.manifest.source,
      })),
      ...distinctBy(exposed, ({ workload }) => workload).map(({ workload, probes: [probe] }) => ({
        message: `${workload.label}${probeText(probe)}`,
        source: workload.manifest.source,
      })),
    ].slice(0, 10),
    when,
  };
}

function probeText(probe: PodProbe | undefined): string {
  if (probe === undefined) return '';
  return ` has a ${probe.kind} probe of type ${probe.via}${probe.container === undefined ? '' : ` in container ${probe.container}`}`;
}

/** Whether the pods of all policies can be seen and have no probes over TCP. */
function isQuiet({ policies }: PodsOfPolicies, when: When): boolean {
  const there = policies.flatMap(({ policy, pods }) => {
    const both = policy.manifest.exists.and(when);
    return both === undefined ? [] : [{ pods, when: both }];
  });
  if (there.length === 0) return false;
  return there.every(({ pods: { sure, possible }, when: both }) => {
    const mayBeProbed = (workload: Workload): boolean =>
      !workload.isOnHostNetwork &&
      (!workload.areProbesKnown || workload.probes.some(isTcp)) &&
      workload.manifest.exists.and(both) !== undefined;
    return (
      !sure.some(mayBeProbed) &&
      !possible.some(mayBeProbed) &&
      isCovered(
        both,
        sure.map(({ manifest }) => manifest.exists),
      )
    );
  });
}

function settingsData(one: CniCase): Record<string, string> {
  return {
    cni: cniName(one),
    setting: SWITCH,
    hint: hintOf(one),
    advice: adviceFor(one),
    switchedOn: takesSwitch(one) && !isInExtraEnv(one.settings) ? '"true"' : '',
  };
}

/** The variable in a place where it has no effect and no schema refuses it: in extraEnv, or under env in the chart's values. */
function hintOf({ settings }: CniCase): string {
  if (dataAt(settings.data, 'env', SWITCH_VARIABLE) !== undefined)
    return " (it stands under env, and aws-node doesn't read it)";
  return isInExtraEnv(settings)
    ? ' (it stands in extraEnv, which only container aws-node gets, not the init container)'
    : '';
}

function isInExtraEnv(settings: CniSettings): boolean {
  const variables = extraVariables(settings);
  return !(variables instanceof Unknown) && variables.some(({ name }) => name === SWITCH_VARIABLE);
}

function adviceFor(one: CniCase): string {
  const standard =
    'or set `env.POD_SECURITY_GROUP_ENFORCING_MODE` to `"standard"`, if traffic on the same node needs no filter';
  const instead = isInExtraEnv(one.settings) ? ' instead of the item in `extraEnv`' : '';
  if (takesSwitch(one)) return `Set \`${SWITCH}\` to \`"true"\`${instead}, ${standard}.`;
  return `Update the add-on to \`${firstVersion()}\` or later, which accepts it, and set \`${SWITCH}\` to \`"true"\`; until then patch the init container of DaemonSet aws-node.`;
}

/** Whether the add-on's version accepts the setting; one that isn't pinned is new enough. */
function takesSwitch({ version }: CniCase): boolean {
  const key = vpcCni.key(SWITCH);
  return version === undefined || key === undefined || vpcCni.accepts(key, version);
}

function firstVersion(): string {
  return vpcCni.key(SWITCH)?.since ?? '';
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function distinctBy<T>(items: readonly T[], keyOf: (item: T) => object): readonly T[] {
  const first = new Map<object, T>();
  for (const item of items) if (!first.has(keyOf(item))) first.set(keyOf(item), item);
  return [...first.values()];
}
