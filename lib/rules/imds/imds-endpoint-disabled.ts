import { defineRule } from '../../engine';
import { amiFamilyOf, documentOf, flatMapCases, under, whereExists, type NodeBoot } from '../../eks';
import { bootstrapsIn } from '../../eks/user-data/detect-bootstrap';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { judgeMetadata, unseenOptions } from './parts/metadata-judgements';

/*
 * Switching the metadata endpoint off looks like hardening and passes the scanners that ask for IMDSv2, but every
 * EKS bootstrap runs on the node itself and reads user data and identity from that endpoint.
 * Source: awslabs/amazon-eks-ami, nodeadm's user-data provider; Amazon EKS best practices.
 */

const CODE = {
  cloudformation: [
    'MetadataOptions:',
    '  HttpEndpoint: enabled',
    '  HttpTokens: required',
    '  HttpPutResponseHopLimit: 2',
  ].join('\n'),
  'aws-cdk': [
    "new ec2.LaunchTemplate(this, 'NodeTemplate', {",
    '  httpEndpoint: true,',
    '  httpTokens: ec2.LaunchTemplateHttpTokens.REQUIRED,',
    '  httpPutResponseHopLimit: 2,',
    '});',
    "// or `new ManagedNodeGroup(…)` from 'eks-guardrails/aws-cdk'",
  ].join('\n'),
  terraform: [
    'metadata_options {',
    '  http_endpoint               = "enabled"',
    '  http_tokens                 = "required"',
    '  http_put_response_hop_limit = 2',
    '}',
  ].join('\n'),
};

const FIX = {
  summary:
    'Leave the endpoint enabled and require tokens; a hop limit of 1 keeps pods out, if that is the aim, and 2 lets them in.',
  code: CODE,
  safety: 'safe',
  // No node runs with a template that keeps them all from joining.
  repairs: [
    { kind: 'set', field: 'metadata.httpEndpoint', to: 'enabled' },
    { kind: 'set', field: 'metadata.httpTokens', to: 'required', unlessSet: true },
    { kind: 'set', field: 'metadata.hopLimit', to: 2, unlessSet: true },
  ],
} as const;

export const imdsEndpointDisabled = defineRule<Message>({
  id: 'imds-endpoint-disabled',
  subject: 'imds',
  title: 'Nodes keep the instance metadata endpoint, which their bootstrap reads',
  severity: 'error',
  since: '0.1.0',
  symptom: [
    'Instances start and pass their EC2 status checks, but no node ever appears in the cluster. After about 15 minutes the node group fails with',
    "`NodeCreationFailure: Instances failed to join the kubernetes cluster`, and the instances' console output shows the bootstrap waiting for 169.254.169.254.",
  ].join('\n'),
  why: [
    "nodeadm (AL2023), `bootstrap.sh` (AL2), Bottlerocket's settings generator and the Windows bootstrap all ask the instance metadata service for user data, instance id, region and addresses.",
    'They run on the node, so neither required tokens nor a hop limit of 1 is in their way; a disabled endpoint is.',
  ].join('\n'),
  limits: [
    '- An endpoint that is disabled by an account default or on the running instance is not visible.',
    '- An own AMI without a recognisable bootstrap may do without IMDS; then the rule only warns.',
  ].join('\n'),
  ignore:
    "For an own AMI that joins the cluster without instance metadata. Checkov's CKV_AWS_79 also accepts a disabled endpoint: require tokens instead, which satisfies both.",
  sources: [
    {
      title: 'amazon-eks-ami: nodeadm reads its configuration from IMDS',
      url: 'https://github.com/awslabs/amazon-eks-ami/blob/main/nodeadm/internal/configprovider/userdata.go',
    },
    {
      title: 'Amazon EKS best practices: Identity and access management',
      url: 'https://docs.aws.amazon.com/eks/latest/best-practices/identity-and-access-management.html',
    },
    {
      title: 'Amazon EC2 user guide: Configure the instance metadata service options',
      url: 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-options.html',
    },
  ],
  messages: {
    disabled: {
      text: '{{where}} disables the instance metadata endpoint. The bootstrap of the nodes reads its user data and identity there, so they never join the cluster.',
      fix: FIX,
    },
    disabledOwnImage: {
      text: "{{where}} disables the instance metadata endpoint and brings an AMI whose bootstrap can't be seen. Every EKS bootstrap reads user data and identity there; if this AMI does too, its nodes never join.",
      // It may not, and then the nodes that run would be replaced.
      fix: { summary: FIX.summary, code: CODE, safety: 'needs-decision' },
    },
  },
  *check(model) {
    yield* judgeMetadata(model, judgeLaunch);
  },
});

type Message = 'disabled' | 'disabledOwnImage';

function judgeLaunch(launch: NodeBoot): readonly LaunchOutcome<Message>[] {
  const { nodeGroup, view, template, when: launchWhen } = launch;
  const unseen = unseenOptions(launch);
  if (unseen !== undefined) return [unseen];
  if (template.kind !== 'known') return passing(launchWhen);
  const { metadata, imageId, userData } = template.value;
  const { httpEndpoint } = metadata;
  // Nearly every template: then nothing else needs to be read.
  if (httpEndpoint.kind === 'absent') return passing(launchWhen);
  const split = {
    endpoint: under(launchWhen, whereExists(nodeGroup, httpEndpoint)),
    image: whereExists(nodeGroup, imageId),
    userData: whereExists(nodeGroup, userData),
    family: amiFamilyOf(nodeGroup, view),
  };
  return flatMapCases(split, (values, when): readonly LaunchOutcome<Message>[] => {
    const { endpoint, image, family } = values;
    if (endpoint.kind === 'absent' || (endpoint.kind === 'known' && endpoint.value !== 'disabled'))
      return passing(when);
    const place = { when, source: endpoint.source };
    if (endpoint.kind === 'unknown')
      return [
        {
          ...place,
          verdict: 'unverifiable',
          reason: `whether it disables the metadata endpoint isn't known: ${endpoint.reason}`,
        },
      ];
    const bootstraps = values.userData.kind === 'known' && bootstrapsIn(documentOf(values.userData.value)).size > 0;
    if (image.kind === 'absent' || family.kind === 'known' || bootstraps)
      return [{ ...place, verdict: 'fail', message: 'disabled' }];
    return [{ ...place, verdict: 'fail', message: 'disabledOwnImage', severity: 'warning' }];
  });
}
