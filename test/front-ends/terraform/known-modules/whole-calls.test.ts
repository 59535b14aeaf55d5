import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TerraformInstance } from '../../../../lib/terraform/instance';
import type { TerraformValue } from '../../../../lib/terraform/terraform-value';
import { either, unknown, type Written } from '../../../terraform/instances';
import { doubts, expand, shown } from './calls';

/** Data of a file: `?name` is a variable that isn't known, and `{ if, then, else }` depends on a condition. */
type Stored = string | number | boolean | null | readonly Stored[] | { readonly [key: string]: Stored };

interface WholeCall {
  readonly name: string;
  readonly module: string;
  readonly version: string;
  readonly given: Readonly<Record<string, Stored>>;
  /** Attributes by address, and under which condition; `*` is behind what the module sets, `°` behind its defaults. */
  readonly makes: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
  readonly says: readonly string[];
}

const calls = JSON.parse(readFileSync(join(__dirname, 'whole-calls.json'), 'utf8')) as readonly WholeCall[];

function written(stored: Stored): Written {
  if (typeof stored === 'string') return stored.startsWith('?') ? unknown(stored.slice(1)) : stored;
  if (typeof stored !== 'object' || stored === null) return stored;
  if (Array.isArray(stored)) return (stored as readonly Stored[]).map(written);
  const map = stored as Readonly<Record<string, Stored>>;
  if (typeof map['if'] === 'string')
    return either(map['if'], written(map['then'] ?? null), written(map['else'] ?? null));
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, written(value)]));
}

const short = (text: string) =>
  text
    .replaceAll(/ \(set by [^ ()]+(?: [^()]*)?\)/g, '*')
    .replaceAll(/ \(default of [^ ()]+(?: [^()]*)?\)/g, '°')
    .replaceAll('module.m.', '');
const entryOf = ({ address, exists, attributes }: TerraformInstance) =>
  [short(exists.text === '' ? address : `${address} where ${exists.text}`), short(shown(attributes))] as const;

describe('all that a call of a module makes', () => {
  it.each(calls.map((call) => [`${call.module} ${call.version}: ${call.name}`, call] as const))(
    '%s',
    (_, { module, version, given, makes, outputs, says }) => {
      const made = expand(written(given) as Readonly<Record<string, Written>>, {
        source: module,
        version,
        address: 'module.m',
        region: 'eu-central-1',
      });
      expect(Object.fromEntries(made.instances.map(entryOf))).toEqual(makes);
      expect(
        Object.fromEntries(
          [...made.outputs].map(([name, value]: [string, TerraformValue]) => [name, short(shown(value))]),
        ),
      ).toEqual(outputs);
      expect(doubts(made)).toEqual(says);
    },
  );
});
