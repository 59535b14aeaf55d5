import type { Diagnostic } from '../../value';
import { isAboutEks } from './manifest-text';

/*
 * Objects from which a controller makes clusters, node groups and add-ons of EKS, or other objects that do, and which aren't read.
 * Sources: crossplane-contrib/provider-aws, apis/eks and apis/iam;
 * kubernetes-sigs/cluster-api-provider-aws, controlplane/eks, exp/api and bootstrap/eks;
 * crossplane/crossplane, apis/apiextensions; kubernetes-sigs/kro, api.
 */

interface Engine {
  readonly name: string;
  readonly group: RegExp;
  readonly kinds: RegExp;
  /** What they declare. @default - clusters, node groups and add-ons */
  readonly what?: string;
  /** Of what makes objects by a template: how to see them, from the file. */
  readonly seen?: (file: string) => string;
}

const ENGINES: readonly Engine[] = [
  { name: 'an older provider of Crossplane', group: /^eks\.aws\.crossplane\.io\//, kinds: /^/ },
  {
    name: 'an older provider of Crossplane',
    group: /^iam\.aws\.crossplane\.io\//,
    kinds: /^(?:Role|RolePolicy|RolePolicyAttachment|Policy|OpenIDConnectProvider)$/,
    what: 'roles and policies',
  },
  {
    name: 'the Cluster API',
    group: /^(?:controlplane|infrastructure|bootstrap)\.cluster\.x-k8s\.io\//,
    kinds: /^(?:AWSManaged(?:ControlPlane|MachinePool|Cluster)|EKSConfig)(?:Template)?$/,
  },
  {
    name: 'Crossplane',
    group: /^apiextensions\.crossplane\.io\//,
    kinds: /^Composition$/,
    seen: (file) =>
      `check what comes out for a composite resource: crossplane render RESOURCE.yaml ${file} FUNCTIONS.yaml | eks-guardrails check -`,
  },
  {
    name: 'kro',
    group: /^kro\.run\//,
    kinds: /^ResourceGraphDefinition$/,
    seen: () =>
      'check the objects that kro makes of an instance, as a cluster that has one shows them: kubectl get KIND NAME -o yaml | eks-guardrails check -',
  },
];

/** What in a template has to do with EKS. The roles and networks that Crossplane makes besides are of no concern without a cluster. */
const EKS_INSIDE = /\beks\.aws(?:\.m)?\.(?:upbound|crossplane)\.io\/|\boidc\.eks\./;

/** A version and a kind of one object, in either order, with nothing but its other lines between them. */
const HEADS = /^["']?(apiVersion|kind)["']?[ \t]*:[ \t]*["']?([\w./-]+)/gm;

/** A warning for a file with objects of that kind, at the first of them. */
export function madeByController(file: string, text: string): Diagnostic | undefined {
  if (!/\b(?:(?:eks|iam)\.aws\.crossplane\.io|cluster\.x-k8s\.io|apiextensions\.crossplane\.io|kro\.run)\//.test(text))
    return undefined;
  const hasEks = EKS_INSIDE.test(text) || isAboutEks(text);
  let version: string | undefined;
  let kind: string | undefined;
  let offset = 0;
  const found = new Map<Engine, { readonly kinds: Set<string>; readonly offset: number }>();
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
    const engine = ENGINES.find(({ group, kinds }) => group.test(of.version) && kinds.test(of.kind));
    if (engine !== undefined && ((engine.seen === undefined && engine.what === undefined) || hasEks)) {
      const known = found.get(engine) ?? { kinds: new Set<string>(), offset: index };
      known.kinds.add(kind);
      found.set(engine, known);
    }
    version = kind = undefined;
    offset = index + whole.length;
  }
  const [first] = found;
  if (first === undefined) return undefined;
  const [{ name, seen, what = 'clusters, node groups and add-ons' }, { kinds, offset: at }] = first;
  const objects = `objects of ${name} (${[...kinds].slice(0, 5).join(', ')})`;
  return {
    severity: 'warning',
    message:
      seen === undefined
        ? `${objects} aren't read yet, so the ${what} that this file declares aren't checked`
        : `${objects} are not rendered here, so what they make for EKS isn't checked; ${seen(file)}`,
    file,
    line: text.slice(0, at).split('\n').length,
    column: 1,
    skipped: { what: 'file', count: 1 },
  };
}
