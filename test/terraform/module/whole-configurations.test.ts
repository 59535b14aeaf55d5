import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TerraformInstance } from '../../../lib/terraform/instance';
import { shown } from '../../front-ends/terraform/known-modules/calls';
import { configurations } from './configurations';

interface WholeConfiguration {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** Folders that the user names. */
  readonly named?: readonly string[];
  readonly inputs: readonly string[];
  /** Resources with the condition under which they are there, the region of their provider and all attributes. */
  readonly makes: readonly string[];
  readonly says: readonly string[];
}

const table = JSON.parse(
  readFileSync(join(__dirname, 'whole-configurations.json'), 'utf8'),
) as readonly WholeConfiguration[];

function told({ address, exists, region, attributes, waitsFor = [], ignoredChanges = [] }: TerraformInstance): string {
  const parts = [
    exists.text === '' ? '' : ` where ${exists.text}`,
    region === undefined ? '' : ` in ${region}`,
    `: ${shown(attributes)}`,
  ];
  return [
    address,
    ...parts,
    waitsFor.length === 0 ? '' : ` waits for ${waitsFor.join(', ')}`,
    ignoredChanges.length === 0 ? '' : ` ignores ${ignoredChanges.join(', ')}`,
  ].join('');
}

describe('all that a configuration makes', () => {
  it.each(table.map((one) => [one.name, one] as const))('%s', (_, { files, named, inputs, makes, says }) => {
    const read = configurations(files, named === undefined ? {} : { named });
    expect(read.instances.map(told)).toEqual(makes);
    expect(read.problems).toEqual(says);
    expect(read.inputs).toEqual(inputs);
  });
});
