import { defineRule } from '../../engine';
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
import { passing, type LaunchOutcome } from '../launch-judgements';
import { judgeMetadata, unseenOptions } from './metadata-judgements';

/*
 * EC2 turns instance tags into metadata paths when they are exposed in IMDS, so it refuses keys that make no path
 * segment. EKS and the Cluster Autoscaler put keys with slashes on nodes, and those launches fail.
 * Source: Amazon EC2 user guide, "View tags for your EC2 instances using instance metadata"; reports in terraform-aws-eks and eksctl.
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
      '  # no InstanceMetadataTags',
    ].join('\n'),
    'aws-cdk': [
      "new ec2.LaunchTemplate(this, 'NodeTemplate', {",
      '  httpTokens: ec2.LaunchTemplateHttpTokens.REQUIRED,',
      '  httpPutResponseHopLimit: 2,',
      '  instanceMetadataTags: false,',
      '});',
      "// or `new ManagedNodeGroup(…)` from 'eks-guardrails/aws-cdk', which leaves tags out of IMDS",
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

export const imdsInstanceTags = defineRule<Message>({
  id: 'imds-instance-tags',
  subject: 'imds',
  title: 'Nodes keep their tags out of instance metadata',
  severity: 'error',
  since: '0.1.0',
  symptom: [
    'No instance of the node group launches. The Auto Scaling activity says',
    "`'k8s.io/cluster-autoscaler/enabled' is not a valid tag key. Tag keys must match pattern …`, and the group stays in `CREATING` until it fails with `AsgInstanceLaunchFailures`.",
  ].join('\n'),
  why: [
    'With tags in metadata, EC2 serves each tag at `tags/instance/<key>` and therefore refuses keys with a slash, a space or other characters that make no path segment.',
    "EKS tags nodes with keys such as `kubernetes.io/cluster/<name>`, and autoscalers look for `k8s.io/cluster-autoscaler/…`. The EKS user guide says that IMDS tags don't work with EKS.",
  ].join('\n'),
  limits: [
    '- An account-level default that exposes tags has the same effect and is not visible.',
    '- Only tags that the launch template puts on instances are seen. With none of them harmful the rule still warns, because EKS adds its own.',
  ].join('\n'),
  ignore:
    'When the launch template has proved to start nodes: users of managed node groups report that EKS leaves the setting out of its own copy of the template, so that tags stay out of metadata and nodes launch.',
  sources: [
    {
      title: 'Amazon EC2 user guide: View tags for your EC2 instances using instance metadata',
      url: 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/work-with-tags-in-IMDS.html',
    },
    {
      title: 'terraform-aws-eks issue 1785: launches refused because of tag keys',
      url: 'https://github.com/terraform-aws-modules/terraform-aws-eks/issues/1785',
    },
    {
      title: 'terraform-aws-eks issue 1977: the setting is missing in the copy that EKS makes of the template',
      url: 'https://github.com/terraform-aws-modules/terraform-aws-eks/issues/1977',
    },
    {
      title: 'terraform-aws-eks issue 3046: tags in metadata of managed node groups',
      url: 'https://github.com/terraform-aws-modules/terraform-aws-eks/issues/3046',
    },
    {
      title: 'eksctl issue 7948: tags in metadata by account default',
      url: 'https://github.com/eksctl-io/eksctl/issues/7948',
    },
  ],
  messages: {
    refusedKey: {
      text: '{{where}} exposes instance tags in IMDS and tags instances with {{key}}. EC2 refuses such a key there ("is not a valid tag key"), so no node launches.',
      fix: { ...FIX, safety: 'safe', repairs: [{ kind: 'set', field: 'metadata.instanceTags', to: 'disabled' }] },
    },
    enabled: {
      text: '{{where}} exposes instance tags in IMDS{{copy}}. EC2 refuses tag keys with a slash then, which EKS and autoscalers put on nodes: a launch with such a key fails with "is not a valid tag key".',
      // Where nodes run all the same, the change replaces them.
      fix: { ...FIX, safety: 'needs-decision' },
    },
  },
  *check(model) {
    yield* judgeMetadata(model, judgeLaunch);
  },
});

type Message = 'refusedKey' | 'enabled';

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
    const refused = refusedKey(nodeGroup, template.value, when);
    if (refused === undefined)
      return [
        {
          ...place,
          verdict: 'fail',
          message: 'enabled',
          severity: 'warning',
          data: {
            copy:
              nodeGroup.kind === 'node-group'
                ? ', a setting that EKS is reported to leave out of its own copy of the template'
                : '',
          },
        },
      ];
    const related = [{ message: `tag key \`${refused.key}\``, source: refused.source }];
    return [
      {
        ...place,
        verdict: 'fail',
        message: 'refusedKey',
        when: refused.when,
        data: { key: `\`${refused.key}\`` },
        related,
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
