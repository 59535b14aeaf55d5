import { isDataMap, Unknown, type Data } from '../../value';

/** A label that the CDK writes into the objects of a template. Source: aws-eks, k8s-manifest.ts (injectPruneLabel). */
const PRUNE_LABEL = /^aws\.cdk\.eks\/prune-/;

/**
 * Whether an object of a file is the one that a resource applies, which reads the file: all of it is the same, but for what is filled in on the way.
 * @param applied what the resource applies
 */
export function isSameObject(written: Data, applied: Data): boolean {
  if (written instanceof Unknown) return true;
  if (applied instanceof Unknown) return false;
  if (Array.isArray(written) && Array.isArray(applied)) {
    const others = applied as readonly Data[];
    return (
      written.length === others.length &&
      (written as readonly Data[]).every((one, index) => isSameObject(one, others[index] ?? null))
    );
  }
  if (isDataMap(written) && isDataMap(applied)) {
    const keys = new Set([...Object.keys(written), ...Object.keys(applied)]);
    return [...keys].every(
      (key) => PRUNE_LABEL.test(key) || isSameObject(ownMember(written, key), ownMember(applied, key)),
    );
  }
  return isScalar(written) && isScalar(applied) && scalarText(written) === scalarText(applied);
}

function isScalar(data: Data): data is string | number | boolean | null {
  return typeof data !== 'object' || data === null;
}

/** What isn't written is the same as null, or a map in which nothing is. */
function ownMember(map: Readonly<Record<string, Data>>, key: string): Data {
  const data = Object.hasOwn(map, key) ? map[key] : undefined;
  const isNothing = isDataMap(data) && Object.keys(data).every((one) => PRUNE_LABEL.test(one));
  return data === undefined || isNothing ? null : data;
}

/** `1.30` is a text for one reader and a number for the other. */
function scalarText(data: string | number | boolean | null): string {
  const text = String(data);
  return /^-?\d+(?:\.\d+)?$/.test(text) ? String(Number(text)) : text;
}
