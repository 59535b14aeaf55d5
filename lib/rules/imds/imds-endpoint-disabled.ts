import { defineRule } from '../../engine';
import { amiFamilyOf, documentOf, flatMapCases, under, whereExists, type NodeBoot } from '../../eks';
import { bootstrapsIn } from '../../eks/user-data/detect-bootstrap';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { NODES_ROLL } from '../parts/repair-effects';
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
    'httpEndpoint: true,',
    'httpTokens: ec2.LaunchTemplateHttpTokens.REQUIRED,',
    'httpPutResponseHopLimit: 2,',
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
  messages: {
    disabled: {
      text: '{{where}} disables the instance metadata endpoint. The bootstrap of the nodes reads its user data and identity there, so they never join the cluster.',
      fix: FIX,
    },
    disabledOwnImage: {
      text: "{{where}} disables the instance metadata endpoint and brings an AMI whose bootstrap can't be seen. Every EKS bootstrap reads user data and identity there; if this AMI does too, its nodes never join.",
      // It may not, and then the nodes that run would be replaced.
      fix: {
        summary: FIX.summary,
        code: CODE,
        safety: 'needs-decision',
        repairs: FIX.repairs,
        effect: NODES_ROLL,
      },
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
