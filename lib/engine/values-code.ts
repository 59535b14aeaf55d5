import type { Finding } from './finding';

/*
 * Configuration values of an add-on are one text, which the code of a fix writes anew as a whole. So what several findings print of the same values
 * does what each of them asks for: pasted one after the other, they would undo one another otherwise.
 */

/** What code of a fix sets of configuration values, as a merge patch (RFC 7396): what is `null` goes. */
export type ValuesPatch = Readonly<Record<string, unknown>>;

/** Code that sets configuration values and nothing else. */
export interface ValuesCode {
  readonly patch: ValuesPatch;
  /** The code for another patch; undefined where the place can't take it. */
  readonly codeFor: (patch: ValuesPatch) => string | undefined;
}

/** The code of a patch, by the names that fixes have for their codes. */
export function codeOfValues(patch: ValuesPatch): Record<'cloudformation' | 'aws-cdk' | 'terraform', string> {
  const text = JSON.stringify(patch);
  return {
    cloudformation: `ConfigurationValues: '${text.replaceAll("'", "''")}'`,
    'aws-cdk': `configurationValues: ${text},`,
    terraform: `configuration_values = jsonencode(${text.replaceAll(/[$%](?=\{)/g, '$&$&')})`,
  };
}

/** The patch that code for a template is; undefined if it is anything else, or more. */
export function patchIn(code: string): ValuesPatch | undefined {
  const [, text] = /^ConfigurationValues: '(\{.*\})'$/.exec(code) ?? [];
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text.replaceAll("''", "'")) as ValuesPatch;
  } catch {
    return undefined;
  }
}

/** A finding with what it shares with others while they are put together. */
export type Draft = Finding & { readonly values?: ValuesCode };

/** With more findings than that, each has the code for itself: to put them together takes as long as the cube of their number. */
const MOST_TOGETHER = 40;

/** Findings whose code writes the same values, each with what all of them want. What somebody has accepted is wanted by nobody. */
export function withAllValues(drafts: readonly Draft[]): Finding[] {
  const wanted = new Map<string, Draft[]>();
  for (const draft of drafts) {
    if (draft.values === undefined || draft.suppressed !== undefined || draft.severity === 'info') continue;
    const key = keyOf(draft);
    const known = wanted.get(key);
    if (known === undefined) wanted.set(key, [draft]);
    else known.push(draft);
  }
  return drafts.map((draft) => {
    const { values, ...finding } = draft;
    const all = wanted.get(keyOf(draft)) ?? [];
    if (values === undefined || finding.suppressed !== undefined || all.length > MOST_TOGETHER) return finding;
    const others = all.filter((other) => other !== draft);
    if (others.length === 0) return finding;
    const patch = others.reduce((one, other) => withPatch(one, other.values?.patch ?? {}) ?? one, values.patch);
    return { ...finding, fixCode: values.codeFor(patch) ?? finding.fixCode };
  });
}

function keyOf({ resource }: Finding): string {
  return JSON.stringify([resource.stack, resource.id]);
}

/** Both patches; undefined where they want different things of one setting. */
export function withPatch(one: ValuesPatch, other: ValuesPatch): ValuesPatch | undefined {
  const all: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = all[key];
    if (!Object.hasOwn(all, key)) all[key] = value;
    else if (isPatch(before) && isPatch(value)) {
      const inner = withPatch(before, value);
      if (inner === undefined) return undefined;
      all[key] = inner;
    } else if (JSON.stringify(before) !== JSON.stringify(value)) return undefined;
  }
  return all;
}

function isPatch(value: unknown): value is ValuesPatch {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
