import { parseDocument } from '../../lib/languages';
import { isMap, type JsonMap } from '../rules/terraform/untranslatable';
import type { Random } from './random';

/** A template as an object, with functions in their long form; undefined if it is none. */
export function parsed(template: string): JsonMap | undefined {
  const { root, diagnostics } = parseDocument(template, 'template.yaml');
  // Numbers and days that lose what is written: 1.30 is no JSON.
  if (
    diagnostics.length > 0 ||
    !isMap(root) ||
    !isMap(root['Resources']) ||
    /:\s+\d+\.\d*0\b|\b\d{4}-\d\d-\d\d\b/.test(template)
  )
    return undefined;
  return root;
}

/** Keys of maps in another order, and items of lists whose order says nothing. @param unordered the properties that are such lists */
export function shuffled(value: unknown, random: Random, unordered = UNORDERED, property = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((one: unknown) => shuffled(one, random, unordered));
    return unordered.has(property) ? random.shuffled(items) : items;
  }
  if (!isMap(value)) return value;
  return Object.fromEntries(
    random.shuffled(Object.entries(value)).map(([key, one]) => [key, shuffled(one, random, unordered, key)]),
  );
}

/** Lists that are sets, by the properties of resources, of policies, and of the arguments of Terraform. */
const UNORDERED: ReadonlySet<string> = new Set([
  ...[
    'AllowedValues',
    'AvailabilityZones',
    'BlockDeviceMappings',
    'DependsOn',
    'Groups',
    'ManagedPolicyArns',
    'PodIdentityAssociations',
    'Policies',
    'SecurityGroupIds',
    'Selectors',
    'Subnets',
    'SubnetIds',
    'Tags',
    'TagSpecifications',
    'Taints',
    'VPCZoneIdentifier',
  ],
  ...['Statement', 'Action', 'Resource', 'Federated', 'AWS', 'Service'],
  ...[
    'managed_policy_arns',
    'security_group_ids',
    'subnet_ids',
    'tag_specifications',
    'taint',
    'vpc_security_group_ids',
  ],
]);

/** Other logical ids. @returns the old ids by the new ones too */
export function renamed(
  root: JsonMap,
  random: Random,
): { readonly root: JsonMap; readonly ids: ReadonlyMap<string, string> } {
  const resources = root['Resources'] as JsonMap;
  // In the same order as before: where one of several speaks for all, it is the first by name.
  const names = new Map(
    Object.keys(resources)
      .toSorted()
      .map((id, index) => [id, `R${100 + index}x${random.below(1000)}`]),
  );
  const rename = (id: unknown): unknown => (typeof id === 'string' ? (names.get(id) ?? id) : id);
  const inText = (text: string): string =>
    text.replaceAll(/\$\{([A-Za-z0-9]+)(?=[.}])/g, (all, id: string) =>
      names.has(id) ? `\${${names.get(id) ?? ''}` : all,
    );
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isMap(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]): [string, unknown] => {
        if (key === 'Ref') return [key, rename(one)];
        if (key === 'DependsOn') return [key, Array.isArray(one) ? one.map(rename) : rename(one)];
        if (key === 'Fn::GetAtt')
          return [
            key,
            typeof one === 'string'
              ? one.replace(/^[^.]+/, (id) => names.get(id) ?? id)
              : Array.isArray(one)
                ? [rename(one[0]), ...(one.slice(1) as unknown[])]
                : one,
          ];
        if (key === 'Fn::Sub')
          return [
            key,
            typeof one === 'string'
              ? inText(one)
              : Array.isArray(one)
                ? [typeof one[0] === 'string' ? inText(one[0]) : one[0], walk(one[1])]
                : one,
          ];
        return [key, walk(one)];
      }),
    );
  };
  const all = walk(root) as JsonMap;
  const renamedResources = Object.fromEntries(
    Object.entries(all['Resources'] as JsonMap).map(([id, body]) => [String(rename(id)), body]),
  );
  return {
    root: { ...all, Resources: renamedResources },
    ids: new Map([...names].map(([before, now]) => [now, before])),
  };
}

/** Resources that have nothing to do with a cluster, before and behind the others. */
export function withUnrelated(root: JsonMap, random: Random): JsonMap {
  const others = random.shuffled(UNRELATED);
  const at = random.below(others.length + 1);
  return {
    ...root,
    Resources: {
      ...Object.fromEntries(others.slice(0, at)),
      ...(root['Resources'] as JsonMap),
      ...Object.fromEntries(others.slice(at)),
    },
  };
}

const UNRELATED: readonly (readonly [string, JsonMap])[] = [
  ['UnrelatedBucket', { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'unrelated' } }],
  ['UnrelatedQueue', { Type: 'AWS::SQS::Queue' }],
  [
    'UnrelatedRole',
    {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
        },
      },
    },
  ],
  [
    'UnrelatedTemplate',
    {
      Type: 'AWS::EC2::LaunchTemplate',
      Properties: {
        LaunchTemplateData: {
          InstanceType: 't3.micro',
          MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 },
        },
      },
    },
  ],
  ['UnrelatedGroup', { Type: 'AWS::EC2::SecurityGroup', Properties: { GroupDescription: 'unrelated' } }],
];

/**
 * A template in two that are linked by exports: some resources go to the second. Undefined where conditions, parameters or mappings would have
 * to be in both, or where a reference can't be said across stacks.
 */
export function split(root: JsonMap, random: Random): readonly [JsonMap, JsonMap] | undefined {
  const resources = Object.entries(root['Resources'] as JsonMap);
  if (
    resources.length < 2 ||
    Object.keys(root).some((key) => !['Resources', 'AWSTemplateFormatVersion', 'Description'].includes(key))
  )
    return undefined;
  const text = JSON.stringify(resources);
  if (/"Fn::(?:Sub|Transform|ForEach)|"DependsOn"/.test(text)) return undefined;
  const order = random.shuffled(resources);
  const cut = 1 + random.below(order.length - 1);
  const parts = [order.slice(0, cut), order.slice(cut)];
  const outputs: [Record<string, JsonMap>, Record<string, JsonMap>] = [{}, {}];
  const templates = parts.map((part, index) => {
    const own = new Set(part.map(([id]) => id));
    const others = new Set(resources.map(([id]) => id).filter((id) => !own.has(id)));
    const exported = (value: JsonMap, name: string): JsonMap => {
      (index === 0 ? outputs[1] : outputs[0])[name.replaceAll(/[^A-Za-z0-9]/g, '')] = {
        Value: value,
        Export: { Name: name },
      };
      return { 'Fn::ImportValue': name };
    };
    const walk = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(walk);
      if (!isMap(value)) return value;
      const { Ref: ref, 'Fn::GetAtt': attribute } = value;
      if (typeof ref === 'string' && others.has(ref)) return exported({ Ref: ref }, `export-${ref}`);
      const [id, name] =
        typeof attribute === 'string'
          ? attribute.split(/\.(.*)/)
          : Array.isArray(attribute)
            ? attribute.map(String)
            : [];
      if (id !== undefined && name !== undefined && others.has(id))
        return exported({ 'Fn::GetAtt': [id, name] }, `export-${id}-${name}`);
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one)]));
    };
    return Object.fromEntries(part.map(([id, body]) => [id, walk(body)]));
  });
  const whole = (index: 0 | 1): JsonMap => ({
    Resources: templates[index] ?? {},
    ...(Object.keys(outputs[index]).length === 0 ? {} : { Outputs: outputs[index] }),
  });
  // Without a reference between them, nothing says that the stacks are of one cluster.
  return Object.keys({ ...outputs[0], ...outputs[1] }).length === 0 ? undefined : [whole(0), whole(1)];
}
