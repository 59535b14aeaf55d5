import { printableLine } from '../../reports/prose';
import { clusterOf, isL2Cluster, nodeGroupsOf, type AppResource, type AppStack, type SynthesizedApp } from './app';
import { FIND, GROUP, Needs, SUBNET_OF } from './code';
import { adoptNodeGroup, type Adopted, type Outcome } from './node-group';

/** The node groups of an app as a module of TypeScript. */
export interface AdoptedModule {
  readonly text: string;
  readonly counts: Readonly<Record<Outcome, number>>;
}

/** A function of the module: the groups that a stack has for one cluster. */
interface StackFunction {
  readonly stacks: AppStack[];
  readonly cluster: string;
  /** Whether the cluster is one that the construct can be given as it is. */
  readonly isCluster: boolean;
  readonly groups: readonly Adopted[];
  readonly body: string;
}

/** Writes what is to stand in the place of the node groups of an app. Stacks with the same groups, such as those of two stages, share a function. */
export function adoptedModule(app: SynthesizedApp): AdoptedModule {
  const needs = new Needs();
  const counts = { kept: 0, replaced: 0, left: 0 };
  const functions = new Map<string, StackFunction>();
  for (const stack of app.stacks) {
    for (const [cluster, groups] of byCluster(stack)) {
      const taken = new Set<string>();
      const adopted = groups.map((group) => {
        const one = adoptNodeGroup(group, needs, (id) => taken.has(id) || isTaken(stack, id, groups));
        taken.add(one.id);
        counts[one.outcome]++;
        return one;
      });
      if (adopted.some(({ statements }) => statements.some((one) => one.includes(' as CfnResource'))))
        needs.core.add('CfnResource');
      const body = adopted.map((one) => block(one, variableOf(one, adopted))).join('\n');
      const key = `${cluster}\n${body}`;
      const same = functions.get(key);
      if (same === undefined)
        functions.set(key, {
          stacks: [stack],
          cluster,
          isCluster: groups.every((group) => isL2Cluster(clusterOf(group))),
          groups: adopted,
          body,
        });
      else same.stacks.push(stack);
    }
  }
  const left = [
    ...app.nested.map((path) => `${path}: in a nested stack, whose references the CDK makes parameters of`),
    ...app.withoutPaths.map((name) => `stack ${name}: its constructs have no paths`),
  ];
  counts.left += left.length;
  const named = namesOf([...functions.values()]);
  const text = [
    header(needs),
    ...left.map((line) => `// Not written: ${printableLine(line)}.`),
    ...(needs.find ? [FIND] : []),
    ...(needs.subnetOf ? [SUBNET_OF] : []),
    ...named.map(([name, one]) => functionText(name, one)),
  ].join('\n');
  return { text: `${text.trimEnd()}\n`, counts };
}

function byCluster(stack: AppStack): [string, AppResource[]][] {
  const groups = new Map<string, AppResource[]>();
  for (const group of nodeGroupsOf(stack)) {
    if (isAdopted(group)) continue;
    const cluster = clusterOf(group);
    const name =
      cluster === undefined
        ? JSON.stringify(group.properties.ClusterName ?? '')
        : cluster.path.replace(/(?:\/Resource)?(?:\/Resource\/Default|\/Resource)$/, '');
    groups.set(name, [...(groups.get(name) ?? []), group]);
  }
  return [...groups];
}

/** A ManagedNodeGroup has its launch template below itself. */
function isAdopted({ stack, path }: AppResource): boolean {
  const own = path.replace(/\/Resource$/, '/LaunchTemplate/Resource');
  return own !== path && [...stack.resources.values()].some((one) => one.path === own);
}

/** Whether a construct of another name than the groups' own stands there already. */
function isTaken(stack: AppStack, id: string, groups: readonly AppResource[]): boolean {
  const own = groups.map(({ path }) => path.replace(/\/Resource$/, ''));
  return [...stack.resources.values()].some(
    ({ path }) =>
      (path === id || path.startsWith(`${id}/`)) && !own.some((mine) => path === mine || path.startsWith(`${mine}/`)),
  );
}

function header(needs: Needs): string {
  const modules = [...needs.modules].sort();
  return [
    "// Written by eks-guardrails init --adopt. Take the old node groups out of the app, call these functions at the end of their stacks' constructors,",
    '// and look at `cdk diff` before you deploy.',
    `import { ${[...needs.core].sort(byName).join(', ')} } from 'aws-cdk-lib';`,
    ...modules.map((name) => `import * as ${name} from 'aws-cdk-lib/aws-${name}';`),
    ...(needs.find ? ["import type { IConstruct } from 'constructs';"] : []),
    `import { ${[...needs.own].sort().join(', ')}, type ICluster } from 'eks-guardrails/aws-cdk';`,
    '',
  ].join('\n');
}

/** In the order of the names, whatever is a type. */
function byName(one: string, other: string): number {
  return one.replace('type ', '') < other.replace('type ', '') ? -1 : 1;
}

function functionText(name: string, { stacks, cluster, isCluster, body }: StackFunction): string {
  const of = printableLine(stacks.map(({ path }) => path).join(', '));
  const cast = isCluster
    ? ''
    : " As cluster, give eks.Cluster.fromClusterAttributes(stack, 'AdoptedCluster', { clusterName }) with the name that it has or gets.";
  return [
    `/** The node groups of ${of.replaceAll('*/', '* /')} for the cluster ${printableLine(cluster).replaceAll('*/', '* /')}.${cast} */`,
    `export function ${name}(stack: Stack, cluster: ICluster): void {`,
    body.trimEnd(),
    '}',
    '',
  ].join('\n');
}

function block(one: Adopted, variable: string): string {
  const { group, id, outcome, reason, notes, options, statements } = one;
  const where = group.createdAt === undefined ? '' : `, made at ${group.createdAt.file}:${group.createdAt.line}`;
  const said = [
    `${group.path} (${group.logicalId})${where}`,
    outcome === 'kept'
      ? 'Kept: the same resource. Its launch template gets a new version, with which EKS replaces the nodes one after another.'
      : outcome === 'replaced'
        ? `Replaced: ${reason ?? ''}. CloudFormation makes the new group, then drains and deletes ${group.logicalId}.`
        : `Not written: ${reason ?? ''}. It stays as it is.`,
    ...(isDefaultCapacity(group) ? ['Set defaultCapacity: 0 on the cluster, which makes the old group.'] : []),
    ...notes.map((note) => `Note: ${note}.`),
  ];
  const comment = said.map((line) => `  // ${printableLine(line)}`);
  if (outcome === 'left') return [...comment, ''].join('\n');
  return [
    ...comment,
    `  ${statements.length === 0 ? '' : `const ${variable} = `}new ManagedNodeGroup(stack, '${id}', {`,
    '    cluster,',
    ...options.map(([name, code]) => `    ${name}: ${code},`),
    '  });',
    ...statements.map((statement) => `  ${statement.replaceAll(GROUP, variable)}`),
    '',
  ].join('\n');
}

function isDefaultCapacity({ path }: AppResource): boolean {
  return /\/Nodegroup(?:DefaultCapacity)\/Resource$/.test(path);
}

/** A name for a group that no other name in the function is. */
function variableOf({ id }: Adopted, all: readonly Adopted[]): string {
  const plain = identifier(id);
  const isShared = all.filter((one) => identifier(one.id) === plain).length > 1;
  const isReserved = ['stack', 'cluster', 'find', 'subnetOf'].includes(plain);
  return isShared || isReserved ? `${plain}Group${isShared ? all.findIndex((one) => one.id === id) : ''}` : plain;
}

function identifier(id: string): string {
  const words = id.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const name = joined.charAt(0).toLowerCase() + joined.slice(1);
  return /^[a-z]/.test(name) && !RESERVED.has(name) ? name : `nodes${joined}`;
}

const RESERVED: ReadonlySet<string> = new Set(
  'break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with let static yield await async package private public protected interface implements eval arguments ec2 iam kms'.split(
    ' ',
  ),
);

/** Names of the functions: the stack's own, and what tells it from others of that name. */
function namesOf(functions: readonly StackFunction[]): [string, StackFunction][] {
  const capitalized = (text: string): string => {
    const name = identifier(text).replace(/^nodes(?=[A-Z])/, '');
    return name.charAt(0).toUpperCase() + name.slice(1);
  };
  const short = ({ stacks, cluster }: StackFunction, isWhole: boolean): string => {
    const path = stacks[0]?.path ?? '';
    return `add${capitalized(isWhole ? `${path} ${cluster}` : (path.split('/').at(-1) ?? path))}NodeGroups`;
  };
  return functions.map((one, index) => {
    const name = short(one, false);
    if (functions.filter((other) => short(other, false) === name).length === 1) return [name, one];
    const whole = short(one, true);
    const isAlone = functions.filter((other) => short(other, true) === whole).length === 1;
    return [isAlone ? whole : `${whole}${index}`, one];
  });
}
