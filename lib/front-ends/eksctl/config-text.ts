import { ENCODED, hasBorrowedKeys, isInBrackets, keyPattern, LINE_START, topLevelOf } from '../../text/top-level';

/** Quick: it is asked of every YAML and JSON file of a folder. eksctl has one kind of object, so that a misspelt kind is told, and none as well. */
export function looksLikeClusterConfig(text: string): boolean {
  if (!text.includes('eksctl.io/') && !text.includes('\\') && !ENCODED.test(text)) return false;
  const top = topLevelOf(text);
  if (!top.includes('eksctl.io/')) return ENCODED.test(top);
  if (VERSION.test(top) || (isInBrackets(top) && VERSION_IN_BRACKETS.test(top))) return true;
  return hasBorrowedKeys(top) && (/\bClusterConfig\b/i.test(top) || ENCODED.test(top));
}

const VERSION_IN_BRACKETS = new RegExp(String.raw`${keyPattern('apiVersion')}eksctl\.io\/`, 'i');
const VERSION = new RegExp(`${LINE_START}${VERSION_IN_BRACKETS.source}`, 'im');
const KIND_IN_BRACKETS = new RegExp(String.raw`${keyPattern('kind')}(?:ClusterConfig\b|\*)`, 'i');
const KIND = new RegExp(`${LINE_START}${KIND_IN_BRACKETS.source}`, 'im');

/** Whether a text that somebody names for a check is meant as one, although it doesn't say of which version. */
export function isMeantAsClusterConfig(text: string): boolean {
  const top = topLevelOf(text);
  return OF_EKSCTL.test(top) && (KIND.test(top) || (isInBrackets(top) && KIND_IN_BRACKETS.test(top)));
}

const OF_EKSCTL = /eksctl\.io|["']?\b(?:managedNodeGroups|nodeGroups|fargateProfiles)["']? *:/i;

/** Why a text that isn't YAML is none: something else fills it in first. Undefined of one that is just malformed. */
export function whyTemplate(text: string): string | undefined {
  if (/\{\{|\{%/.test(text))
    return 'this is a template of a ClusterConfig (`{{ … }}`), which eksctl does not fill in: render it first, and check what comes out';
  const inAtSigns = /(?<![\w.])@[A-Za-z]\w*@(?![\w.])/.exec(text)?.[0];
  if (inAtSigns !== undefined)
    return `this is a template of a ClusterConfig (\`${inAtSigns.slice(0, 40)}\`), which eksctl does not fill in: do so first, and check what comes out`;
  return /\$\{[A-Za-z_]\w*\}|<[A-Za-z][\w -]*>/.test(text)
    ? 'this is a ClusterConfig with places to fill in, which eksctl does not do: fill them in first (envsubst < FILE), and check what comes out'
    : undefined;
}
