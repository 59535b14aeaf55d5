import { callsIn } from '../../../terraform/module/calls-in-address';
import type { Role } from '../../../eks';
import { alternativesOf, type ClusterPlace, type Resource, type Value } from '../../../value';

/*
 * Code of fixes calls the cluster `aws_eks_cluster.main`. Where it goes, the cluster has the name that the input gives it: a resource of the
 * same module, the outputs of a module that is called there, or a data source that asks for it by the name that nodes and add-ons have.
 */

const SAMPLE = /\baws_eks_cluster\.main((?:\.\w+|\[0\])+)/g;

const SAMPLE_ROLE = /\baws_iam_role\.(?:vpc_cni|cluster|node|controller)\b/g;

/**
 * A role that a fix changes is called `vpc_cni`, `cluster` or `node` in its code, and the partition is asked for. Undefined where nothing tells which
 * of several roles it is.
 */
export function withRole(text: string, resource: Resource, place: () => ClusterPlace): string | undefined {
  const code = withPartition(text, resource);
  if (resource.type !== 'aws_iam_role') return code;
  if (resource.moduleInputs !== undefined) return besideModule(code, resource);
  if (code.search(SAMPLE_ROLE) < 0) return code;
  if (place().isShared?.(resource) === true) return besideCall(code, resource);
  const role = expressionOf(resource, moduleOf(resource));
  return role === undefined ? undefined : code.replaceAll(SAMPLE_ROLE, role);
}

/** What goes to one of the roles that a folder makes for several calls stands beside its call. Undefined where the name of the role isn't written. */
function besideCall(code: string, resource: Resource): string | undefined {
  const name = 'name' in resource ? (resource.name as Value<string>) : undefined;
  const call = callsIn(resource.id).at(-1)?.split('[')[0];
  if (name?.kind !== 'known' || call === undefined) return undefined;
  const own = code.replaceAll(
    /^ {2}role( *)= aws_iam_role\.\w+\.name$/gm,
    (_, space: string) => `  role${space}= ${JSON.stringify(name.value)}\n  depends_on = [${call}]`,
  );
  return own.search(SAMPLE_ROLE) < 0 ? `# beside ${call}, whose folder makes other roles, too:\n${own}` : undefined;
}

/** What is attached to a role that a module makes stands beside its call, which has the name of the role as an output. */
function besideModule(code: string, resource: Resource): string {
  const output = resource.moduleOutputs?.get('name');
  const call = inModule(callOf(resource), moduleOf(resource));
  const isAttached = /^resource "aws_iam_role_policy(?:_attachment)?" /.test(code);
  return output === undefined || !isAttached || call.endsWith('[*]') || call === ''
    ? code
    : code.replaceAll(/\baws_iam_role\.\w+\.name\b/g, `${call}.${output}`);
}

/** How the code of a module names a resource of its own: of those whose `count` isn't known, the first. Undefined where its key in `for_each` isn't known. */
function expressionOf(resource: Resource, module: string): string | undefined {
  const address = inModule(resource.id, module);
  if (address.endsWith('[*]'))
    return resource.editing?.repeatedBy === 'count' ? address.replace(/\*\]$/, '0]') : undefined;
  return /\[".*\$\{/.test(address) ? undefined : address;
}

const PARTITION = '${data.aws_partition.current.partition}';

/** Where the region isn't known, the partition is asked for, by a data source whose name nobody has. */
function withPartition(code: string, resource: Resource): string {
  if (!code.includes(PARTITION)) return code;
  const { partition } = 'environment' in resource ? (resource.environment as { partition?: string }) : {};
  if (partition !== undefined) return code.replaceAll(PARTITION, partition);
  const asked = code.replaceAll(PARTITION, '${data.aws_partition.of_provider.partition}');
  // A heading at the end has nothing below it.
  const end = /\n# [^\n]*:$/.exec(asked)?.index ?? asked.length;
  return `${asked.slice(0, end)}\n\ndata "aws_partition" "of_provider" {}${asked.slice(end)}`;
}

/** Undefined where the cluster can't be named from there. */
export function withCluster(code: string, resource: Resource, clusterPlace: () => ClusterPlace): string | undefined {
  const used = new Set([...code.matchAll(SAMPLE)].map(([, attribute = '']) => attribute.slice(1)));
  if (used.size === 0) return code;
  const module = moduleOf(resource);
  const { cluster, name } = clusterPlace();
  if (cluster !== undefined) {
    const direct = [...used].map(
      (attribute) => [attribute, referenceFrom(module, resource, cluster, attribute)] as const,
    );
    if (direct.every(([, reference]) => reference !== undefined)) return replaced(code, new Map(direct));
    if (cluster.moduleInputs !== undefined && callOf(cluster) === callOf(resource)) return undefined;
  }
  if (name === undefined) return undefined;
  const looked = [...used].map(
    (attribute) => [attribute, attribute === 'name' ? name : `data.aws_eks_cluster.this.${attribute}`] as const,
  );
  const text = replaced(code, new Map(looked));
  return used.size === 1 && used.has('name') ? text : `${text}\n\ndata "aws_eks_cluster" "this" {\n  name = ${name}\n}`;
}

function referenceFrom(module: string, resource: Resource, cluster: Resource, attribute: string): string | undefined {
  if (cluster.stack !== resource.stack) return undefined;
  if (cluster.moduleInputs === undefined)
    return moduleOf(cluster) === module ? below(expressionOf(cluster, module), attribute) : undefined;
  const call = callOf(cluster);
  if (call === callOf(resource) || parentOf(call) !== module) return undefined;
  const output = cluster.moduleOutputs?.get(attribute);
  const expression = inModule(call, module);
  return output === undefined || expression.endsWith('[*]') ? undefined : below(expression, output);
}

function below(expression: string | undefined, attribute: string): string | undefined {
  return expression === undefined ? undefined : `${expression}.${attribute}`;
}

function replaced(code: string, references: ReadonlyMap<string, string | undefined>): string {
  const of = (attribute: string): string => references.get(attribute.slice(1)) ?? '';
  return code
    .replaceAll(/\$\{aws_eks_cluster\.main((?:\.\w+|\[0\])+)\}/g, (_, attribute: string) => {
      const reference = of(attribute);
      return /^"[^"\\$]*"$/.test(reference) ? reference.slice(1, -1) : `\${${reference}}`;
    })
    .replaceAll(SAMPLE, (_, attribute: string) => of(attribute));
}

const OWN_PLACE = /^# in the (\w+)(, which Terraform replaces.*|, without .*):$/m;

/** A trust policy that stands in a data source takes its place in the role, where nothing else uses that. */
export function besideDocument(code: string, resource: Resource): string {
  if (!code.startsWith('assume_role_policy =') || !('trust' in resource)) return code;
  const isElsewhere = alternativesOf((resource as Role).trust).some(
    ({ value }) =>
      value.kind === 'known' &&
      value.value.statements.some(({ source }) => source.locate().property?.startsWith('assume_role_policy') === false),
  );
  return isElsewhere ? `# in ${ownAddress(resource)}:\n${code}` : code;
}

/** What the resource is called where it is written, behind a part of the code that goes elsewhere. */
export function withOwnPlace(code: string, resource: Resource): string {
  return code.replace(OWN_PLACE, (_, __, how: string) => `# in ${ownAddress(resource)}${how}:`);
}

/** Settings of a node group that EKS changes in no group: another one takes its place. */
const REPLACING = /^(?:ami_type|instance_types|launch_template)\b|\bwithout remote_access:$/m;

/** A group that is made before the old one is destroyed needs another name beside it. */
export function withNameAnew(code: string, { type, editing }: Resource): string {
  const name = type === 'aws_eks_node_group' && REPLACING.test(code) ? editing?.nameAnew : undefined;
  if (name === undefined) return code;
  const line = `node_group_name = ${name} # the new group is there before the old one is gone`;
  const head = /^# in .*, which Terraform replaces.*:$/m;
  return head.test(code) ? code.replace(head, (found) => `${found}\n${line}`) : `${line}\n${code}`;
}

/** Its address in the file that has it, without the key of an instance. */
export function ownAddress(resource: Resource): string {
  return inModule(resource.id, moduleOf(resource)).replace(/\[[^[\]]*\]$/, '');
}

/** New resources under names that the module has not taken yet. */
export function withFreeNames(code: string, resource: Resource, place: () => ClusterPlace): string {
  return [...code.matchAll(/^resource "(\w+)" "(\w+)"/gm)].reduce((text, [, type = '', name = '']) => {
    let free = name;
    for (let number = 2; place().has(`${type}.${free}`, resource); number++) free = `${name}_${number}`;
    return free === name
      ? text
      : text
          .replaceAll(`resource "${type}" "${name}"`, `resource "${type}" "${free}"`)
          .replaceAll(new RegExp(`\\b${type}\\.${name}\\b`, 'g'), `${type}.${free}`);
  }, code);
}

/** The address of the module whose text a fix changes: of what a known module makes, that which calls it. */
function moduleOf(resource: Resource): string {
  return resource.moduleInputs === undefined ? callsIn(resource.id).join('.') : parentOf(callOf(resource));
}

/** The call of the known module that makes a resource; nothing for one that is written itself. */
function callOf({ moduleInputsAt = '' }: Resource): string {
  return callsIn(moduleInputsAt).join('.');
}

function parentOf(call: string): string {
  return callsIn(call).slice(0, -1).join('.');
}

function inModule(address: string, module: string): string {
  return module === '' ? address : address.slice(module.length + 1);
}
