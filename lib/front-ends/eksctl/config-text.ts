/** Quick: it is asked of every YAML and JSON file of a folder. */
export function looksLikeClusterConfig(text: string): boolean {
  if (!text.includes('eksctl.io/')) return false;
  const isJson = text.trimStart().startsWith('{');
  return isJson
    ? /"apiVersion" *: *"eksctl\.io\//i.test(text) && KIND_IN_JSON.test(text)
    : /^["']?apiVersion["']? *: *["']?eksctl\.io\//im.test(text) && KIND.test(text);
}

const KIND = /^["']?kind["']? *: *["']?ClusterConfig\b/im;
const KIND_IN_JSON = /"kind" *: *"ClusterConfig"/i;

/** Whether a text that somebody names for a check is meant as one, although it doesn't say of which version. */
export function isMeantAsClusterConfig(text: string): boolean {
  return (KIND.test(text) || KIND_IN_JSON.test(text)) && OF_EKSCTL.test(text);
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
