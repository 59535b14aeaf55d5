import type { Diagnostic } from '../../value';

/*
 * Objects from which a controller makes clusters, node groups and add-ons of EKS, and which aren't read.
 * Sources: crossplane-contrib/provider-aws, apis/eks;
 * kubernetes-sigs/cluster-api-provider-aws, controlplane/eks, exp/api and bootstrap/eks.
 */

const ENGINES: readonly (readonly [name: string, group: RegExp, kinds: RegExp])[] = [
  ['an older provider of Crossplane', /^eks\.aws\.crossplane\.io\//, /^/],
  [
    'the Cluster API',
    /^(?:controlplane|infrastructure|bootstrap)\.cluster\.x-k8s\.io\//,
    /^(?:AWSManaged(?:ControlPlane|MachinePool|Cluster)|EKSConfig)(?:Template)?$/,
  ],
];

/** A version and a kind of one object, in either order, with nothing but its other lines between them. */
const HEADS = /^["']?(apiVersion|kind)["']?[ \t]*:[ \t]*["']?([\w./-]+)/gm;

/** A warning for a file with objects of that kind, at the first of them. */
export function madeByController(file: string, text: string): Diagnostic | undefined {
  if (!/\beks\.aws\.crossplane\.io\/|\bcluster\.x-k8s\.io\//.test(text)) return undefined;
  let version: string | undefined;
  let kind: string | undefined;
  let offset = 0;
  const found = new Map<string, { readonly kinds: Set<string>; readonly offset: number }>();
  for (const { 0: whole, 1: key, 2: value = '', index } of text.matchAll(HEADS)) {
    // The other one of a pair is of the same document.
    if (text.slice(offset, index).includes('\n---')) version = kind = undefined;
    if (key === 'apiVersion') version = value;
    else kind = value;
    if (version === undefined || kind === undefined) {
      offset = index + whole.length;
      continue;
    }
    const of = { version, kind };
    const engine = ENGINES.find(([, group, kinds]) => group.test(of.version) && kinds.test(of.kind));
    if (engine !== undefined) {
      const [name] = engine;
      const known = found.get(name) ?? { kinds: new Set<string>(), offset: index };
      known.kinds.add(kind);
      found.set(name, known);
    }
    version = kind = undefined;
    offset = index + whole.length;
  }
  const [first] = found;
  if (first === undefined) return undefined;
  const [name, { kinds, offset: at }] = first;
  return {
    severity: 'warning',
    message: `objects of ${name} (${[...kinds].slice(0, 5).join(', ')}) aren't read yet, so the clusters, node groups and add-ons that this file declares aren't checked`,
    file,
    line: text.slice(0, at).split('\n').length,
    column: 1,
    skipped: { what: 'file', count: 1 },
  };
}
