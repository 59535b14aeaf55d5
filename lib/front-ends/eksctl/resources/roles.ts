import type { AttachedPolicy, PolicyCondition, PolicyDocument, PolicyStatement, Principal, Role } from '../../../eks';
import { Absent, Known, type Plain, type Source, type Value } from '../../../value';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';

/** What a role that eksctl makes is called, and what it may do. */
interface RoleParts {
  readonly id: string;
  readonly source: ConfigNode;
  readonly trust: readonly PolicyStatement[];
  readonly policies: readonly AttachedPolicy[];
  readonly name?: Plain<string>;
  readonly type?: string;
}

export function role(file: ConfigFile, { id, source, trust, policies, name, type = 'iam' }: RoleParts): Role {
  return {
    ...file.resource(type, id, source),
    kind: 'role',
    name: name ?? new Absent(source),
    trust: new Known<PolicyDocument>({ statements: trust }, source, 'set by eksctl'),
    policies,
  };
}

interface ServiceRoleParts extends Omit<RoleParts, 'trust'> {
  /** `ec2.amazonaws.com`. */
  readonly service: string;
  /** @default false */
  readonly tagsSessions?: boolean;
}

/** A role that a service of AWS assumes. */
export function serviceRole(file: ConfigFile, { service, tagsSessions = false, ...parts }: ServiceRoleParts): Role {
  const { source } = parts;
  return role(file, {
    ...parts,
    trust: [
      statement(source, {
        actions: ['sts:AssumeRole', ...(tagsSessions ? ['sts:TagSession'] : [])],
        principals: [{ type: 'Service', id: new Known(service, source) }],
      }),
    ],
  });
}

interface StatementParts {
  readonly actions: readonly string[];
  readonly resources?: readonly string[];
  readonly principals?: readonly Principal[];
  readonly conditions?: readonly PolicyCondition[];
}

export function statement(
  source: Source,
  { actions, resources = [], principals = [], conditions = [] }: StatementParts,
): PolicyStatement {
  const known = (text: string): Value<string> => new Known(text, source);
  return {
    effect: known('Allow'),
    actions: actions.map(known),
    notActions: [],
    resources: resources.map(known),
    notResources: [],
    principals,
    conditions,
    source,
  };
}

export function condition(operator: string, key: string, value: Value<string>, source: Source): PolicyCondition {
  return { operator, key, values: [value], source };
}

/** Managed policies of AWS by their names. */
export function awsPolicies(file: ConfigFile, names: readonly string[], source: Source): readonly AttachedPolicy[] {
  return names.map((name): AttachedPolicy => ({ kind: 'managed', arn: file.awsPolicy(name, source), source }));
}

/** Managed policies that the file names. */
export function policiesNamed(list: ConfigNode): readonly AttachedPolicy[] {
  return list.items.map((item): AttachedPolicy => ({ kind: 'managed', arn: item.text, source: item }));
}

/** An inline policy that eksctl writes. */
export function inlinePolicy(name: string, statements: readonly PolicyStatement[], source: Source): AttachedPolicy {
  return { kind: 'document', name, document: new Known({ statements }, source, 'set by eksctl'), source };
}
