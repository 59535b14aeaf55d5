import { parse } from 'yaml';
import { isMap, member } from '../../cloudformation/cursor';
import { validateNodeConfig } from '../../eks/user-data/node-config';
import type { UserDataPart } from '../../eks/user-data/document';
import { readUserData } from '../../eks/user-data/read-document';
import { SourceText } from '../../eks/user-data/source-text';
import { quoted, type Expressions, type Member, type Needs } from './code';

/** What an option of the construct would refuse, or write otherwise, so that such user data stays as it is. */
const NOT_OF_OPTIONS = /bootstrap\.sh|nodeadm|maxPods|max-pods|clusterDNS|cluster-dns|^ *cluster:/m;

/** Options for user data that EKS merges with its own: scripts, and a NodeConfig; undefined for what they can't say. */
export function userDataOptions(value: unknown, os: string, code: Expressions, needs: Needs): Member[] | undefined {
  const text = member(value, 'Fn::Base64');
  if (typeof text !== 'string' || (os !== 'AL2023' && os !== 'AL2') || NOT_OF_OPTIONS.test(text)) return undefined;
  const { format, layers, parts, defects } = readUserData(SourceText.of(text));
  if (format !== 'multipart' || layers.length > 0 || defects.length > 0) return undefined;
  const scripts = parts.filter(({ kind }) => kind === 'shell-script').map(({ body }) => body.text);
  const configs = parts.filter(({ kind }) => kind === 'node-config');
  const config = configs.map(specOf)[0];
  const isAll = scripts.length + configs.length === parts.length && scripts.every((one) => one.startsWith('#!'));
  if (!isAll || configs.length > (os === 'AL2023' ? 1 : 0) || (configs.length > 0 && config === undefined))
    return undefined;
  if (config !== undefined) needs.own.add('NodeConfig');
  return [
    ...(scripts.length === 0 ? [] : [['shellScripts', `[${scripts.map(quoted).join(', ')}]`] as const]),
    ...(config === undefined ? [] : [['nodeConfig', `new NodeConfig(${code.of(config)})`] as const]),
  ];
}

/** The spec of a NodeConfig that nodeadm reads as it is meant. */
function specOf({ body, readByNodeadm }: UserDataPart): unknown {
  if (!readByNodeadm) return undefined;
  try {
    const document = parse(body.text) as unknown;
    const spec = member(document, 'spec');
    return isMap(document) && isMap(spec) && validateNodeConfig(document).length === 0 ? spec : undefined;
  } catch {
    return undefined;
  }
}
