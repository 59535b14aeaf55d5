import type { AmiFamily } from './ami-types';
import type { Architecture } from './instance-types';

/*
 * What the names of published AMIs for EKS tell: those of their SSM parameters and their own.
 * Sources: EKS user guide, "Retrieve recommended Amazon Linux AMI IDs", "Retrieve recommended Bottlerocket AMI IDs" and "Retrieve recommended
 * Microsoft Windows AMI IDs"; awslabs/amazon-eks-ami, CHANGELOG and doc/usage; bottlerocket-os/bottlerocket, QUICKSTART-EKS; Canonical,
 * "Ubuntu on Amazon EKS".
 */

/** What is told of an AMI. Each is undefined where nothing tells. */
export interface AmiFacts {
  readonly family: AmiFamily | undefined;
  readonly architecture: Architecture | undefined;
  /** `1.33` */
  readonly kubernetesVersion: string | undefined;
}

/** An AMI of which nothing is told. */
export const UNKNOWN_AMI: AmiFacts = { family: undefined, architecture: undefined, kubernetesVersion: undefined };

type Row = readonly [pattern: RegExp, family: AmiFamily | undefined, architecture?: Architecture];

/** Stands for a part of a name that isn't known, and for one that is called a version where it is put in. */
const ANY = '\u0000';
const SOME_VERSION = '\u0001';

/** By the first pattern that matches. Architectures are those that the name doesn't spell. */
const PARAMETERS: readonly Row[] = [
  [/^\/aws\/service\/eks\/optimized-ami\/[^/]+\/amazon-linux-2023\//, 'AL2023'],
  [/^\/aws\/service\/eks\/optimized-ami\/[^/]+\/amazon-linux-2(?:-gpu)?\//, 'AL2', 'x86_64'],
  [/^\/aws\/service\/eks\/optimized-ami\/[^/]+\/amazon-linux-2-[^/]+\//, 'AL2'],
  [/^\/aws\/service\/eks\/optimized-ami\//, undefined],
  [/^\/aws\/service\/bottlerocket\//, 'BOTTLEROCKET'],
  [/^\/aws\/service\/ami-windows-latest\/[^/]*EKS_Optimized/, 'WINDOWS', 'x86_64'],
  [/^\/aws\/service\/ami-windows-latest\//, undefined, 'x86_64'],
  [/^\/aws\/service\/canonical\/ubuntu\/eks(?:-pro)?\//, undefined],
  [/^\/aws\/service\//, undefined],
];

const NAMES: readonly Row[] = [
  [/^amazon-eks-node-al2023-/, 'AL2023'],
  [/^amazon-eks-arm64-node-/, 'AL2', 'arm64'],
  [/^amazon-eks-gpu-node-/, 'AL2', 'x86_64'],
  // A wildcard in the place of the version finds AL2023 too.
  [/^amazon-eks-node-[\dv\u0001]/, 'AL2', 'x86_64'],
  [/^bottlerocket-aws-(?:k8s|eks)-/, 'BOTTLEROCKET'],
  [/^Windows_Server-.*EKS_Optimized/, 'WINDOWS', 'x86_64'],
  [/^ubuntu-eks(?:-pro)?\//, undefined],
];

const ARCHITECTURE = /[/-](arm64|aarch64|x86_64|amd64)(?=[/\u0000-]|$)/;
/** Minor versions have two digits now, so that what follows them can't be a third one. */
const VERSION = /(?:eks|k8s|EKS).*?[/_-](1\.\d\d(?=[/\u0000-]|$)|1\.\d(?=[/-]|$))/;

/** What the path of an SSM parameter tells. @param path with `${…}` for unknown parts */
export function amiOfParameter(path: string): AmiFacts {
  return factsIn(withHoles(path), PARAMETERS);
}

/** What the name of an AMI tells, or a pattern of names. @param name with `*` and `?` as EC2 filters read them, and `${…}` for unknown parts */
export function amiNamed(name: string): AmiFacts {
  return factsIn(withHoles(name).replace(/[*?]+/g, ANY), NAMES);
}

/** What a regular expression on names of AMIs tells. */
export function amiMatching(regex: string): AmiFacts {
  if (regex.includes('|')) return UNKNOWN_AMI;
  const text = withHoles(regex.replace(/^\^/, '').replace(/\$$/, ''));
  // Of what isn't plain text only a dot within a number stays.
  return factsIn(
    text
      .replace(/\\[.-]/g, (escaped) => escaped.slice(1))
      .replace(/(?:\\\w|\[[^\]]{0,200}\]|\([^)]{0,200}\)|\.(?=[*+?{]))(?:[*+?]|\{[^}]{0,200}\})*|[*+?]/g, ANY),
    NAMES,
  );
}

function factsIn(text: string, rows: readonly Row[]): AmiFacts {
  const row = rows.find(([pattern]) => pattern.test(text));
  if (row === undefined) return UNKNOWN_AMI;
  const [, family, architecture] = row;
  const [, spelt] = ARCHITECTURE.exec(text) ?? [];
  const [, kubernetesVersion] = VERSION.exec(text) ?? [];
  return {
    family,
    architecture: spelt === undefined ? architecture : spelt === 'arm64' || spelt === 'aarch64' ? 'arm64' : 'x86_64',
    kubernetesVersion,
  };
}

/** What is called a version is one; other unknown parts can be anything. */
function withHoles(text: string): string {
  return text.replace(/\$\{([^}]*)\}/g, (_, name: string) => (/version/i.test(name) ? SOME_VERSION : ANY));
}
