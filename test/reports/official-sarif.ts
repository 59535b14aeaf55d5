import Ajv, { type ValidateFunction } from 'ajv';
import { readFileSync } from 'node:fs';

/** The standard's schema, as Microsoft's matchers for SARIF ship it. It names draft 4, which ajv doesn't know, but uses nothing that changed since; one of its patterns isn't Unicode-proof. */
export const officialSchema = JSON.parse(
  readFileSync(require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'),
) as Readonly<Record<string, unknown>>;

export function validatorOf({
  $schema: _draft,
  id: _id,
  ...schema
}: Readonly<Record<string, unknown>>): ValidateFunction {
  return new Ajv({
    strict: false,
    unicodeRegExp: false,
    formats: {
      uri: /^[a-z][a-z0-9+.-]*:(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-F]{2})+(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-F]{2})*)?$/i,
      'uri-reference': true,
      'date-time': true,
    },
  }).compile(schema);
}

const isStandard = validatorOf(officialSchema);

/** Expects what the standard allows. */
export function expectValid(log: unknown): void {
  isStandard(log);
  expect(isStandard.errors ?? []).toEqual([]);
}
