import { unverifiable, type Outcome } from '../parts/case-judgements';
import { NEW_GROUP, NEW_GROUPS_ONLY } from '../parts/eksctl-advice';
import { defineRule, resourceName, type Judgement } from '../../engine';
import { GROUP_REPLACED } from '../parts/repair-effects';
import { AL2023_BY_DEFAULT, amiType as amiTypeOf, parseMinor } from '../../knowledge';
import {
  type ClusterView,
  bootsByResource,
  casesOf,
  doubtOf,
  doubtOfDefault,
  kubernetesVersionOf,
  launchTemplateOf,
  type EksModel,
  type Known,
  type LaunchTemplate,
  type NodeGroup,
  type Plain,
  type When,
} from '../../eks';
import { judgeLaunches } from '../parts/launch-judgements';
import { clusterHasEnded, hasEnded, oldestSupported } from '../parts/version-support';
import { judgeImage, type ImageMessage } from './parts/amazon-linux-2-image';
import { movingTo, sharersOf } from './parts/moved-to-al2023';
import { structureBeside } from './parts/structure-beside';
import { suggestion } from './parts/suggested-ami-type';
import { judgeUnlisted, type UnlistedMessage } from './parts/unlisted-ami-type';

/*
 * Every AMI type exists for some Kubernetes versions only. The one that hurts is Amazon Linux 2: EKS refuses it from
 * 1.33 on and publishes no patches for it before that, while CDK still writes it by default.
 * Source: EKS user guide, AL2 deprecation; awslabs/amazon-eks-ami, CHANGELOG; aws-cdk-lib, feature flag defaultToAL2023.
 */

const CODE = {
  cloudformation: '{{beforeInTemplate}}AmiType: {{suggested}}{{afterInTemplate}}',
  'aws-cdk': '{{beforeInCdk}}{{suggestedInCdk}}{{afterInCdk}}',
  terraform: '{{beforeInTerraform}}ami_type = "{{suggested}}"{{afterInTerraform}}',
  eksctl: 'amiFamily: {{family}}',
} as const;

const FIX = {
  summary:
    'Use AMI type `{{suggested}}`. The change replaces the group{{replacing}}; user data that calls `bootstrap.sh` needs a NodeConfig instead.{{release}}{{moved}}{{volume}}',
  summaryIn: {
    eksctl: `Write \`amiFamily: {{family}}\`. ${NEW_GROUP} What \`overrideBootstrapCommand\` and \`preBootstrapCommands\` do with \`bootstrap.sh\` becomes a NodeConfig.`,
  },
  code: CODE,
  safety: 'needs-decision',
  repairs: [{ kind: 'set', field: 'amiType', to: '{{suggested}}' }],
  effect: GROUP_REPLACED,
  effectIn: NEW_GROUPS_ONLY,
} as const;

const IMAGE_FIX = {
  summary:
    'Take the Amazon Linux 2023 AMI, `{{replacement}}`, with a NodeConfig in the user data where `bootstrap.sh` is called; a managed group can also do without an AMI of its own, with an AMI type.{{volume}}',
  summaryIn: {
    eksctl: `Write \`amiFamily: AmazonLinux2023\`. ${NEW_GROUP} What \`overrideBootstrapCommand\` and \`preBootstrapCommands\` do with \`bootstrap.sh\` becomes a NodeConfig.`,
  },
  code: { cloudformation: '{{imageInTemplate}}', terraform: '{{imageInTerraform}}' },
  safety: 'needs-decision',
} as const;

export const amiTypeKubernetesVersion = defineRule<Message>({
  id: 'ami-type-kubernetes-version',
  subject: 'node-group',
  title: 'The AMI type exists, and is still patched, for the Kubernetes version of the node group',
  severity: 'error',
  since: '0.1.0',
  messages: {
    refused: {
      text: 'Node group "{{group}}" asks for AMI type {{amiType}} on Kubernetes {{version}}, but EKS has it up to {{max}} only: creating the group is refused with "AMI Type {{amiType}} is only supported for kubernetes versions {{max}} or earlier".',
      fix: FIX,
    },
    unpatched: {
      text: 'Node group "{{group}}" asks for AMI type {{amiType}} on {{version}}. AWS has published no such AMI since December 2025, so its nodes get no security patches, and EKS refuses the type from Kubernetes 1.33 on.',
      fix: FIX,
    },
    unpatchedDefault: {
      text: 'Node group "{{group}}" names no AMI type on Kubernetes {{version}}, where EKS takes Amazon Linux 2. AWS has published no such AMI since December 2025, so its nodes get no security patches.',
      fix: FIX,
    },
    ended: {
      text: 'Node group "{{group}}" {{asks}} on Kubernetes {{version}}, which EKS no longer supports. AWS publishes no such AMI for it any more, so its nodes get no security patches.',
      fix: {
        summary:
          'Replace the group by one with AMI type `{{suggested}}` on the version of its cluster, which has to be one that EKS supports.{{release}}',
        summaryIn: {
          eksctl:
            'Make a group with `amiFamily: {{family}}` in place of this one, on a version of the cluster that EKS supports.',
        },
        code: {
          cloudformation: '{{afterUpgradeInTemplate}}',
          'aws-cdk': '{{afterUpgradeInCdk}}',
          terraform: '{{afterUpgrade}}',
        },
        safety: 'needs-decision',
      },
    },
    imageEnded: {
      text: '{{where}} takes the Amazon Linux 2 AMI of EKS for Kubernetes {{version}} (`{{image}}`), which EKS no longer supports. AWS publishes no AMI for it any more, so its nodes get no security patches.',
      fix: {
        summary:
          'Take the Amazon Linux 2023 AMI of a version that EKS supports and the cluster has, `{{replacement}}` for {{current}}, with a NodeConfig in the user data where `bootstrap.sh` is called.{{volume}}',
        summaryIn: {
          eksctl:
            'Make a group with `amiFamily: AmazonLinux2023` in place of this one, on a version of the cluster that EKS supports.',
        },
        code: { cloudformation: '{{imageInTemplate}}', terraform: '{{imageInTerraform}}' },
        safety: 'needs-decision',
      },
    },
    imageMissing: {
      text: '{{where}} takes the Amazon Linux 2 AMI of EKS for Kubernetes {{version}} (`{{image}}`), and there is none: they end with Kubernetes 1.32. Looking it up fails, so no node starts.',
      fix: IMAGE_FIX,
    },
    imageUnpatched: {
      text: '{{where}} takes an Amazon Linux 2 AMI of EKS (`{{image}}`). AWS has published none since December 2025, so its nodes get no security patches, and there is none for Kubernetes 1.33 and later.',
      fix: IMAGE_FIX,
    },
    bootstrapMissing: {
      text: '{{where}} calls `/etc/eks/bootstrap.sh`, as nodes of Amazon Linux 2 do, on a cluster of Kubernetes {{version}}. EKS has no AMI of Amazon Linux 2 for 1.33 and later and has published none since December 2025: unless the AMI is one of Ubuntu or built by yourself, the nodes are older than the cluster and get no security patches.',
      fix: IMAGE_FIX,
    },
    tooEarly: {
      text: 'Node group "{{group}}" asks for AMI type {{amiType}} on Kubernetes {{version}}, but it exists from {{min}} on only: EKS has no image to start the nodes with.',
      fix: {
        summary: 'Upgrade the cluster to {{first}} or later first{{meanwhile}}.',
        summaryIn: { eksctl: 'Upgrade the cluster to {{first}} or later first{{meanwhileInConfig}}.' },
        safety: 'needs-decision',
      },
    },
    misspelled: {
      text: 'Node group "{{group}}" asks for AMI type `{{amiType}}`, which is no AMI type: {{why}}, and EKS refuses the group.',
      fix: {
        summary: 'Write `{{suggested}}`.',
        code: {
          cloudformation: 'AmiType: {{suggested}}',
          'aws-cdk': '{{suggestedInCdk}}',
          terraform: 'ami_type = "{{suggested}}"',
        },
        safety: 'safe',
        repairs: [{ kind: 'set', field: 'amiType', to: '{{suggested}}' }],
      },
    },
    image: {
      text: 'Node group "{{group}}" has the AMI id `{{amiType}}` where an AMI type belongs: it is no AMI type, and EKS refuses the group.',
      fix: {
        summary:
          'Put the AMI id into the launch template of the group, with user data that joins the cluster, and leave the AMI type out.',
        code: {
          terraform: 'image_id = "{{amiType}}" # of the aws_launch_template',
        },
        safety: 'needs-decision',
      },
    },
    noType: {
      text: 'Node group "{{group}}" asks for AMI type `{{amiType}}`, which is no AMI type: no type is called like that, and EKS refuses the group.',
      fix: {
        summary:
          'Use an AMI type that EKS has, such as `{{suggested}}`; an own AMI goes into the launch template of the group instead.',
        code: {
          cloudformation: 'AmiType: {{suggested}}',
          'aws-cdk': '{{suggestedInCdk}}',
          terraform: 'ami_type = "{{suggested}}"',
        },
        safety: 'needs-decision',
      },
    },
  },
  *check(model, { today }) {
    const oldest = minorOf(oldestSupported(today));
    for (const nodeGroup of model.nodeGroups) yield* judge(nodeGroup, model, { today, oldest });
    yield* judgeLaunches(bootsByResource(model), (boot) => judgeImage(boot, today));
  },
});

type Message = 'ended' | ImageMessage | 'refused' | 'unpatched' | 'unpatchedDefault' | 'tooEarly' | UnlistedMessage;

/** The day, and the assumption under which something is judged. */
interface Setting {
  readonly today: string;
  readonly when: When;
  /** Whether the cluster's own finding says that its version is no longer supported, of which this is a consequence. */
  readonly isTold: boolean;
  /** The cluster, with all of its groups. */
  readonly view: ClusterView;
}

interface Day {
  readonly today: string;
  /** The oldest version that EKS supports on it. */
  readonly oldest: number | undefined;
}

function* judge(nodeGroup: NodeGroup, model: EksModel, { today, oldest }: Day): Generator<Judgement<Message>> {
  const view = model.viewOf(nodeGroup);
  const version = kubernetesVersionOf(nodeGroup, view);
  for (const { when, values } of casesOf(nodeGroup, { amiType: nodeGroup.amiType, version })) {
    const { amiType } = values;
    const setting: Setting = { today, when, isTold: clusterHasEnded(view, when, today), view };
    if (amiType.kind === 'known' && isFitting(amiType.value, values.version, oldest)) {
      yield { resource: nodeGroup, verdict: 'pass', when };
      continue;
    }
    const common = { resource: nodeGroup, source: amiType.source, when };
    switch (amiType.kind) {
      case 'unknown':
        yield { ...common, verdict: 'unverifiable', reason: `its AMI type isn't known: ${amiType.reason}` };
        break;
      case 'absent':
        for (const inner of casesOf(nodeGroup, { template: launchTemplateOf(nodeGroup) }, when)) {
          for (const outcome of judgeDefault(nodeGroup, inner.values.template, values.version, {
            ...setting,
            when: inner.when,
          }))
            yield { ...common, ...outcome };
        }
        break;
      case 'known':
        if (amiType.value === 'CUSTOM') break;
        for (const outcome of judgeNamed(nodeGroup, amiType, values.version, setting)) yield { ...common, ...outcome };
    }
  }
}

/** Whether it is a type of the table, still patched, that exists for the version. */
function isFitting(name: string, version: Plain<string>, oldest: number | undefined): boolean {
  const type = amiTypeOf(name);
  if (type === undefined || type.family === 'AL2' || type.family === 'CUSTOM') return false;
  const minor = version.kind === 'known' ? parseMinor(version.value) : undefined;
  if (minor !== undefined && minor > (minorOf(type.maxVersion) ?? Infinity)) return false;
  // No cluster can be older than the oldest version that EKS still runs.
  return (minor ?? oldest ?? 0) >= (minorOf(type.minVersion) ?? 0);
}

function minorOf(version: string | undefined): number | undefined {
  return version === undefined ? undefined : parseMinor(version);
}

function judgeNamed(
  nodeGroup: NodeGroup,
  amiType: Known<string>,
  version: Plain<string>,
  { today, when, isTold, view }: Setting,
): readonly Outcome<Message>[] {
  const name = amiType.value;
  const type = amiTypeOf(name);
  if (type === undefined) return [judgeUnlisted(nodeGroup, name, when)];
  const minor = version.kind === 'known' ? parseMinor(version.value) : undefined;
  const suggested = suggestion(nodeGroup, type, when);
  const data = {
    group: resourceName(nodeGroup),
    amiType: name,
    ...suggested,
    ...movingTo(nodeGroup, suggested.suggested),
  };
  const more = {
    related:
      version.kind === 'known' ? [{ message: `Kubernetes version ${version.value}`, source: version.source }] : [],
    besides: [
      ...sharersOf(nodeGroup, amiType, view.nodeGroups),
      ...(type.family === 'AL2' ? structureBeside([nodeGroup], view) : []),
    ],
  };
  const doubt = doubtOf(amiType, when) ?? doubtOf(version, when);
  const max = minorOf(type.maxVersion);
  if (minor !== undefined && max !== undefined && minor > max) {
    if (doubt !== undefined) return [unverifiable(doubt.reason)];
    return [
      { verdict: 'fail', message: 'refused', data: { ...data, version: `1.${minor}`, max: `1.${max}` }, ...more },
    ];
  }
  if (type.family === 'AL2') {
    if (hasEnded(minor, today)) {
      return [
        {
          verdict: 'fail',
          message: 'ended',
          severity: isTold ? 'info' : 'warning',
          data: {
            ...data,
            ...afterUpgrade(data, minor),
            asks: `asks for AMI type ${name}`,
            version: `1.${String(minor)}`,
          },
          ...more,
        },
      ];
    }
    const called = minor === undefined ? "a Kubernetes version that isn't known here" : `Kubernetes 1.${minor}`;
    const unpatched = { ...data, version: called };
    return [{ verdict: 'fail', message: 'unpatched', severity: 'warning', data: unpatched, ...more }];
  }
  const min = minorOf(type.minVersion) ?? 0;
  if (minor === undefined) {
    return [unverifiable(`AMI type ${name} exists from Kubernetes 1.${min} on, and ${reasonOf(version)}`)];
  }
  if (doubt !== undefined) return [unverifiable(doubt.reason)];
  // The bound of Windows 2025 rests on a single source.
  const severity = type.family === 'WINDOWS' && name.includes('2025') ? { severity: 'warning' as const } : {};
  return [
    {
      verdict: 'fail',
      message: 'tooEarly',
      ...severity,
      data: { ...data, version: `1.${minor}`, min: `1.${min}`, ...insteadOf(minor, min, today) },
      related: more.related,
    },
  ];
}

/** What an AMI type needs that is too new: of a version that EKS still supports there may be another type, of others none. */
function insteadOf(
  minor: number,
  min: number,
  today: string,
): Record<'first' | 'meanwhile' | 'meanwhileInConfig', string> {
  const oldest = minorOf(oldestSupported(today)) ?? min;
  const other = (what: string): string => (hasEnded(minor, today) ? '' : `, or use ${what} that exists for 1.${minor}`);
  return {
    first: `1.${Math.max(min, oldest)}`,
    meanwhile: other('an AMI type'),
    meanwhileInConfig: other('an `amiFamily`'),
  };
}

function judgeDefault(
  nodeGroup: NodeGroup,
  template: Plain<LaunchTemplate>,
  version: Plain<string>,
  { today, when: launchWhen, isTold }: Setting,
): Outcome<Message>[] {
  const minor = version.kind === 'known' ? parseMinor(version.value) : undefined;
  // AL2023 is the default of every version that a new cluster can have.
  const isOld = minor !== undefined && minor < AL2023_BY_DEFAULT;
  const why = doubtOfDefault(version);
  const doubt =
    why === undefined
      ? undefined
      : ({
          verdict: 'unverifiable',
          reason: `it names no AMI type, and whether EKS takes Amazon Linux 2 isn't known: ${why}`,
        } as const);
  if (template.kind === 'unknown') {
    if (doubt !== undefined) return [{ ...doubt, when: launchWhen }];
    if (!isOld) return [{ verdict: 'pass', when: launchWhen }];
    return [
      {
        verdict: 'unverifiable',
        reason: `it names no AMI type, and whether it brings an AMI isn't known: ${template.reason}`,
        when: launchWhen,
      },
    ];
  }
  const image = template.kind === 'known' ? template.value.imageId : template;
  return casesOf(nodeGroup, { image }, launchWhen).flatMap(({ when, values }): Outcome<Message>[] => {
    if (values.image.kind !== 'absent') return [];
    if (doubt !== undefined) return [{ ...doubt, when }];
    if (!isOld || version.kind !== 'known') return [{ verdict: 'pass', when }];
    const suggested = suggestion(nodeGroup, undefined, when);
    const data = {
      group: resourceName(nodeGroup),
      version: version.value,
      ...suggested,
      ...movingTo(nodeGroup, suggested.suggested),
    };
    const related = [{ message: `Kubernetes version ${version.value}`, source: version.source }];
    if (hasEnded(minor, today)) {
      return [
        {
          verdict: 'fail',
          message: 'ended',
          severity: isTold ? 'info' : 'warning',
          data: {
            ...data,
            ...afterUpgrade(data, minor),
            asks: 'names no AMI type, so EKS takes Amazon Linux 2,',
          },
          related,
          when,
        },
      ];
    }
    return [{ verdict: 'fail', message: 'unpatchedDefault', severity: 'warning', data, related, when }];
  });
}

/** The code of {@link CODE}, for a group whose cluster has to be upgraded first; none where the type it should have doesn't exist for its version yet. */
function afterUpgrade(
  data: Readonly<Record<string, string>>,
  minor: number | undefined,
): Readonly<Record<'afterUpgrade' | 'afterUpgradeInTemplate' | 'afterUpgradeInCdk', string>> {
  const isKnown = (minor ?? 0) >= (minorOf(amiTypeOf(data['suggested'] ?? '')?.minVersion) ?? Infinity);
  const filled = (code: string): string =>
    isKnown ? code.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => data[name] ?? '') : '';
  return {
    afterUpgrade: filled(CODE.terraform),
    afterUpgradeInTemplate: filled(CODE.cloudformation),
    afterUpgradeInCdk: filled(CODE['aws-cdk']),
  };
}

function reasonOf(version: Plain<string>): string {
  if (version.kind === 'known') return `"${version.value}" is no Kubernetes version`;
  return version.kind === 'unknown' ? version.reason : 'no version is declared';
}
