import { Known, type AmiFamily, type Image, type Plain } from '../model';

/** Which family an image of a public SSM parameter belongs to. Source: EKS User Guide, "Retrieve recommended AMI IDs". */
const FAMILIES: readonly (readonly [RegExp, AmiFamily])[] = [
  [/^\/aws\/service\/eks\/optimized-ami\/[^/]+\/amazon-linux-2023\//, 'AL2023'],
  [/^\/aws\/service\/eks\/optimized-ami\/[^/]+\/amazon-linux-2(?:-[^/]+)?\//, 'AL2'],
  [/^\/aws\/service\/bottlerocket\//, 'BOTTLEROCKET'],
  [/^\/aws\/service\/ami-windows-latest\/[^/]*EKS_Optimized/, 'WINDOWS'],
];

/** Text that EC2 itself looks up, or that CloudFormation does, with the path of the SSM parameter in it. */
const SSM_LOOKUP = /^(?:resolve:ssm:|\{\{resolve:ssm:)((?:\$\{[^}]*\}|[^:}])+)/;

/** The image that a text names: an AMI id, or the lookup of an SSM parameter. */
export function imageFrom(plain: Plain<string>): Plain<Image> {
  if (plain.kind === 'absent') return plain;
  const text = plain.kind === 'known' ? plain.value : plain.text;
  const path = text === undefined ? undefined : SSM_LOOKUP.exec(text)?.[1];
  if (path !== undefined) return new Known({ ...imageAt(path), ...(text?.startsWith('resolve:') === true ? { resolvedAtLaunch: true } : {}) }, plain.source);
  return plain.kind === 'known' ? new Known({ text: plain.value, family: undefined }, plain.source, plain.note) : plain;
}

/** The image of a public SSM parameter; parts of its path may be unknown (`${…}`). */
export function imageAt(path: string): Image {
  return { text: path, family: FAMILIES.find(([pattern]) => pattern.test(path))?.[1] };
}
