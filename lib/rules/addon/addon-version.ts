import { defineRule, resourceName, type Judgement } from '../../engine';
import { unverifiable } from '../parts/case-judgements';
import { ADDON_VERSION } from '../parts/repair-effects';
import { addonTableAsOf, addonVersion as offeredVersion, defaultAddonVersion, knownAddons } from '../../knowledge';
import { cases, hasNoOwnNodes, isReadBack, type Addon, type EksModel, type Plain, type When } from '../../eks';
import { listOf } from '../../text/in-words';
import {
  isBeforeCniSpec,
  isInTable,
  isOutlived,
  isRetired,
  offeredFor,
  rangeOf,
  retiredReason,
  standingOf,
  suggestionFor,
} from './parts/offered-versions';
import { exampleOfCni } from './parts/version-examples';
import { Places, lookedUp, type LookupMessage, type Setting } from './parts/looked-up-versions';

/*
 * An add-on without a version gets EKS's default of the day, which moves without notice: two deployments of the same code
 * give two clusters. A version that EKS doesn't offer for the cluster's Kubernetes version fails in the middle of the deployment.
 * Source: EKS API, CreateAddon and DescribeAddonVersions.
 */

type MessageId =
  | LookupMessage
  | 'unpinned-cni'
  | 'unpinned-cni-open'
  | 'unpinned'
  | 'malformed'
  | 'incompatible'
  | 'outlived'
  | 'not-offered'
  | 'cni-spec';

const pin = {
  cloudformation: 'AddonVersion: {{suggestion}}',
  'aws-cdk': "addonVersion: '{{suggestion}}',",
  terraform: 'addon_version = "{{suggestion}}"',
} as const;

/** What EKS has as default, by a table of some day, can be older than that. */
const RUNNING = 'the one that runs, which `aws eks describe-addon` tells';

export const addonVersion = defineRule<MessageId>({
  id: 'addon-version',
  subject: 'addon',
  title: 'Add-on versions are pinned, and offered for the cluster version',
  severity: 'error',
  since: '0.1.0',
  messages: {
    'looked-up-cni': {
      text: 'Add-on {{name}} (vpc-cni) takes {{which}} at every plan ({{how}}), so the next apply updates it on a cluster that exists, too, and the pod network changes without a change in the code.',
      fix: {
        summary:
          '{{write}}{{example}}; where `aws eks describe-addon` tells a newer one that runs, take that. Update it on purpose.',
        code: pin,
        safety: 'needs-decision',
      },
    },
    'looked-up': {
      text: 'Add-on {{name}} ({{addon}}) takes {{which}} at every plan ({{how}}), so the next apply updates it on a cluster that exists, too.',
      fix: {
        summary:
          '{{write}}{{example}}; where `aws eks describe-addon` tells a newer one that runs, take that. Update it on purpose.',
        code: pin,
        safety: 'needs-decision',
      },
    },
    'unpinned-cni': {
      text: 'Add-on {{name}} (vpc-cni) names no version, so a new or rebuilt cluster gets whatever EKS has as default that day ({{standard}} on {{asOf}}), and the pod network changes without a change in the code.',
      fix: {
        summary: `Pin the version: for a new cluster for instance \`{{suggestion}}\`, else ${RUNNING}.`,
        code: pin,
        safety: 'needs-decision',
        repairs: [{ kind: 'set', field: 'version', to: '{{suggestion}}' }],
        effect: ADDON_VERSION,
      },
    },
    'unpinned-cni-open': {
      text: 'Add-on {{name}} (vpc-cni) names no version, so a new or rebuilt cluster gets whatever EKS has as default that day, and the pod network changes without a change in the code.',
      fix: {
        summary:
          'Pin a version that EKS offers for the cluster{{example}}: `aws eks describe-addon-versions --addon-name vpc-cni --kubernetes-version …` lists them, `aws eks describe-addon` tells the one that runs.',
        code: pin,
        safety: 'needs-decision',
      },
    },
    unpinned: {
      text: 'Add-on {{name}} ({{addon}}) names no version, so a new or rebuilt cluster gets whatever EKS has as default that day.',
      fix: { summary: `Pin the version: {{example}}${RUNNING}.`, code: pin, safety: 'safe' },
    },
    malformed: {
      text: 'Add-on {{name}} ({{addon}}) has the version "{{version}}", which is no version of an EKS add-on: EKS answers "Addon version specified is not supported" and the deployment fails.',
      fix: {
        summary: 'Write the full version with its build, for instance `{{suggestion}}`.',
        code: pin,
        safety: 'needs-decision',
        repairs: [{ kind: 'set', field: 'version', to: '{{suggestion}}' }],
        effect: ADDON_VERSION,
      },
    },
    incompatible: {
      text: 'Add-on {{name}} ({{addon}}) has the version {{version}}, which EKS offers for Kubernetes {{range}} and not for this cluster\'s {{minor}} (table of {{asOf}}): EKS answers "Addon version specified is not supported".',
      fix: {
        summary: 'Use a version that is offered for Kubernetes {{minor}}, for instance `{{suggestion}}`.',
        code: pin,
        safety: 'needs-decision',
        repairs: [{ kind: 'set', field: 'version', to: '{{suggestion}}' }],
        effect: ADDON_VERSION,
      },
    },
    outlived: {
      text: 'Add-on {{name}} ({{addon}}) has the version {{version}}, which EKS offers for Kubernetes {{range}} only (table of {{asOf}}), and the cluster names no version. EKS creates clusters of newer versions only, and answers "Addon version specified is not supported".',
      fix: {
        summary:
          "Name the cluster's version and use one of the add-on that is offered for it, for instance `{{suggestion}}`.",
        code: pin,
        safety: 'needs-decision',
      },
    },
    'not-offered': {
      text: 'Add-on {{name}} ({{addon}}) has the version {{version}}, which EKS does not offer for any Kubernetes version (never published or withdrawn, table of {{asOf}}): EKS answers "Addon version specified is not supported".',
      fix: {
        summary: 'Use a version that is offered, for instance `{{suggestion}}`.',
        code: pin,
        safety: 'needs-decision',
        repairs: [{ kind: 'set', field: 'version', to: '{{suggestion}}' }],
        effect: ADDON_VERSION,
      },
    },
    'cni-spec': {
      text: "Add-on {{name}} (vpc-cni) has the version {{version}}, which needs CNI specification 1.0.0 and so Kubernetes 1.24; on this cluster's {{minor}} pods stay ContainerCreating.",
      fix: {
        summary: 'Use v1.16.2 or later, or a 1.15 version; for this cluster for instance `{{suggestion}}`.',
        code: pin,
        safety: 'needs-decision',
        repairs: [{ kind: 'set', field: 'version', to: '{{suggestion}}' }],
        effect: ADDON_VERSION,
      },
    },
  },
  *check(model: EksModel, { today }) {
    for (const { addons } of model.clusterViews) {
      // One decision, written at each add-on.
      yield* newestOnes(addons.filter(isNewestOfEksctl));
    }
    const places = new Places(model);
    for (const addon of model.addons) {
      if (addon.isImplied === true || isNewestOfEksctl(addon)) continue;
      const view = model.viewOf(addon);
      const clusterVersion = view.cluster?.version;
      const hasNodes = !hasNoOwnNodes(view, model, addon.exists);
      const setting: Setting = { today, hasNodes, isShared: () => places.areShared(addon) };
      yield* cases({
        name: addon.name,
        version: addon.version,
        ...(addon.versionLookup === undefined ? {} : { lookup: addon.versionLookup }),
        ...(clusterVersion === undefined ? {} : { clusterVersion }),
      }).flatMap(({ when, values }) => {
        const both = addon.exists.and(when);
        return both === undefined
          ? []
          : [
              lookedUp(addon, values.name, values.lookup, values.clusterVersion, both, setting) ??
                judge(addon, values.name, values.version, values.clusterVersion, both, setting),
            ];
      });
    }
  },
});

/** Whether eksctl installs the add-on in the newest version that there is on that day. */
function isNewestOfEksctl({ dialect, isImplied, version }: Addon): boolean {
  return (
    dialect.name === 'eksctl' && isImplied !== true && version.kind === 'unknown' && version.reason === NEWEST_BY_EKSCTL
  );
}

/** What the reader of ClusterConfigs says of `version: latest`. */
const NEWEST_BY_EKSCTL = 'eksctl installs the newest version';

function newestOnes(addons: readonly Addon[]): Judgement<MessageId>[] {
  const [first] = addons;
  if (first === undefined || first.version.kind === 'choice') return [];
  const reason =
    addons.length === 1
      ? `its version is not known (${NEWEST_BY_EKSCTL})`
      : `the versions of ${listOf(addons.map((one) => resourceName(one)))} are not known (${NEWEST_BY_EKSCTL})`;
  return [{ verdict: 'unverifiable', resource: first, source: first.version.source, reason }];
}

function judge(
  addon: Addon,
  addonName: Plain<string>,
  version: Plain<string>,
  clusterVersion: Plain<string> | undefined,
  when: When,
  setting: Setting,
): Judgement<MessageId> {
  const { today } = setting;
  const common = { resource: addon, source: version.source, when };
  if (version.kind === 'unknown')
    return { ...common, verdict: 'unverifiable', reason: `its version is not known (${version.reason})` };
  const minor = clusterVersion?.kind === 'known' ? clusterVersion.value : undefined;
  const called = addonName.kind === 'known' ? addonName.value : undefined;
  if (version.kind === 'absent' || isReadBack(version)) return unpinned(addon, called, minor, common, setting);
  if (called === undefined)
    return { ...common, verdict: 'unverifiable', reason: 'the name of the add-on is not known' };
  // Nothing is known of the versions of other add-ons, and theirs don't all look like these.
  if (!knownAddons().includes(called)) return { ...common, verdict: 'pass' };

  const asOf = addonTableAsOf();
  const suggestion = suggestionFor(called, minor);
  const data = {
    name: resourceName(addon),
    addon: called,
    version: version.value,
    asOf,
    suggestion,
    minor: minor ?? '',
    range: '',
  };
  const listed = offeredVersion(called, version.value);
  if (isBeforeCniSpec(called, version.value, minor)) return { ...common, verdict: 'fail', message: 'cni-spec', data };
  if (listed === undefined) {
    switch (standingOf(called, version.value)) {
      case 'malformed':
        return { ...common, verdict: 'fail', message: 'malformed', data };
      case 'gap':
        if (minor !== undefined && isRetired(minor, today))
          return { ...common, verdict: 'unverifiable', reason: retiredReason(called, version.value, minor) };
        return { ...common, verdict: 'fail', message: 'not-offered', data };
      case 'newer':
        return {
          ...common,
          verdict: 'unverifiable',
          reason: `${called} ${version.value} is not in the version table of ${asOf} and may be newer`,
        };
    }
  }
  if (minor === undefined) {
    if (clusterVersion?.kind === 'absent' && isOutlived(called, listed.clusterMinors, today)) {
      return {
        ...common,
        verdict: 'fail',
        severity: 'warning',
        message: 'outlived',
        data: { ...data, range: rangeOf(listed.clusterMinors) },
      };
    }
    const why =
      clusterVersion === undefined
        ? 'the cluster is not part of the input'
        : clusterVersion.kind === 'unknown'
          ? clusterVersion.reason
          : 'the cluster names none';
    return { ...common, verdict: 'unverifiable', reason: `the cluster's Kubernetes version is not known (${why})` };
  }
  // EKS offers a kube-proxy for its own minor and a few newer ones; how far it may be from the cluster's is for `kube-proxy-version-skew` to say.
  if (listed.clusterMinors.includes(minor) || called === 'kube-proxy') return { ...common, verdict: 'pass' };
  if (!isInTable(called, minor))
    return { ...common, ...unverifiable(`the version table of ${asOf} has nothing for Kubernetes ${minor}`) };
  if (isRetired(minor, today))
    return { ...common, verdict: 'unverifiable', reason: retiredReason(called, version.value, minor) };
  return {
    ...common,
    verdict: 'fail',
    message: 'incompatible',
    data: { ...data, range: rangeOf(listed.clusterMinors) },
  };
}

function unpinned(
  addon: Addon,
  called: string | undefined,
  minor: string | undefined,
  common: Pick<Judgement, 'resource' | 'source' | 'when'> & { resource: Addon },
  { today, hasNodes }: Setting,
): Judgement<MessageId> {
  const name = resourceName(addon);
  // EKS may refuse what the table has for a cluster that it no longer supports.
  const current = minor === undefined || isRetired(minor, today) ? undefined : minor;
  if (called === 'vpc-cni' && hasNodes) {
    const failure = { ...common, verdict: 'fail', severity: 'warning' } as const;
    const standard = current === undefined ? undefined : defaultAddonVersion(called, current);
    if (standard === undefined)
      return {
        ...failure,
        message: 'unpinned-cni-open',
        data: { name, ...exampleOfCni(minor, current, today) },
      };
    return {
      ...failure,
      message: 'unpinned-cni',
      data: { name, asOf: addonTableAsOf(), standard, suggestion: standard },
    };
  }
  const suggestion = called === undefined || current === undefined ? undefined : offeredFor(called, current);
  return {
    ...common,
    verdict: 'fail',
    severity: 'info',
    message: 'unpinned',
    data: {
      name,
      addon: called ?? 'its name is not known',
      // Code with a hole isn't shown.
      suggestion: suggestion ?? '<version>',
      example: `for a new cluster ${suggestion === undefined ? 'one of those that `aws eks describe-addon-versions` lists' : `for instance \`${suggestion}\``}, else `,
    },
  };
}
