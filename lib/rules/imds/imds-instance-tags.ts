import { defineRule } from '../../engine';
import { NODES_ROLL } from '../parts/repair-effects';
import {
  alternativesOf,
  flatMapCases,
  textOf,
  under,
  whereExists,
  type AnyNodeGroup,
  type LaunchTemplate,
  type NodeBoot,
  type Plain,
  type Source,
  type When,
} from '../../eks';
import { fillHoles } from '../../text/holes';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { judgeMetadata, unseenOptions } from './parts/metadata-judgements';

/*
 * EC2 turns instance tags into metadata paths when they are exposed in IMDS, so it refuses keys that make no path
 * segment. Self-managed nodes carry such a key, that of their cluster, and their launches fail. Managed node groups start their nodes from a
 * copy that EKS makes of the template, and EKS leaves the setting out of it.
 * Source: Amazon EC2 user guide, "View tags for your EC2 instances using instance metadata"; EKS user guide, "Maintain nodes yourself with
 * self-managed nodes"; terraform-aws-eks, issues 1785 and 1977.
 */

/** What EC2 accepts as a key of a tag that is shown in metadata. */
const TAG_KEY = /^[0-9A-Za-z\-_+=,.@:]{1,255}$/;
const RESERVED_KEYS: readonly string[] = ['.', '..', '_index'];

const FIX = {
  summary: 'Remove the setting, or set it to `disabled`; read tags with `ec2:DescribeTags` where they are needed.',
  code: {
    cloudformation: [
      'MetadataOptions:',
      '  HttpTokens: required',
      '  HttpPutResponseHopLimit: 2',
      '  InstanceMetadataTags: disabled',
    ].join('\n'),
    'aws-cdk': [
      'httpTokens: ec2.LaunchTemplateHttpTokens.REQUIRED,',
      'httpPutResponseHopLimit: 2,',
      'instanceMetadataTags: false,',
    ].join('\n'),
    terraform: [
      'metadata_options {',
      '  http_tokens                 = "required"',
      '  http_put_response_hop_limit = 2',
      '  instance_metadata_tags      = "disabled"',
      '}',
    ].join('\n'),
  },
} as const;

const OFF = [{ kind: 'set', field: 'metadata.instanceTags', to: 'disabled' }] as const;

export const imdsInstanceTags = defineRule<Message>({
  id: 'imds-instance-tags',
  subject: 'imds',
  title: 'Nodes keep their tags out of instance metadata',
  severity: 'error',
  since: '0.1.0',
  messages: {
    refusedKey: {
      text: '{{where}} exposes instance tags in IMDS and tags instances with {{key}}. EC2 refuses such a key there ("is not a valid tag key"), so no node launches.',
      fix: { ...FIX, safety: 'safe' },
    },
    refusedLater: {
      text: '{{where}} exposes instance tags in IMDS and tags instances with {{key}}, a key that EC2 refuses there. Nodes launch only because EKS leaves the setting out of the copy of the template that managed groups use: it does nothing, and no process finds tags in IMDS. With the setting in effect no node would launch.',
      fix: { ...FIX, safety: 'needs-decision', repairs: OFF, effect: NODES_ROLL },
    },
    enabled: {
      text: '{{where}} exposes instance tags in IMDS. EC2 refuses tag keys with a slash there, and self-managed nodes carry one, `kubernetes.io/cluster/<name>`: where that tag is propagated to the instances, no node launches ("is not a valid tag key").',
      // Where nodes run all the same, the change replaces them.
      fix: { ...FIX, safety: 'needs-decision' },
    },
    leftOut: {
      text: '{{where}} exposes instance tags in IMDS, which has no effect: EKS leaves the setting out of the copy of the template that managed groups use, and processes that read tags from IMDS find none.',
      fix: { ...FIX, safety: 'needs-decision', repairs: OFF, effect: NODES_ROLL },
    },
  },
  *check(model) {
    yield* judgeMetadata(model, judgeLaunch);
  },
});

type Message = 'refusedKey' | 'refusedLater' | 'enabled' | 'leftOut';

function judgeLaunch(launch: NodeBoot): readonly LaunchOutcome<Message>[] {
  const { nodeGroup, template, when: launchWhen } = launch;
  const unseen = unseenOptions(launch);
  if (unseen !== undefined) return [unseen];
  if (template.kind !== 'known') return passing(launchWhen);
  const split = { tags: under(launchWhen, whereExists(nodeGroup, template.value.metadata.instanceTags)) };
  return flatMapCases(split, ({ tags }, when): readonly LaunchOutcome<Message>[] => {
    if (tags.kind === 'absent' || (tags.kind === 'known' && tags.value !== 'enabled')) return passing(when);
    const place = { when, source: tags.source };
    if (tags.kind === 'unknown')
      return [
        { ...place, verdict: 'unverifiable', reason: `whether it exposes tags in IMDS isn't known: ${tags.reason}` },
      ];
    const isManaged = nodeGroup.kind === 'node-group';
    const refused = refusedKey(nodeGroup, template.value, when);
    if (refused === undefined)
      return [
        isManaged
          ? { ...place, verdict: 'fail', message: 'leftOut', severity: 'info' }
          : { ...place, verdict: 'fail', message: 'enabled', severity: 'warning' },
      ];
    return [
      {
        ...place,
        verdict: 'fail',
        ...(isManaged ? { message: 'refusedLater', severity: 'warning' } : { message: 'refusedKey' }),
        when: refused.when,
        data: { key: `\`${refused.key}\`` },
        related: [{ message: `tag key \`${refused.key}\``, source: refused.source }],
      },
    ];
  });
}

/** The first instance tag whose key EC2 refuses in metadata. */
function refusedKey(
  nodeGroup: AnyNodeGroup,
  template: LaunchTemplate,
  when: When,
): { key: string; source: Source; when: When } | undefined {
  for (const tagKey of template.instanceTagKeys) {
    for (const alternative of alternativesOf(whereExists(nodeGroup, tagKey))) {
      const both = when.and(alternative.when);
      if (both !== undefined && isRefused(alternative.value)) {
        return { key: textOf(alternative.value) ?? '', source: alternative.value.source, when: both };
      }
    }
  }
  return undefined;
}

/** Of a key with unknown parts the known ones may already tell. */
function isRefused(key: Plain<string>): boolean {
  if (key.kind === 'known') return !TAG_KEY.test(key.value) || RESERVED_KEYS.includes(key.value);
  const knownParts = fillHoles(textOf(key) ?? '', '');
  return knownParts !== '' && !TAG_KEY.test(knownParts);
}
