import { awsManagedPolicyName, managedPolicy, servicePrincipals } from '../../lib/knowledge';
import type { OperatingSystem } from './ami-family';

/*
 * What the role of nodes must have, as far as a role that is passed in shows it. Sources: Amazon EKS user guide, "Amazon EKS node IAM role";
 * awslabs/amazon-eks-ami, nodeadm.
 */

/** AWS made this policy for nodes of Auto Mode; whether others do with it depends on how nodes are named. */
const MINIMAL_POLICY = 'AmazonEKSWorkerNodeMinimalPolicy';

const NEEDS = [
  {
    actions: ['ec2:DescribeInstances'],
    policy: 'AmazonEKSWorkerNodePolicy',
    why: 'nodes look themselves up when they start, and would not join',
  },
  {
    actions: ['ecr:BatchGetImage', 'ecr:GetAuthorizationToken', 'ecr:GetDownloadUrlForLayer'],
    policy: 'AmazonEC2ContainerRegistryPullOnly',
    why: 'the images of aws-node and kube-proxy are in Amazon ECR, and nodes would stay NotReady',
  },
] as const;

/** What is visible of a role. */
export interface VisibleRole {
  /** How messages call it. */
  readonly name: string;
  /** Its trust policy, without tokens that stand for whole documents; undefined if it isn't visible. */
  readonly trust: unknown;
  /** ARNs of all of its policies; undefined unless every one is visible, and one that AWS manages. */
  readonly policies: readonly string[] | undefined;
}

/** What the nodes run, which decides on the permissions that they need. */
export interface NodeImage {
  readonly os: OperatingSystem;
  readonly hasCustomAmi: boolean;
}

/** Why no node can work with a role; only what is certain. */
export function nodeRoleProblems({ name, trust, policies = [] }: VisibleRole, image: NodeImage): string[] {
  const problems: string[] = [];
  const trusted = trust === undefined ? undefined : trustedServices(trust);
  const wanted = new Set(['ec2.amazonaws.com', ...Object.values(servicePrincipals().nodePrincipal)]);
  if (trusted !== undefined && !trusted.some((service) => wanted.has(service))) {
    problems.push(
      `role is ${name}, which trusts ${trusted.length === 0 ? 'no service' : trusted.join(', ')} and not ec2.amazonaws.com; no instance could assume it: trust that service, or leave role out`,
    );
  }
  // A role without any policy gets them elsewhere. Other images may name nodes by themselves, and hold what EKS's pull.
  const isSure = policies.length > 0 && image.os !== 'WINDOWS' && !image.hasCustomAmi;
  const missing = isSure ? missingPolicies(policies) : [];
  for (const { policy, actions, why } of missing)
    problems.push(`role is ${name}, which lacks ${actions.join(', ')}; ${why}: attach ${policy}, or leave role out`);
  return problems;
}

/** The services that an Allow statement lets assume the role; undefined where it can't be told. */
function trustedServices(trust: unknown): readonly string[] | undefined {
  if (!isMap(trust)) return undefined;
  const services: string[] = [];
  for (const statement of listOf(trust['Statement'])) {
    if (!isMap(statement)) return undefined;
    if (statement['Effect'] !== 'Allow') continue;
    const principal = statement['Principal'];
    // Everybody, or something that is decided at deployment.
    if (!isMap(principal) || Object.keys(principal).some((key) => !KINDS.has(key))) return undefined;
    for (const service of listOf(principal['Service'] ?? [])) {
      if (typeof service !== 'string' || service.includes('${')) return undefined;
      services.push(service);
    }
    if (listOf(principal['AWS'] ?? []).includes('*')) return undefined;
  }
  return services;
}

const KINDS: ReadonlySet<string> = new Set(['Service', 'AWS', 'Federated', 'CanonicalUser']);

function missingPolicies(arns: readonly string[]): readonly (typeof NEEDS)[number][] {
  const names = arns.map(awsManagedPolicyName);
  const policies = names.map((name) => (name === undefined ? undefined : managedPolicy(name)));
  // Policies that the table doesn't have may grant everything.
  if (policies.some((policy) => policy === undefined)) return [];
  const granted = policies.flatMap((policy) => policy?.statements.flatMap(({ actions }) => actions) ?? []);
  const grants = (action: string): boolean => granted.some((pattern) => matches(pattern, action));
  return NEEDS.filter(
    ({ actions }) =>
      !actions.every(grants) && !(actions[0] === 'ec2:DescribeInstances' && names.includes(MINIMAL_POLICY)),
  );
}

function matches(pattern: string, action: string): boolean {
  const star = pattern.indexOf('*');
  const [one, other] = [pattern.toLowerCase(), action.toLowerCase()];
  // Patterns with more than one asterisk count as a match.
  return star < 0 ? one === other : other.startsWith(one.slice(0, star));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
