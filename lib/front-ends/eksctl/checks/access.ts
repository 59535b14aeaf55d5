import type { ConfigProblem } from '../../../eks';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';
import { hasContent, isNoArn, refused, textOf } from './problem';

/*
 * What eksctl refuses of who may enter a cluster. Source: apis/eksctl.io/v1alpha5/access_entry.go, identitymapping.go, validation.go; accessentry/service.go.
 */

export function accessProblems({ root }: ConfigFile): readonly ConfigProblem[] {
  const access = root.child('accessConfig');
  const entries = access.child('accessEntries').items.filter(({ isWritten }) => isWritten);
  const problems = [...entries.flatMap(entryProblems), ...repeatedEntries(entries)];
  const own = access.child('bootstrapClusterCreatorAdminPermissions');
  if (own.raw === false && entries.length === 0 && root.child('nodeGroups').items.length > 0)
    problems.push(
      refused(
        own,
        'eksctl lets itself out of the cluster, and has to let self-managed nodes in',
        'Take `bootstrapClusterCreatorAdminPermissions: false` out, or add an access entry for whoever runs eksctl.',
      ),
    );
  return [
    ...problems,
    ...root.child('iamIdentityMappings').items.flatMap(mappingProblems),
    ...root.child('identityProviders').items.flatMap(providerProblems),
  ];
}

const TYPES_OF_NODES = ['EC2_LINUX', 'EC2_WINDOWS', 'FARGATE_LINUX', 'HYBRID_LINUX'];
const TYPES = ['STANDARD', 'EC2', ...TYPES_OF_NODES];

function entryProblems(entry: ConfigNode): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const principal = entry.child('principalARN');
  if (!hasContent(principal)) problems.push(refused(entry, 'an access entry names nobody', 'Set its `principalARN`.'));
  if (isNoArn(principal)) problems.push(noArn(principal));
  const type = textOf(entry.child('type'));
  if (type !== undefined && !TYPES.includes(type))
    problems.push(
      refused(entry.child('type'), `there is no type of access entries "${type}"`, `Write one of ${TYPES.join(', ')}.`),
    );
  if (type !== undefined && TYPES_OF_NODES.includes(type))
    for (const key of ['kubernetesGroups', 'kubernetesUsername', 'accessPolicies'])
      if (hasContent(entry.child(key)))
        problems.push(
          refused(
            entry.child(key),
            `an access entry of type ${type} is for nodes, and has \`${key}\``,
            'Take it out: EKS gives nodes what they need.',
          ),
        );
  return [...problems, ...entry.child('accessPolicies').items.flatMap(policyProblems)];
}

function policyProblems(policy: ConfigNode): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const arn = policy.child('policyARN');
  if (!hasContent(arn)) problems.push(refused(policy, 'an access policy has no ARN', 'Set its `policyARN`.'));
  else if (isNoArn(arn)) problems.push(noArn(arn));
  else if (textOf(arn)?.includes(':cluster-access-policy/') === false)
    problems.push(
      refused(
        arn,
        `"${arn.label}" is no access policy of EKS`,
        'Write one, such as `arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy`.',
      ),
    );
  const scope = policy.child('accessScope');
  const type = textOf(scope.child('type'));
  const namespaces = scope.child('namespaces');
  if (!hasContent(scope.child('type')) || (type !== undefined && !['namespace', 'cluster'].includes(type)))
    problems.push(
      refused(
        scope.child('type').isWritten ? scope.child('type') : policy,
        type === undefined ? 'an access policy has no scope' : `there is no scope "${type}" of an access policy`,
        'Set `accessScope.type` to `cluster` or `namespace`.',
      ),
    );
  if (type === 'cluster' && namespaces.items.length > 0)
    problems.push(
      refused(
        namespaces,
        'an access policy for the whole cluster names namespaces',
        'Take them out, or write `namespace`.',
      ),
    );
  if (type === 'namespace' && namespaces.items.length === 0 && (namespaces.isList || !namespaces.isWritten))
    problems.push(
      refused(scope, 'an access policy for namespaces names none', 'List them in `accessScope.namespaces`.'),
    );
  return problems;
}

function noArn(node: ConfigNode): ConfigProblem {
  return refused(node, `"${node.label}" is no ARN`, 'Write the whole ARN.');
}

function repeatedEntries(entries: readonly ConfigNode[]): readonly ConfigProblem[] {
  const seen = new Set<string>();
  return entries.flatMap((entry): readonly ConfigProblem[] => {
    const arn = textOf(entry.child('principalARN'));
    if (arn === undefined) return [];
    const isRepeated = seen.has(arn);
    seen.add(arn);
    return isRepeated
      ? [
          refused(
            entry.child('principalARN'),
            `there are two access entries for ${arn}`,
            'Put their policies into one.',
          ),
        ]
      : [];
  });
}

function mappingProblems(mapping: ConfigNode): readonly ConfigProblem[] {
  const has = (key: string): boolean => hasContent(mapping.child(key));
  const problems: ConfigProblem[] = [];
  const title = 'an item of `iamIdentityMappings`';
  if (has('serviceName') && ['arn', 'username', 'groups'].every(has))
    problems.push(
      refused(
        mapping,
        `${title} is for a service, and for somebody else`,
        'Keep `serviceName` and `namespace`, or the rest.',
      ),
    );
  if (has('serviceName') !== has('namespace'))
    problems.push(
      refused(mapping, `${title} has only one of \`serviceName\` and \`namespace\``, 'Set both, or neither.'),
    );
  const beside = ['arn', 'username', 'groups', 'serviceName', 'namespace'].filter(has);
  if (has('account') && beside.length > 0)
    problems.push(
      refused(
        mapping.child('account'),
        `${title} lets in a whole account, and has \`${beside.join('`, `')}\``,
        'Keep `account` alone, and put the rest into an item of its own.',
      ),
    );
  return problems;
}

function providerProblems(provider: ConfigNode): readonly ConfigProblem[] {
  const type = provider.child('type');
  if (type.text.kind === 'unknown' || !provider.isWritten) return [];
  if (type.raw !== 'oidc')
    return [
      refused(
        type.isWritten ? type : provider,
        'the type of an identity provider is `oidc`, and there is no other',
        'Set `type: oidc`.',
      ),
    ];
  return ['name', 'clientID', 'issuerURL']
    .filter((key) => !hasContent(provider.child(key)))
    .map((key) => refused(provider, `an identity provider has no \`${key}\``, `Set \`${key}\`.`));
}
