import { isMap } from '../../cloudformation/cursor';
import type { AppResource, AppStack } from './app';

/** What a module of TypeScript needs besides its functions. */
export class Needs {
  /** Names imported from `aws-cdk-lib`. */
  readonly core = new Set<string>(['type Stack']);
  /** Modules of `aws-cdk-lib`, as `ec2` for `aws-ec2`. */
  readonly modules = new Set<string>();
  /** Names imported from `eks-guardrails/aws-cdk`. */
  readonly own = new Set<string>(['ManagedNodeGroup']);
  /** The function that finds constructs by their paths. */
  find = false;
  /** The function that takes subnets by their ids. */
  subnetOf = false;
}

/** An option and its code. */
export type Member = readonly [name: string, code: string];

/** What a part of a node group comes to. */
export interface Parts {
  readonly options: readonly Member[];
  /** Statements behind the construction, with `GROUP` for its variable. */
  readonly statements: readonly string[];
  /** What else changes, or is to be done. */
  readonly notes: readonly string[];
}

/** The variable of a group, until its name is known. */
export const GROUP = '\0group';

/** A value of a template that can't be written as code which lasts. */
export class NotWritable extends Error {}

/** A text as a literal of TypeScript. */
export function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'").replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** An object as a literal, from members that are code. */
export function objectOf(members: readonly Member[]): string {
  return `{ ${members.map(([name, code]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)}: ${code}`).join(', ')} }`;
}

const PSEUDO_PARAMETERS: Readonly<Record<string, string | undefined>> = {
  'AWS::AccountId': 'ACCOUNT_ID',
  'AWS::NoValue': 'NO_VALUE',
  'AWS::Partition': 'PARTITION',
  'AWS::Region': 'REGION',
  'AWS::StackId': 'STACK_ID',
  'AWS::StackName': 'STACK_NAME',
  'AWS::URLSuffix': 'URL_SUFFIX',
};

/** Functions whose arguments `Fn` takes one by one, and what makes a text of the result where that isn't one. */
const FUNCTIONS: Readonly<Record<string, readonly [name: string, rest: string] | undefined>> = {
  'Fn::Join': ['join', ''],
  'Fn::Select': ['select', ''],
  'Fn::FindInMap': ['findInMap', ''],
  'Fn::If': ['conditionIf', '.toString()'],
};

/** L2 classes, and the id that their resource has within them. */
const L2_RESOURCES = {
  'ec2.SecurityGroup': { type: 'AWS::EC2::SecurityGroup', id: 'Resource' },
  'ec2.Subnet': { type: 'AWS::EC2::Subnet', id: 'Subnet' },
  'iam.Role': { type: 'AWS::IAM::Role', id: 'Resource' },
} as const;

/** Writes values of templates as code of the CDK: references to resources as references to constructs, so that they also work from stack to stack. */
export class Expressions {
  constructor(
    private readonly stack: AppStack,
    private readonly needs: Needs,
  ) {}

  /** @throws NotWritable */
  of(value: unknown): string {
    if (typeof value === 'string') return quoted(value);
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    if (Array.isArray(value)) return `[${value.map((item) => this.of(item)).join(', ')}]`;
    if (!isMap(value)) throw new NotWritable('a value is neither text, number, list nor map');
    const [name, ...others] = Object.keys(value);
    if (name === undefined || others.length > 0 || (name !== 'Ref' && !name.startsWith('Fn::')))
      return objectOf(Object.entries(value).map(([key, one]) => [key, this.of(one)]));
    return this.call(name, value[name], value);
  }

  /** The construct of an L2 class whose resource a value points at; undefined for others. */
  l2(value: unknown, type: keyof typeof L2_RESOURCES): string | undefined {
    const resource = this.stack.app.target(this.stack, value)?.resource;
    const { type: ofL2, id } = L2_RESOURCES[type];
    if (resource === undefined || resource.type !== ofL2 || !resource.path.endsWith(`/${id}`)) return undefined;
    return `${this.find(resource, resource.path.slice(0, -id.length - 1))} as ${type}`;
  }

  /** The construct for a subnet of elsewhere. */
  subnet(id: string, value: unknown): string {
    this.needs.subnetOf = true;
    this.needs.core.add('Annotations');
    return `subnetOf(stack, ${quoted(id)}, ${this.of(value)})`;
  }

  private find(resource: AppResource, path: string): string {
    this.needs.find = true;
    return `find(stack, ${quoted(`${stepsBetween(this.stack.path, resource.stack.path)}${path}`)})`;
  }

  private call(name: string, given: unknown, whole: unknown): string {
    const target = this.stack.app.target(this.stack, whole);
    if (target !== undefined) {
      this.needs.core.add('CfnResource');
      const construct = `(${this.find(target.resource, target.resource.path)} as CfnResource)`;
      return target.attribute === undefined
        ? `${construct}.ref`
        : `${construct}.getAtt(${quoted(target.attribute)}).toString()`;
    }
    if (name === 'Ref' && typeof given === 'string') {
      const pseudo = PSEUDO_PARAMETERS[given];
      this.needs.core.add(pseudo === undefined ? 'Fn' : 'Aws');
      return pseudo === undefined ? `Fn.ref(${quoted(given)})` : `Aws.${pseudo}`;
    }
    this.needs.core.add('Fn');
    const list = Array.isArray(given) ? (given as unknown[]) : [given];
    const plain = FUNCTIONS[name];
    if (plain !== undefined) return `Fn.${plain[0]}(${list.map((item) => this.of(item)).join(', ')})${plain[1]}`;
    switch (name) {
      case 'Fn::ImportValue':
        return `Fn.importValue(${this.of(given)})`;
      case 'Fn::Base64':
        return `Fn.base64(${this.of(given)})`;
      case 'Fn::Split':
        return `Fn.split(${list.map((item) => this.of(item)).join(', ')})`;
      case 'Fn::Sub':
        return `Fn.sub(${list.map((item) => this.of(item)).join(', ')})`;
      default:
        throw new NotWritable(`a value is made by ${name}`);
    }
  }
}

/** The way from one stack to the constructs of another, `../Network/`; empty for its own. */
function stepsBetween(from: string, to: string): string {
  if (from === to) return '';
  const start = from.split('/');
  const end = to.split('/');
  let common = 0;
  while (common < start.length && start[common] === end[common]) common++;
  return `${'../'.repeat(start.length - common)}${end
    .slice(common)
    .map((id) => `${id}/`)
    .join('')}`;
}

/** The function that the code takes subnets by their ids with. */
export const SUBNET_OF = `/** A subnet by its id. CDK warns that it doesn't know the route table then, which a node group doesn't ask for. */
function subnetOf(stack: Stack, id: string, subnetId: string): ec2.ISubnet {
  const subnet = ec2.Subnet.fromSubnetId(stack, id, subnetId);
  Annotations.of(subnet).acknowledgeWarning('@aws-cdk/aws-ec2:noSubnetRouteTableId', 'Node groups ask for no route table');
  return subnet;
}
`;

/** The function that the code finds constructs with. */
export const FIND = `/** The construct at a path, for what you have no variable of. */
function find(from: IConstruct, path: string): IConstruct {
  return path.split('/').reduce((at, id) => (id === '..' ? (at.node.scope ?? at) : at.node.findChild(id)), from);
}
`;
