import type { Source } from '../../lib/value';
import { withFillIns } from '../../lib/value/fill-ins';

const HERE: Source = { locate: () => ({ file: 'main.tf', line: 1, column: 1 }) };

it.each([
  ['{{ eks_worker.min }}', '${eks_worker.min}'],
  ['v{{major}}.{{minor}}', 'v${major}.${minor}'],
  ['$${{ inputs.size }}', '$${inputs.size}'],
  ['<%= type %>', '${type}'],
  ['@AMI_TYPE@', '${AMI_TYPE}'],
  ['demo-__CLUSTER_NAME__', 'demo-${CLUSTER_NAME}'],
])('%s is filled in first', (text, shown) => {
  expect(withFillIns(text, HERE)).toMatchObject({ kind: 'unknown', text: shown });
});

it.each([
  'm7i.large',
  '{{resolve:ssm:/aws/service/eks/image}}',
  'system:node:{{EC2PrivateDNSName}}',
  'arn:aws:sts::111122223333:assumed-role/admin/{{SessionName}}',
  '{"a":{"b":{}}}',
  'ops@example.com',
  'me@HOME@example.com',
  '__init__',
  '<name>',
  '#!/bin/sh\ndocker inspect --format "{{ .State }}"',
])('%j stands as it is', (text) => {
  expect(withFillIns(text, HERE)).toBeUndefined();
});

it('texts in which the same is filled in are equal', () => {
  const [one, other] = ['demo-{{ id }}', 'demo-{{ id }}'].map((text) => withFillIns(text, HERE));
  expect(one).toMatchObject({ symbol: (other as { readonly symbol?: string }).symbol });
  expect(withFillIns('demo-{{ id2 }}', HERE)).not.toMatchObject({
    symbol: (other as { readonly symbol?: string }).symbol,
  });
});
