import { textOf, type Role, type Source } from '../../../eks';
import { awsManagedPolicyName } from '../../../knowledge';
import { writtenCode } from '../../parts/written-code';

/** The list of the managed policies of a role in code, for each kind of code; empty where the role has no such list itself, or not all of it can be written. */
interface PolicyListCode {
  readonly listInTemplate: string;
  readonly listInTerraform: string;
  readonly listInCdk: string;
  readonly listInEksctl: string;
}

export const NO_POLICY_LIST: PolicyListCode = {
  listInTemplate: '',
  listInTerraform: '',
  listInCdk: '',
  listInEksctl: '',
};

const LIST =
  /^(?:(?:Properties\.)?(?:ManagedPolicyArns|managed_policy_arns)|(?:.*\.)?attachPolicyARNs)(?:\.\d+|\[\d+\])$/;

/** The role that the AWS CDK makes for a node group takes no options. Source: aws-cdk-lib, aws-eks, Nodegroup. */
const OF_GROUP = /\/NodeGroupRole\/Resource$/;

/**
 * @param attached where one of the policies is attached
 * @param change what becomes of an ARN: the same, another one, or nothing
 */
export function policyListCode(
  role: Role,
  attached: Source,
  change: (arn: string, source: Source) => string | undefined,
): PolicyListCode {
  if (!isListed(attached)) return NO_POLICY_LIST;
  const items = role.policies.flatMap((policy) => {
    if (policy.kind !== 'managed' || !isListed(policy.source)) return [];
    if (policy.arn.kind === 'choice') return [undefined];
    const text = textOf(policy.arn) ?? '';
    const arn = change(text, policy.source);
    if (arn === undefined) return [];
    const { yaml, hcl } = writtenCode(policy.arn, '');
    const name = awsManagedPolicyName(arn);
    return [
      {
        yaml: arn === text ? yaml : arn,
        // The unknown parts of a text are expressions.
        hcl: arn !== text || hcl === '""' ? `"${arn}"` : hcl,
        cdk: name === undefined ? '' : `iam.ManagedPolicy.fromAwsManagedPolicyName('${name}')`,
      },
    ];
  });
  const listed = items.flatMap((item) => item ?? []);
  const code = (lines: readonly string[], isWhole: boolean): string =>
    isWhole && listed.length === items.length ? lines.join('\n') : '';
  return {
    listInTemplate: code(
      ['# in the Properties:', 'ManagedPolicyArns:', ...listed.map(({ yaml }) => `  - ${yaml}`)],
      listed.every(({ yaml }) => yaml !== ''),
    ),
    // An empty list would be the same as none, for which eksctl attaches its own.
    listInEksctl: code(
      ['attachPolicyARNs:', ...listed.map(({ yaml }) => `  - ${yaml}`)],
      listed.length > 0 && listed.every(({ yaml }) => yaml !== ''),
    ),
    listInTerraform: code(
      ['managed_policy_arns = [', ...listed.map(({ hcl }) => `  ${hcl},`), ']'],
      listed.every(({ hcl }) => hcl !== '""'),
    ),
    listInCdk: code(
      cdkLines(
        role,
        listed.map(({ cdk }) => `  ${cdk},`),
      ),
      listed.every(({ cdk }) => cdk !== ''),
    ),
  };
}

function isListed(source: Source): boolean {
  return LIST.test(source.locate().property ?? '');
}

function cdkLines({ path = '' }: Role, policies: readonly string[]): readonly string[] {
  if (!OF_GROUP.test(path)) return ['// in the options of the Role:', 'managedPolicies: [', ...policies, '],'];
  return [
    "const nodeRole = new iam.Role(this, 'NodeRole', {",
    "  assumedBy: new iam.ServicePrincipal('ec2.amazonaws.com'),",
    '  managedPolicies: [',
    ...policies.map((line) => `  ${line}`),
    '  ],',
    '});',
    '// in the options of a group that takes its place, under another id:',
    'nodeRole,',
  ];
}
