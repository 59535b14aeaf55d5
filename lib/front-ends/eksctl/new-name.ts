import type { Resource } from '../../value';
import { ConfigNode } from './config-node';

/*
 * eksctl makes the groups that its file has and the cluster doesn't, and changes none that exists, whatever the file says of it: code that changes a
 * group gives it another name. Source: eksctl, actions/nodegroup: `update nodegroup` and `scale nodegroup` take over what is in CHANGED alone.
 */

const CHANGED = /^(?:updateConfig|minSize|maxSize|desiredCapacity)$/;

/** Settings of a group that eksctl takes over of new groups alone, with a name that makes it a new one. */
export function withNewName(code: string, resource: Resource): string {
  const keys = code.split('\n').flatMap((line) => /^(\w+):/.exec(line)?.[1] ?? []);
  const name = nameOf(resource);
  if (name === undefined || keys.length === 0 || keys.every((key) => CHANGED.test(key))) return code;
  const { source, type } = resource;
  const renamed = freeName(name, source instanceof ConfigNode ? source.document.root : undefined);
  const written = /^[A-Za-z][\w-]*$/.test(renamed) ? renamed : JSON.stringify(renamed);
  const line = `name: ${written} # a new group, as eksctl changes none that exists: "eksctl delete nodegroup" drains ${name} then`;
  return type.endsWith('.iam') ? `${code}\n# in the group "${name}":\n${line}` : `${line}\n${code}`;
}

/** Undefined of what is no group, nor a part of one. */
function nameOf({ type, id }: Resource): string | undefined {
  const [list = '', part] = type.split('.');
  if (list !== 'managedNodeGroups' && list !== 'nodeGroups') return undefined;
  return part === 'iam' ? id.slice(list.length + 1, -'.iam'.length) : id;
}

function freeName(name: string, root: unknown): string {
  const taken = new Set(['managedNodeGroups', 'nodeGroups'].flatMap((list) => namesIn(memberOf(root, list))));
  for (let count = 2; ; count++) if (!taken.has(`${name}-${count}`)) return `${name}-${count}`;
}

function namesIn(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list.map((group) => memberOf(group, 'name')) : [];
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}
