/** Access to JSON of which nothing is sure. */

export type JsonMap = Readonly<Record<string, unknown>>;

export function isJsonMap(json: unknown): json is JsonMap {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** Own member of a map or item of a list; never something inherited such as `constructor`. */
export function memberOf(json: unknown, key: string | number): unknown {
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, key)) return undefined;
  return (json as Record<string | number, unknown>)[key];
}

export function memberAt(json: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce(memberOf, json);
}

export function textOf(json: unknown): string | undefined {
  return typeof json === 'string' ? json : undefined;
}

export function listOf(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? (json as unknown[]) : [];
}

export function mapOf(json: unknown): JsonMap {
  return isJsonMap(json) ? json : {};
}
