/** Minor of a Kubernetes version: 33 for `1.33`. Undefined when the text isn't of the form `1.<minor>`. */
export function parseMinor(version: string): number | undefined {
  const match = /^1\.(0|[1-9]\d{0,3})$/.exec(version);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** The parts of an add-on version, `v1.19.0-eksbuild.1`. */
export interface ParsedVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** The number after `-eksbuild.`, 0 for `-eksbuild.preview`; undefined for an upstream version such as `v1.19.0`. */
  readonly build: number | undefined;
}

/** Takes an add-on or upstream version apart. Undefined when it isn't of the form `v1.2.3` or `v1.2.3-eksbuild.4` (or `.preview`). */
export function parseVersion(version: string): ParsedVersion | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(?:-eksbuild\.(\d+|preview))?$/.exec(version);
  if (match === null) return undefined;
  const [, major, minor, patch, build] = match;
  return { major: Number(major), minor: Number(minor), patch: Number(patch), build: buildNumber(build) };
}

/**
 * Compares two versions number by number, the EKS build included: negative when `a` is older, 0 when they are equal.
 * A version without build number counts as older than all builds of it; a leading `v` doesn't matter; a part that
 * is missing counts as 0, so that Kubernetes versions (`1.33`) compare too. Text that is no version is older than
 * every version.
 */
export function compareVersions(a: string, b: string): number {
  const left = numbersOf(a);
  const right = numbersOf(b);
  for (let index = 0; index < 4; index++) {
    const difference = (left[index] ?? -1) - (right[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(version: string): readonly number[] {
  let numbers = compared.get(version);
  if (numbers === undefined) {
    numbers = parseNumbers(version);
    // Inputs name few versions; one that makes them up must not fill the memory.
    if (compared.size >= 1000) compared.clear();
    compared.set(version, numbers);
  }
  return numbers;
}

/** The versions of the tables and of the input are compared over and over. */
const compared = new Map<string, readonly number[]>();

function parseNumbers(version: string): readonly number[] {
  const match = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-eksbuild\.(\d+|preview))?$/.exec(version);
  if (match === null) return [];
  const [, major, minor, patch, build] = match;
  return [Number(major), Number(minor ?? 0), Number(patch ?? 0), buildNumber(build) ?? -1];
}

/** A preview comes before the first build. */
function buildNumber(build: string | undefined): number | undefined {
  return build === undefined ? undefined : build === 'preview' ? 0 : Number(build);
}
