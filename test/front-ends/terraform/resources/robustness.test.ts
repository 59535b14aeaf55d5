import fc from 'fast-check';
import { runs } from '../../../share';
import type { TerraformInstance } from '../../../../lib/terraform/instance';
import { readInstances } from '../../../../lib/front-ends/terraform/resources';
import {
  assumption,
  either,
  findingsIn,
  instance,
  ref,
  text,
  unknown,
  type Written,
} from '../../../terraform/instances';

/** Attributes that decide what is read, and what each resource has of its own. */
const KEYS = [
  'name',
  'id',
  'arn',
  'cluster_name',
  'node_role_arn',
  'role_arn',
  'launch_template',
  'version',
  'image_id',
  'user_data',
  'user_data_base64',
  'metadata_options',
  'http_tokens',
  'http_put_response_hop_limit',
  'vpc_security_group_ids',
  'ingress',
  'egress',
  'self',
  'cidr_blocks',
  'security_group_id',
  'type',
  'assume_role_policy',
  'inline_policy',
  'managed_policy_arns',
  'policy',
  'policy_arn',
  'role',
  'roles',
  'statement',
  'actions',
  'principals',
  'identifiers',
  'condition',
  'source_policy_documents',
  'override_policy_documents',
  'configuration_values',
  'manifest',
  'yaml_body',
  'metadata',
  'data',
  'values',
  'set',
  'value',
  'tag',
  'key',
  'labels',
  'taint',
  'subnet_ids',
  'instance_types',
  'ami_type',
  'filter',
  'part',
  'content',
  'gzip',
  'launch_configuration',
  'mixed_instances_policy',
  'override',
  'tag_specifications',
  'tags',
  'block_device_mappings',
] as const;

const TYPES = [
  'aws_eks_cluster',
  'aws_eks_node_group',
  'aws_launch_template',
  'aws_launch_configuration',
  'aws_autoscaling_group',
  'aws_autoscaling_group_tag',
  'aws_eks_addon',
  'aws_eks_access_entry',
  'aws_eks_pod_identity_association',
  'aws_eks_fargate_profile',
  'aws_iam_role',
  'aws_iam_role_policy',
  'aws_iam_role_policy_attachment',
  'aws_iam_policy_attachment',
  'aws_iam_policy',
  'aws_iam_openid_connect_provider',
  'aws_security_group',
  'aws_security_group_rule',
  'aws_vpc_security_group_ingress_rule',
  'aws_subnet',
  'kubernetes_manifest',
  'kubectl_manifest',
  'kubernetes_config_map',
  'kubernetes_env',
  'helm_release',
] as const;

const DATA_TYPES = [
  'aws_iam_policy_document',
  'aws_ssm_parameter',
  'aws_ami',
  'aws_eks_cluster',
  'aws_iam_policy',
  'cloudinit_config',
] as const;

const TEXTS = [
  '',
  'main',
  '1.33',
  'AL2023_x86_64_STANDARD',
  'm5.large',
  'vpc-cni',
  'kubernetes.io/cluster/main',
  'owned',
  'sg-0a1',
  'arn:aws:iam::111122223333:role/it',
  'a.b[0]',
  'name',
  '{"Statement":[{"Effect":"Allow","Action":"*"}]}',
  '{"env":',
  'kind: ConfigMap',
  '__proto__',
  '#!/bin/bash',
];

/** Where references lead is chosen by number once all instances are there. */
class Reference {
  constructor(
    readonly index: number,
    readonly attribute: string,
  ) {}
}

type Draft =
  | string
  | number
  | boolean
  | null
  | Reference
  | { readonly unknown: string }
  | { readonly mixed: Reference }
  | { readonly yes: Draft; readonly no: Draft }
  | readonly Draft[]
  | ReadonlyMap<string, Draft>;

const reference = fc
  .tuple(
    fc.nat(20),
    fc.constantFrom('id', 'arn', 'name', 'json', 'value', 'rendered', 'latest_version', 'identity[0].oidc[0].issuer'),
  )
  .map(([index, attribute]) => new Reference(index, attribute));

const { attributes } = fc.letrec<{ draft: Draft; attributes: ReadonlyMap<string, Draft> }>((tie) => ({
  attributes: fc
    .array(fc.tuple(fc.constantFrom(...KEYS), tie('draft')), { maxLength: 6 })
    .map((entries) => new Map(entries)),
  draft: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(...TEXTS),
    fc.constantFrom(0, 2, 50, true, false, null),
    reference,
    fc.constant({ unknown: 'var.x' }),
    reference.map((mixed) => ({ mixed })),
    fc.array(tie('draft'), { maxLength: 3 }),
    tie('attributes'),
    fc.tuple(fc.constantFrom(...TEXTS), tie('attributes')).map(([yes, no]) => ({ yes, no })),
  ),
}));

const drafts = fc.array(
  fc.tuple(
    fc.oneof(fc.constantFrom(...TYPES), fc.constantFrom(...DATA_TYPES.map((type) => `data.${type}`))),
    attributes,
    fc.boolean(),
  ),
  { minLength: 1, maxLength: 12 },
);

/** Instances whose references may lead anywhere, in circles too. */
function build(list: readonly (readonly [string, ReadonlyMap<string, Draft>, boolean])[]): TerraformInstance[] {
  const instances: TerraformInstance[] = [];
  const written = (draft: Draft): Written => {
    if (draft === null || typeof draft !== 'object') return draft;
    if (draft instanceof Reference) return leadTo(draft);
    if (draft instanceof Map)
      return Object.fromEntries([...(draft as ReadonlyMap<string, Draft>)].map(([key, item]) => [key, written(item)]));
    if (Array.isArray(draft)) return (draft as readonly Draft[]).map(written);
    if ('unknown' in draft) return unknown(draft.unknown);
    if ('mixed' in draft) return text('arn:', leadTo(draft.mixed), '/x');
    if ('yes' in draft) return either('prod', written(draft.yes), written(draft.no));
    return null;
  };
  const leadTo = ({ index, attribute }: Reference) => {
    const target = instances[index % instances.length];
    return target === undefined ? unknown('nothing') : ref(target, attribute);
  };
  for (const [index, [type, , isConditional]] of list.entries()) {
    instances.push({
      ...instance(`${type}.it${index}`, {}),
      ...(isConditional ? { exists: assumption('prod', index % 2 === 0) } : {}),
    });
  }
  for (const [index, [, draft]] of list.entries()) {
    const value = instance('x.y', written(draft)).attributes;
    Object.assign(instances[index] ?? {}, { attributes: value });
  }
  return instances;
}

describe('any instances', () => {
  it('are read, and judged, without a throw', () => {
    fc.assert(
      fc.property(drafts, (list) => {
        const resources = readInstances(build(list));
        for (const resource of resources) readAll(resource);
        findingsIn(resources);
      }),
      { numRuns: runs(150) },
    );
  });

  it.each<[string, Written]>([
    ['unknown', unknown('all')],
    ['a text', 'text'],
    ['a list', [1, 2]],
    ['nothing', null],
  ])('of which the attributes are %s', (_, all) => {
    const instances = [...TYPES, ...DATA_TYPES.map((type) => `data.${type}`)].map((type) =>
      instance(`${type}.it`, all),
    );
    const resources = readInstances(instances);
    expect(resources.length).toBeGreaterThan(15);
    for (const resource of resources) readAll(resource);
    expect(findingsIn(resources)).toBeDefined();
  });
});

/** Asks for everything that a resource can tell. */
function readAll(resource: object): void {
  for (
    let prototype: unknown = resource;
    typeof prototype === 'object' && prototype !== null && prototype !== Object.prototype;
    prototype = Object.getPrototypeOf(prototype)
  ) {
    for (const key of Object.getOwnPropertyNames(prototype)) Reflect.get(resource, key);
  }
}
