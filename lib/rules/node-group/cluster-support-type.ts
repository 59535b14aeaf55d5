import { defineRule, resourceName, type Judgement } from '../../engine';
import type { Case, Cluster, ClusterView } from '../../eks';
import { nearestName } from '../../text/nearest';
import {
  inDays,
  nearDay,
  newestSupported,
  outpostDoubt,
  SOON,
  supportOf,
  type Support,
} from '../parts/version-support';
import { raisedVersion } from './parts/versions-beside';
import { judgeCases, undecided, unverifiable, type Outcome } from '../parts/case-judgements';

/*
 * What happens at the end of standard support is a choice between a higher price and an update that EKS makes; who makes none pays.
 * Source: EKS user guide, "View current cluster upgrade policy", "Manage EKS extended support"; EKS API, UpgradePolicyRequest.
 */

/** Clusters of `aws-eks` are custom resources, whose handler changes no upgrade policy. */
function cdkCode({ type, name }: Cluster, supportType: string): string {
  if (type.startsWith('Custom::')) {
    const text = name.kind === 'known' ? name.value : '<name of the cluster>';
    return [
      '# a cluster of aws-eks has no setting for it, one of aws-eks-v2 has; for this one, once:',
      `aws eks update-cluster-config --name ${text} --upgrade-policy supportType=${supportType}`,
    ].join('\n');
  }
  return [
    '// behind the cluster, which has no option for it:',
    `(cluster.node.defaultChild as eks.CfnCluster).upgradePolicy = { supportType: '${supportType}' };`,
  ].join('\n');
}

const STANDARD_CODE = {
  cloudformation: 'UpgradePolicy:\n  SupportType: {{standard}}',
  'aws-cdk': '{{inCdk}}',
  terraform: 'upgrade_policy {\n  support_type = "{{standard}}"\n}',
};

export const clusterSupportType = defineRule<Message>({
  id: 'cluster-support-type',
  subject: 'node-group',
  title: 'What happens at the end of standard support is decided, and in time',
  severity: 'error',
  since: '0.1.0',
  messages: {
    notChosen: {
      text: 'Cluster "{{cluster}}" chooses no support type, which means EXTENDED: {{then}}.',
      fix: {
        summary:
          'Choose `STANDARD`, with which EKS updates the cluster by itself on that day, or `EXTENDED`, which holds where nothing is chosen, to stay on the version and pay six times as much.{{kept}}',
        code: STANDARD_CODE,
        safety: 'needs-decision',
      },
    },
    tooLate: {
      text: 'Cluster "{{cluster}}" has the support type STANDARD and Kubernetes {{version}}, whose standard support ended on {{since}}: EKS updates the cluster by itself, and doesn\'t accept STANDARD for a version in extended support, which lasts until {{until}}.',
      fix: {
        summary:
          'Update the cluster to a version in standard support, or choose `EXTENDED`, with which the control plane costs 0.60 instead of 0.10 USD an hour.',
        safety: 'needs-decision',
      },
    },
    ending: {
      text: 'Cluster "{{cluster}}" has the support type STANDARD and Kubernetes {{version}}, whose standard support ended on {{since}}: EKS updates the cluster by itself, and doesn\'t accept STANDARD for a version in extended support, which lasts until {{until}}.',
      fix: {
        summary:
          'Update the cluster to a version in standard support; extended support ends too soon to be worth choosing.',
        safety: 'needs-decision',
      },
    },
    soon: {
      text: 'Cluster "{{cluster}}" has the support type STANDARD and Kubernetes {{version}}, whose standard support ends {{days}}, on {{until}}: from then on EKS updates the control plane by itself, while nodes and add-ons stay.',
      fix: {
        summary:
          'Update the cluster yourself before that day, or choose `EXTENDED`, with which the control plane then costs 0.60 instead of 0.10 USD an hour.',
        safety: 'needs-decision',
      },
    },
    noType: {
      text: 'Cluster "{{cluster}}" has the support type "{{type}}", which EKS refuses: the types are STANDARD and EXTENDED, in capitals.',
      fix: {
        summary:
          'Write `STANDARD`, or `EXTENDED`, with which the control plane costs six times as much once standard support has ended.',
        code: STANDARD_CODE,
        safety: 'needs-decision',
        repairs: [{ kind: 'set', field: 'supportType', to: '{{meant}}' }],
        effect: 'chooses the type that is nearly written',
      },
    },
  },
  *check(model, { today }) {
    for (const cluster of model.clusters) yield* judge(cluster, model.viewOf(cluster), today);
  },
});

type Message = 'notChosen' | 'tooLate' | 'ending' | 'soon' | 'noType';

function judge(cluster: Cluster, view: ClusterView, today: string): Iterable<Judgement<Message>> {
  const { version, supportType, onOutpost } = cluster;
  return judgeCases(cluster, { version, supportType, onOutpost }, (values) => judgeType(cluster, view, values, today));
}

function judgeType(
  cluster: Cluster,
  view: ClusterView,
  { version, supportType, onOutpost }: Case<Pick<Cluster, 'version' | 'supportType' | 'onOutpost'>>,
  today: string,
): readonly Outcome<Message>[] {
  if (outpostDoubt(onOutpost) !== undefined) return [];
  const fail = { verdict: 'fail', source: supportType.source } as const;
  const data = {
    cluster: resourceName(cluster),
    inCdk: cdkCode(cluster, 'STANDARD'),
    standard: 'STANDARD',
  };
  if (supportType.kind === 'unknown') return [undecided("its support type isn't known", supportType)];
  if (supportType.kind === 'known' && supportType.value === 'EXTENDED') return [{ verdict: 'pass' }];
  const support = version.kind === 'known' ? supportOf(version.value, today) : undefined;
  if (supportType.kind === 'absent') {
    // Too late, or no version at all.
    if (support?.kind === 'extended' || support?.kind === 'ended' || support?.kind === 'none') return [];
    // Hardly anybody chooses: it is worth a warning only where the day is near.
    const severity = support?.kind === 'standard' && support.days <= SOON ? 'warning' : 'info';
    // So near to the day either has a price, and what holds already is nobody's surprise.
    const kept = severity === 'warning' ? { inCdk: cdkCode(cluster, 'EXTENDED'), standard: 'EXTENDED' } : {};
    const why =
      severity === 'warning' && support?.kind === 'standard'
        ? ` With \`STANDARD\` that is ${inDays(support.days)}, so that writing down what holds already, \`EXTENDED\`, is the smaller change.`
        : '';
    return [
      {
        ...fail,
        message: 'notChosen',
        severity,
        data: { ...data, ...kept, kept: why, then: afterwards(support, severity === 'warning') },
      },
    ];
  }
  if (supportType.value !== 'STANDARD')
    return [
      {
        ...fail,
        message: 'noType',
        data: {
          ...data,
          type: supportType.value.slice(0, 40),
          meant: meantType(supportType.value, support) ?? '',
        },
      },
    ];
  if (support === undefined || version.kind !== 'known') {
    // What EKS chooses itself is a version in standard support.
    return [
      version.kind === 'absent'
        ? { verdict: 'pass' }
        : unverifiable(
            "it is updated by EKS when standard support ends, and its Kubernetes version isn't known",
            version.source,
          ),
    ];
  }
  const newest = newestSupported(today);
  const besides = newest === undefined ? [] : raisedVersion(view, cluster, newest);
  switch (support.kind) {
    case 'ended':
    case 'none':
      return [];
    case 'unknown':
      return [unverifiable(support.reason, version.source)];
    case 'extended':
      return [
        {
          ...fail,
          message: support.days <= SOON ? 'ending' : 'tooLate',
          besides,
          data: { ...data, version: version.value, since: support.since, until: nearDay(support.until, support.days) },
        },
      ];
    case 'standard':
      if (support.days > SOON) return [{ verdict: 'pass' }];
      return [
        {
          ...fail,
          message: 'soon',
          severity: 'warning',
          besides,
          data: { ...data, version: version.value, days: inDays(support.days), until: support.until },
        },
      ];
  }
}

/** What comes of no choice. @param isNear cluster-version-support tells the price, then */
function afterwards(support: Support | undefined, isNear: boolean): string {
  const until = support?.kind === 'standard' ? support.until : undefined;
  return isNear
    ? `when standard support of its Kubernetes version ends, on ${until ?? ''}, it stays on the version, in extended support, and EKS doesn't update it`
    : `when standard support of its Kubernetes version ends${until === undefined ? '' : `, on ${until}`}, its control plane costs 0.60 instead of 0.10 USD an hour`;
}

/** The type that is nearly written; nothing where EKS would refuse that, too. */
function meantType(written: string, support: Support | undefined): string | undefined {
  const meant = nearestName(written, ['STANDARD', 'EXTENDED']);
  return meant === 'STANDARD' && support?.kind === 'extended' ? undefined : meant;
}
