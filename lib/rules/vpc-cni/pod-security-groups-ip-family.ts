import { defineRule, resourceName } from '../../engine';
import { addonVersions, compareVersions, parseMinor } from '../../knowledge';
import { alternativesOf, cases, type ClusterView, type CniCase, type Plain, type Source } from '../../eks';
import { ipFamilyOf } from '../../eks/analysis/ip-family';
import type { LaunchOutcome } from '../parts/launch-judgements';
import { cniName, judgeCni } from './parts/pod-eni';

/*
 * Before v1.16.0 ipamd refuses to start when both IPv6 and ENABLE_POD_ENI are on.
 * Source: aws/amazon-vpc-cni-k8s, pull request 2639; the feature table in its README is older than that.
 */

const FIRST_VERSION = 'v1.16.0';

type Message = 'refused';

export const podSecurityGroupsIpFamily = defineRule<Message>({
  id: 'pod-security-groups-ip-family',
  subject: 'vpc-cni',
  title: 'On IPv6 clusters, security groups for pods come with VPC CNI v1.16.0 or later',
  severity: 'error',
  since: '0.1.0',
  messages: {
    refused: {
      text: '{{cni}} has version {{version}} and ENABLE_POD_ENI on in the IPv6 cluster {{cluster}}. Before v1.16.0 the CNI refuses to start with both, so no node becomes ready.',
      fix: {
        summary: 'Update the add-on to v1.16.0 or later, one minor version at a time; or take `ENABLE_POD_ENI` out.',
        code: {
          cloudformation:
            "AddonVersion: v1.21.1-eksbuild.5 # any from v1.16.0 on that EKS offers for the cluster's version",
          'aws-cdk':
            "addonVersion: 'v1.21.1-eksbuild.5', // any from v1.16.0 on that EKS offers for the cluster's version",
          terraform:
            'addon_version = "v1.21.1-eksbuild.5" # any from v1.16.0 on that EKS offers for the cluster\'s version',
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    for (const view of model.clusterViews) yield* judgeCni<Message>(view, model, (one) => judge(one, view));
  },
});

function judge(one: CniCase, view: ClusterView): readonly LaunchOutcome<Message>[] {
  const podEni = one.settings.switch('env.ENABLE_POD_ENI');
  if (podEni.kind === 'off') return [];
  const values = {
    family: ipFamilyOf(view),
    ...(view.cluster === undefined ? {} : { clusterVersion: view.cluster.version }),
  };
  return cases(values).flatMap(
    ({ when: given, values: { family, clusterVersion } }): readonly LaunchOutcome<Message>[] => {
      const when = one.when.and(given);
      if (when === undefined || (family.kind === 'known' && family.value === 'ipv4' && podEni.kind === 'unknown'))
        return [];
      if (family.kind === 'known' && family.value === 'ipv4') return [{ verdict: 'pass', when }];
      const old = isOld(one, clusterVersion);
      if (old === false) return podEni.kind === 'on' ? [{ verdict: 'pass', when }] : [];
      const source = one.version === undefined ? one.source : versionSource(one);
      const doubts = [
        ...(podEni.kind === 'unknown' ? [`whether ENABLE_POD_ENI is on isn't known (${podEni.unknown.reason})`] : []),
        ...(family.kind === 'known'
          ? []
          : [`the IP family of the cluster isn't known${family.kind === 'unknown' ? ` (${family.reason})` : ''}`]),
        ...(old === true ? [] : [old]),
      ];
      if (doubts.length > 0) return [{ verdict: 'unverifiable', reason: doubts.join('; '), source, when }];
      const cluster = view.cluster === undefined ? view.name : resourceName(view.cluster);
      const related = [
        { message: 'the configuration values switch ENABLE_POD_ENI on', source: one.source },
        { message: `cluster ${cluster} has IPv6`, source: family.source },
      ];
      return [
        {
          verdict: 'fail',
          message: 'refused',
          data: { cni: cniName(one), version: one.version ?? '', cluster },
          related,
          source,
          when,
        },
      ];
    },
  );
}

/** Whether the version is one that refuses; why that isn't known. */
function isOld(one: CniCase, clusterVersion: Plain<string> | undefined): boolean | string {
  if (one.version !== undefined) return compareVersions(one.version, FIRST_VERSION) < 0;
  if (one.addon === undefined) return "the version of the CNI in the Helm release isn't known";
  if (one.unknownVersion !== undefined) return `its version isn't known (${one.unknownVersion})`;
  const minor = clusterVersion?.kind === 'known' ? parseMinor(clusterVersion.value) : undefined;
  if (minor !== undefined && minor > lastMinorOfOld()) return false;
  return 'the add-on pins no version, and which ones EKS offers depends on the Kubernetes version';
}

let lastMinor: number | undefined;

/** The newest Kubernetes version (its minor) for which EKS offers a version that refuses. */
function lastMinorOfOld(): number {
  return (lastMinor ??= addonVersions('vpc-cni')
    .filter(({ version }) => compareVersions(version, FIRST_VERSION) < 0)
    .reduce((most, { clusterMinors }) => Math.max(most, ...clusterMinors.map((minor) => parseMinor(minor) ?? 0)), 0));
}

function versionSource(one: CniCase): Source {
  const written =
    one.addon === undefined
      ? undefined
      : alternativesOf(one.addon.version).find(({ value }) => value.kind === 'known' && value.value === one.version);
  return written?.value.source ?? one.source;
}
