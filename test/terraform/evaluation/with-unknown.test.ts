import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plain, valueOf } from './scopes';

/** Expressions with what is known of their values where a variable isn't: texts of what is unknown, reasons of what is wrong, and cases of what depends on conditions. */
const table = JSON.parse(readFileSync(join(__dirname, 'with-unknown.json'), 'utf8')) as readonly (readonly [
  string,
  unknown,
])[];

describe('expressions with variables that are not known, or with mistakes', () => {
  it.each(table)('%s', (expression, expected) => {
    expect(plain(valueOf(expression))).toEqual(expected);
  });
});
