/*
 * Code of a fix moves values that it can't write itself, because they hold references: it names the place where the user has them in the same
 * data, and the front end, which knows them as they are written, puts them there.
 */

const OWN = 'own value at ';

/** What stands in code for the user's value that these steps lead to. */
export function ownValueAt(steps: readonly string[]): string {
  return `${OWN}${JSON.stringify(steps)}`;
}

/** What is written for a value of code: the user's that it stands for, else the value itself. Undefined where the user has none there. */
export function ownOr(value: unknown, own: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith(`${OWN}[`)) return value;
  const steps = JSON.parse(value.slice(OWN.length)) as string[];
  return steps.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
        ? (inner as Readonly<Record<string, unknown>>)[step]
        : undefined,
    own,
  );
}
