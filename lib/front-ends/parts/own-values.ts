import type { AddonConfiguration } from '../../eks';
import {
  alternativesOf,
  isDataMap,
  ownOr,
  Unknown,
  type Data,
  type DataMap,
  type Resource,
  type Value,
} from '../../value';

/*
 * What a fix writes into the configuration values of an add-on stands beside what the user has there.
 */

/** As code for a template of CloudFormation has them. */
const VALUES = /^(ConfigurationValues: )'(\{.*\})'$/m;

/** Code for a template with what the user has beside it; undefined where that can't be written again: a part of it isn't known, or there is a choice. */
export function withOwnValues(code: string, resource: Resource): string | undefined {
  const [, , json] = VALUES.exec(code) ?? [];
  const added = json === undefined ? undefined : parsed(json.replaceAll("''", "'"));
  if (added === undefined || !('configuration' in resource)) return code;
  const [own, ...others] = alternativesOf(resource.configuration as Value<AddonConfiguration>);
  if (own === undefined || others.length > 0 || own.value.kind === 'unknown') return undefined;
  // What is no JSON is replaced.
  if (own.value.kind === 'absent' || own.value.value.kind === 'malformed') return code;
  const { data } = own.value.value;
  if (!isDataMap(data)) return code;
  const all = mergedValues(data, added);
  if (hasUnknown(all)) return undefined;
  const text = JSON.stringify(all).replaceAll("'", "''");
  return code.replace(VALUES, (_, name: string) => `${name}'${text}'`);
}

/** Values with what a fix sets beside and in place of them, as a merge patch does it (RFC 7396). */
export function mergedValues(own: DataMap, added: DataMap, whole = own): DataMap {
  const all = new Map(Object.entries(own));
  for (const [key, value] of Object.entries(added)) {
    const before = all.get(key);
    const inner =
      isDataMap(value) && isDataMap(before) ? mergedValues(before, value, whole) : (ownOr(value, whole) as Data);
    // What a fix has as null goes, and what that leaves empty.
    if (inner === null || (isDataMap(inner) && Object.keys(inner).length === 0 && inner !== value)) all.delete(key);
    else all.set(key, inner);
  }
  return Object.fromEntries(all);
}

function hasUnknown(data: Data): boolean {
  if (data instanceof Unknown) return true;
  if (Array.isArray(data)) return (data as readonly Data[]).some(hasUnknown);
  return isDataMap(data) && Object.values<Data>(data).some(hasUnknown);
}

function parsed(json: string): DataMap | undefined {
  try {
    const data = JSON.parse(json) as Data;
    return isDataMap(data) ? data : undefined;
  } catch {
    // Code with places to fill in that are no JSON.
    return undefined;
  }
}
