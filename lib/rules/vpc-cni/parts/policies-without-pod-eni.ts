import type { Judgement } from '../../../engine';
import {
  cases,
  casesOf,
  type ClusterView,
  type CniCase,
  type EksModel,
  type SecurityGroupPolicy,
  type When,
} from '../../../eks';
import { parseMinor } from '../../../knowledge';
import { listOf } from '../../../text/in-words';
import type { LaunchOutcome } from '../../parts/launch-judgements';
import { cniName, judgeCni, outsideChange } from './pod-eni';
import { roleAdvice } from './pod-security-groups';
import { isToldElsewhere } from './told-elsewhere';

export type PodEniMessage = 'pod-eni-off' | 'pod-eni-not-set';

/** Whether the CNI can give the pods of working policies interfaces of their own. */
export function* judgePodEni(
  view: ClusterView,
  policies: readonly SecurityGroupPolicy[],
  model: EksModel,
): Generator<Judgement<PodEniMessage>> {
  yield* judgeCni<PodEniMessage>(view, model, (one) => judgeSwitch(one, view, policies));
}

function judgeSwitch(
  one: CniCase,
  view: ClusterView,
  policies: readonly SecurityGroupPolicy[],
): readonly LaunchOutcome<PodEniMessage>[] {
  const { settings, source } = one;
  const podEni = settings.switch('env.ENABLE_POD_ENI');
  const setting = settings.setting('env.ENABLE_POD_ENI');
  return policiesByCondition(one, policies).flatMap(
    ({ when, names, related }): readonly LaunchOutcome<PodEniMessage>[] => {
      if (podEni.kind === 'on') return [{ verdict: 'pass', when }];
      if (isToldElsewhere(one, 'env.ENABLE_POD_ENI')) return [];
      const unverifiable = (reason: string): readonly LaunchOutcome<PodEniMessage>[] => [
        { verdict: 'unverifiable', reason, source, when },
      ];
      if (podEni.kind === 'unknown')
        return unverifiable(`whether ENABLE_POD_ENI is on isn't known (${podEni.unknown.reason})`);
      const change = outsideChange(view, 'ENABLE_POD_ENI', when);
      if (change !== undefined)
        return unverifiable(`${change.label} sets ENABLE_POD_ENI besides the configuration values`);
      const data = {
        cni: cniName(one),
        policies: `SecurityGroupPolicy ${listOf(names)} ${names.length > 1 ? 'give' : 'gives'}`,
        roleFirst: roleAdvice(view),
      };
      const isOff = setting.kind === 'configured';
      const elsewhere = runsElsewhere(view, when);
      if (elsewhere !== undefined) {
        return isOff || mayPreserve(one, when).length > 0
          ? unverifiable(
              `ENABLE_POD_ENI isn't on, and whether the pods with security groups of their own all run on ${elsewhere}, where that doesn't matter, isn't known`,
            )
          : [];
      }
      if (isOff)
        return [
          { verdict: 'fail', message: 'pod-eni-off', data: { ...data, found: setting.text }, related, source, when },
        ];
      return mayPreserve(one, when).map((both) => ({
        verdict: 'fail',
        message: 'pod-eni-not-set',
        severity: 'warning',
        data,
        related,
        source,
        when: both,
      }));
    },
  );
}

/** From this minor version on the nodes of Auto Mode may have pods with security groups of their own. */
const AUTO_MODE_MINOR = 36;

/** Nodes that have nothing to do with the settings of the VPC CNI, and on which such pods may run. */
function runsElsewhere({ fargateProfiles, cluster }: ClusterView, when: When): string | undefined {
  if (fargateProfiles.some(({ exists }) => exists.and(when) !== undefined)) return 'Fargate';
  if (cluster === undefined) return undefined;
  const mayBeAuto = casesOf(cluster, { autoMode: cluster.autoMode, version: cluster.version }, when).some(
    ({ values: { autoMode, version } }) => {
      if (autoMode.kind === 'absent' || (autoMode.kind === 'known' && !autoMode.value)) return false;
      const minor = version.kind === 'known' ? parseMinor(version.value) : undefined;
      return minor === undefined || minor >= AUTO_MODE_MINOR;
    },
  );
  return mayBeAuto ? 'nodes of Auto Mode' : undefined;
}

/** Where an update of the add-on isn't known to overwrite what was set by hand; where it does, that is another rule's finding. */
function mayPreserve({ addon }: CniCase, when: When): readonly When[] {
  if (addon === undefined) return [when];
  return cases({ mode: addon.resolveConflictsOnUpdate }).flatMap(({ when: given, values: { mode } }) => {
    const both = when.and(given);
    return both === undefined || (mode.kind === 'known' && mode.value === 'OVERWRITE') ? [] : [both];
  });
}

interface Policies {
  readonly when: When;
  readonly names: readonly string[];
  readonly related: readonly { readonly message: string; readonly source: SecurityGroupPolicy['manifest']['source'] }[];
}

/** More combinations of conditions than these aren't told apart. */
const MOST_CASES = 32;

/** The policies that exist in a case, together where they exist under the same condition; those without condition stand for all. */
function policiesByCondition(one: CniCase, policies: readonly SecurityGroupPolicy[]): readonly Policies[] {
  const found = new Map<string, { readonly when: When; readonly policies: SecurityGroupPolicy[] }>();
  for (const policy of policies) {
    const when = one.when.and(policy.manifest.exists);
    if (when === undefined) continue;
    const alike = found.get(when.text);
    if (alike !== undefined) alike.policies.push(policy);
    else if (found.size < MOST_CASES) found.set(when.text, { when, policies: [policy] });
  }
  const everywhere = found.get(one.when.text);
  return (everywhere === undefined ? [...found.values()] : [everywhere]).map((group) => ({
    when: group.when,
    names: [...new Set(group.policies.map(({ label }) => label))],
    related: group.policies.slice(0, 5).map(({ label, manifest }) => ({
      message: `SecurityGroupPolicy ${label} works only with env.ENABLE_POD_ENI "true"`,
      source: manifest.source,
    })),
  }));
}
