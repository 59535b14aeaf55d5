// With custom networking every node needs an ENIConfig, found by name: usually that of its availability zone. One misspelt letter and
// the CNI of that zone's nodes never gets ready. Source: VPC CNI, pkg/eniconfig/eniconfig.go and pkg/ipamd/ipamd.go.
import { defineRule, type Judgement, type Repair } from '../../engine';
import { ADDON_ROLLS } from '../parts/repair-effects';
import {
  cniCasesOf,
  dataAt,
  entriesOf,
  eniConfigsOf,
  isDataMap,
  resourceName,
  unseenEniConfigsOf,
  type ClusterView,
  type CniCase,
  type EksModel,
  type EniConfig,
  type EniConfigDefect,
  type When,
} from '../../eks';
import { parseZone } from '../../eks/networking/zones';
import {
  customNetworkingCasesOf,
  groupsOf,
  labelOfGroup,
  withoutCustomNetworking,
  type CustomNetworkingCase,
} from './parts/custom-networking-cases';
import { areAllZonesCovered, judgeCoverage, uncovered, type CoverageMessage } from './parts/eni-config-coverage';
import { judgeName, judgeNameAlone, regionOf, type NameMessage } from './parts/eni-config-names';
import {
  chosenNames,
  DEFAULT_LABEL,
  judgeSelection,
  mayPoolsChoose,
  namingAnnotation,
  selectingLabel,
  type SelectionMessage,
} from './parts/eni-config-selection';
import { EXTERNAL_LABEL, nodeSubnetsOf } from './parts/node-zones';

type MessageId =
  | NameMessage
  | CoverageMessage
  | SelectionMessage
  | DefectMessage
  | 'idle'
  | 'no-eni-config'
  | 'not-created'
  | 'deprecated-label';

const ZONE_LABEL = 'topology.kubernetes.io/zone';
const OLD_ZONE_LABEL = 'failure-domain.beta.kubernetes.io/zone';

const EFFECT =
  'The nodes that it is for look for an ENIConfig named like their zone and find none, so they never become Ready, and neither does their aws-node';

const VALUES = `{"env":{"AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG":"true","ENI_CONFIG_LABEL_DEF":"${ZONE_LABEL}"},"eniConfig":{"create":true,"region":"<region>","subnets":{"<zone>":{"id":"<subnet>"}}}}`;

const eniConfigCode = {
  cloudformation: `ConfigurationValues: '${VALUES}'`,
  'aws-cdk': [
    'configurationValues: {',
    `  env: { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true', ENI_CONFIG_LABEL_DEF: '${ZONE_LABEL}' },`,
    '  // one entry per zone in which nodes start',
    "  eniConfig: { create: true, region: '<region>', subnets: { '<zone>': { id: podSubnet.subnetId } } },",
    '},',
  ].join('\n'),
  terraform: [
    'configuration_values = jsonencode({',
    `  env       = { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG = "true", ENI_CONFIG_LABEL_DEF = "${ZONE_LABEL}" }`,
    '  # one entry per zone in which nodes start',
    '  eniConfig = { create = true, region = "<region>", subnets = { "<zone>" = { id = aws_subnet.pods.id } } }',
    '})',
  ].join('\n'),
} as const;

const labelCode = {
  cloudformation: `ConfigurationValues: '{"env":{"AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG":"true","ENI_CONFIG_LABEL_DEF":"${ZONE_LABEL}"}}'`,
  'aws-cdk': `configurationValues: { env: { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true', ENI_CONFIG_LABEL_DEF: '${ZONE_LABEL}' } },`,
  terraform: `configuration_values = jsonencode({ env = { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG = "true", ENI_CONFIG_LABEL_DEF = "${ZONE_LABEL}" } })`,
} as const;

const RENAMED: readonly Repair[] = [
  { kind: 'renameData', field: 'configuration', at: 'eniConfig.subnets.{{name}}', to: '{{renamed}}' },
];

export const customNetworkingEniConfig = defineRule<MessageId>({
  id: 'custom-networking-eni-config',
  subject: 'vpc-cni',
  title: 'With custom networking, every node finds an ENIConfig',
  severity: 'error',
  since: '0.1.0',
  messages: {
    'other-region': {
      text: `ENIConfig {{name}} is named like a zone of {{found}}, but the cluster is in {{region}} ({{told}}){{hint}} ${EFFECT}.`,
      fix: { summary: '{{advice}}', safety: 'needs-decision', repairs: RENAMED, effect: ADDON_ROLLS },
    },
    spare: {
      text: 'ENIConfig {{name}} is named like a zone of {{found}}, but the cluster is in {{region}} ({{told}}){{hint}} All zones in which node groups of the input start have ENIConfigs of their own, so no node needs this one.',
      fix: { summary: 'Take it away. Or, if it is for nodes to come: {{advice}}', safety: 'needs-decision' },
    },
    'misspelt-region': {
      text: `ENIConfig {{name}} is named like a zone of {{found}}, which is no region: none has such a direction{{hint}} ${EFFECT}.`,
      fix: { summary: '{{advice}}', safety: 'needs-decision', repairs: RENAMED, effect: ADDON_ROLLS },
    },
    idle: {
      text: 'ENIConfig {{name}} is named like a zone of {{found}}, which is no region: none has such a direction{{hint}} No node ever finds it. The VPC CNI of the input has custom networking off; once it is on, the nodes that it is for never become Ready.',
      fix: { summary: '{{advice}}', safety: 'needs-decision' },
    },
    'unknown-region': {
      text: `ENIConfig {{name}} is named like a zone of {{found}}, a region that was not known when this version was made{{hint}} ${EFFECT}, if there is no such zone.`,
      fix: { summary: '{{advice}}', safety: 'needs-decision' },
    },
    'no-zone': {
      text: `ENIConfig {{name}} {{what}}, while ENI_CONFIG_LABEL_DEF makes nodes look for the name of their zone ({{label}}){{hint}} ${EFFECT}.`,
      fix: { summary: '{{advice}}', safety: 'needs-decision', repairs: RENAMED, effect: ADDON_ROLLS },
    },
    'free-name': {
      text: 'ENIConfig {{name}} is not named like a zone, while ENI_CONFIG_LABEL_DEF makes nodes look for the name of their zone ({{label}}). Only nodes that name it by an annotation or label of their own use it.',
      fix: {
        summary: '{{advice}} Or give the nodes that it is for the label `vpc.amazonaws.com/externalEniConfig`.',
        safety: 'needs-decision',
      },
    },
    'subnet-zone': {
      text: "ENIConfig {{name}} names a subnet in {{zone}}. Nodes in {{name}} can't attach an interface of another zone, so they never become Ready, and neither does their aws-node.",
      fix: { summary: 'Give it a subnet in `{{name}}`, or name it `{{zone}}`.', safety: 'needs-decision' },
    },
    'zone-without': {
      text: 'Nodes of {{groups}} start in {{zone}}, for which there is no ENIConfig (there are {{names}}). They look for the one named like their zone and find none, so they never become Ready, and neither does their aws-node.',
      fix: {
        summary: 'Add an ENIConfig named `{{zone}}` with a subnet in that zone, or take the zone away from the nodes.',
        code: eniConfigCode,
        safety: 'needs-decision',
      },
    },
    'api-version': {
      text: "ENIConfig {{name}} has {{found}}, where only crd.k8s.amazonaws.com/v1alpha1 has this kind: the manifest can't be applied, and the deployment fails.",
      fix: {
        summary: 'Write `apiVersion: crd.k8s.amazonaws.com/v1alpha1`.',
        code: { kubernetes: 'apiVersion: crd.k8s.amazonaws.com/v1alpha1' },
        safety: 'safe',
      },
    },
    kind: {
      text: 'The manifest of {{name}} has the kind "{{found}}", where crd.k8s.amazonaws.com/v1alpha1 has ENIConfig: it can\'t be applied, and the deployment fails.',
      fix: { summary: 'Write `kind: ENIConfig`.', code: { kubernetes: 'kind: ENIConfig' }, safety: 'safe' },
    },
    'no-subnet': {
      text: 'ENIConfig {{name}} has no spec.subnet. The API server refuses it; with the definition of a CNI before 1.18.3 it is stored, and nodes that take it never become Ready, and neither does their aws-node.',
      fix: { summary: 'Write the id of a subnet in the zone of its nodes to `spec.subnet`.', safety: 'needs-decision' },
    },
    'no-eni-config': {
      text: 'Custom networking is on, and the input holds no ENIConfig. If nothing else applies one for every node, nodes that start from now on never become Ready, and neither does their aws-node.',
      fix: {
        summary: 'Create one ENIConfig per zone, best in the configuration values.',
        code: eniConfigCode,
        safety: 'needs-decision',
      },
    },
    'not-created': {
      text: 'The configuration values list subnets for {{names}}, but with eniConfig.create false no ENIConfig is made of them, and the input holds no other. Custom networking is on, so nodes that start from now on never become Ready, and neither does their aws-node.',
      fix: {
        summary: 'Set `eniConfig.create` to `true`.',
        code: eniConfigCode,
        safety: 'needs-decision',
        repairs: [{ kind: 'setData', field: 'configuration', at: 'eniConfig.create', to: 'true' }],
        effect: ADDON_ROLLS,
      },
    },
    'nothing-selects': {
      text: '{{nodes}} the ENIConfig that their label or annotation k8s.amazonaws.com/eniConfig names, else the one called default. Nothing in the input gives them either (there are {{names}}). A node that finds no ENIConfig never becomes Ready, and neither does its aws-node.',
      fix: {
        summary: `Set \`ENI_CONFIG_LABEL_DEF\` to \`${ZONE_LABEL}\` and name the ENIConfigs like zones, or label the nodes.`,
        code: labelCode,
        safety: 'needs-decision',
      },
    },
    'deprecated-label': {
      text: `ENI_CONFIG_LABEL_DEF names ${OLD_ZONE_LABEL}, which Kubernetes has deprecated. Nodes that don't get this label any more look for an ENIConfig called default, and their aws-node never becomes Ready if there is none.`,
      fix: {
        summary: `Use \`${ZONE_LABEL}\`, which holds the same value.`,
        code: labelCode,
        safety: 'needs-decision',
        repairs: [
          {
            kind: 'setData',
            field: 'configuration',
            at: 'env.ENI_CONFIG_LABEL_DEF',
            to: '"topology.kubernetes.io/zone"',
          },
        ],
        effect: ADDON_ROLLS,
      },
    },
  },
  *check(model: EksModel) {
    for (const view of model.clusterViews) yield* judge(view, model);
  },
});

function judge(view: ClusterView, model: EksModel): readonly Judgement<MessageId>[] {
  const cases = customNetworkingCasesOf(view, model);
  const configs = eniConfigsOf(view);
  // Whatever the CNI is told, the API server has no such kind.
  const refused = configs.flatMap((config) => judgeDefect(config, config.when, ['api-version', 'kind']));
  if (cniCasesOf(view).length === 0) {
    const reason = "nothing in the input configures the VPC CNI, so it isn't known how nodes choose an ENIConfig";
    const open = configs.filter(({ defect }) => defect === undefined || defect.kind === 'no-subnet');
    return [
      ...refused,
      ...open.flatMap((config): readonly Judgement<MessageId>[] => {
        const wrong = judgeNameAlone(config);
        const { resource, source, when } = config;
        return wrong.length > 0 ? wrong : [{ resource, source, when, verdict: 'unverifiable', reason }];
      }),
    ];
  }
  const judgements = cases.flatMap((one): readonly Judgement<MessageId>[] => {
    // There is no custom networking in an IPv6 cluster, whatever the ENIConfigs are called: custom-networking-conflicts says so.
    if (one.family.kind === 'known' && one.family.value === 'ipv6') return [];
    const { resource, source } = one.cni;
    if (one.doubt !== undefined)
      return [{ resource, source, when: one.when, verdict: 'unverifiable', reason: one.doubt }];
    const present = configs.filter(({ when }) => when.and(one.when) !== undefined);
    const unseen = unseenEniConfigsOf(view).find(({ when }) => when.and(one.when) !== undefined)?.reason;
    const missing = uncovered(
      one.when,
      present.map(({ when }) => when),
    ).flatMap((when) => judgeNone(one, when, unseen));
    const empty = present.flatMap((config) => judgeDefect(config, one.when, ['no-subnet']));
    return present.length === 0 ? missing : [...missing, ...empty, ...judgeSome(view, one, present, unseen)];
  });
  return [...refused, ...judgements, ...judgeIdle(configs, withoutCustomNetworking(view, model))];
}

/** Objects with names of no zone are dead even while nobody looks for them; those that the values make belong to the same switch. */
function judgeIdle(configs: readonly EniConfig[], off: readonly CniCase[]): readonly Judgement<MessageId>[] {
  const objects = configs.filter(({ resource }) => resource.kind === 'manifest');
  return objects.flatMap((config) =>
    off.flatMap(({ when }) => {
      const both = config.when.and(when);
      const wrong = both === undefined ? [] : judgeNameAlone({ ...config, when: both });
      return wrong
        .filter(({ message }) => message === 'misspelt-region')
        .map((judgement) => ({ ...judgement, message: 'idle' as const, severity: 'warning' as const }));
    }),
  );
}

type DefectMessage = EniConfigDefect['kind'];

const DEFECT_PLACES: Readonly<Record<DefectMessage, readonly string[]>> = {
  'api-version': ['apiVersion'],
  kind: ['kind'],
  'no-subnet': ['spec'],
};

function judgeDefect(
  { resource, name, defect, placeIn, when }: EniConfig,
  given: When,
  kinds: readonly DefectMessage[],
): readonly Judgement<MessageId>[] {
  const both = when.and(given);
  if (defect === undefined || both === undefined || !kinds.includes(defect.kind)) return [];
  const data = {
    name: typeof name === 'string' && name !== '' ? name : resourceName(resource),
    found: defect.kind === 'no-subnet' ? '' : defect.found,
  };
  const source = placeIn(...DEFECT_PLACES[defect.kind]);
  return [{ resource, source, when: both, verdict: 'fail', message: defect.kind, data, about: data.name }];
}

/** Where no ENIConfig is there at all. */
function judgeNone(
  { cni }: CustomNetworkingCase,
  when: When,
  unseen: string | undefined,
): readonly Judgement<MessageId>[] {
  const common = { resource: cni.resource, source: cni.source, when };
  if (unseen !== undefined) return [{ ...common, verdict: 'unverifiable', reason: unseen }];
  const create = cni.settings.switch('eniConfig.create');
  const subnets = dataAt(cni.settings.data, 'eniConfig', 'subnets');
  // Values that create none because they list none don't fit the schema: that rule's matter.
  if (create.kind === 'on') return [];
  const names = isDataMap(subnets) ? entriesOf(subnets).map(([name]) => name) : [];
  if (create.kind === 'off' && create.isConfigured && names.length > 0)
    return [{ ...common, verdict: 'fail', message: 'not-created', data: { names: names.join(', ') } }];
  return [{ ...common, verdict: 'fail', severity: 'warning', message: 'no-eni-config' }];
}

function judgeSome(
  view: ClusterView,
  { cni, when }: CustomNetworkingCase,
  configs: readonly EniConfig[],
  unseen: string | undefined,
): readonly Judgement<MessageId>[] {
  const common = { resource: cni.resource, source: cni.source, when };
  const label = selectingLabel(view, cni);
  if (label.kind === 'unknown') return [{ ...common, verdict: 'unverifiable', reason: label.reason }];
  const unnamed = configs.some(({ name }) => typeof name !== 'string')
    ? 'the names of its ENIConfigs are not all known'
    : undefined;
  const doubt = unseen ?? unnamed;
  const { key } = label;
  if (key !== ZONE_LABEL && key !== OLD_ZONE_LABEL) return judgeSelection(view, cni, when, key, configs, doubt);
  const annotation = namingAnnotation(cni);
  if (annotation !== DEFAULT_LABEL)
    return [
      {
        ...common,
        verdict: 'unverifiable',
        reason:
          'ENI_CONFIG_ANNOTATION_DEF lets nodes name their ENIConfig by an annotation, which only the cluster shows',
      },
    ];
  const mayBeChosen =
    groupsOf(view, when).some((group) => labelOfGroup(group, EXTERNAL_LABEL).kind === 'maybe') || mayPoolsChoose(view);
  const noneIsZone =
    doubt === undefined &&
    !mayBeChosen &&
    configs.every(({ name }) => typeof name === 'string' && parseZone(name) === undefined);
  const context = {
    when,
    label: key,
    region: regionOf(view, cni, configs, nodeSubnetsOf(view)),
    noneIsZone,
    chosen: chosenNames(view, EXTERNAL_LABEL),
    areNodesServed: areAllZonesCovered(view, when, configs),
  };
  const names = configs.flatMap((config) => judgeName(config, context));
  const old: Judgement<MessageId>[] =
    key === OLD_ZONE_LABEL ? [{ ...common, verdict: 'fail', severity: 'warning', message: 'deprecated-label' }] : [];
  // A misspelt name is also why its zone has none: one defect, one finding.
  const areSound = names.every(
    ({ verdict, message }) => verdict !== 'fail' || message === 'free-name' || message === 'spare',
  );
  return [...old, ...names, ...(areSound ? judgeCoverage(view, cni, when, configs, doubt) : [])];
}
