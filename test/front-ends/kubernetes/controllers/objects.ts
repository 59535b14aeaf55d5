import { stringify } from 'yaml';
import { readApart } from '../../../../lib/check';
import type { EksResource } from '../../../../lib/eks';
import { once } from '../../../rules/models';
import type { JsonMap } from '../../../rules/terraform/untranslatable';

/** The resources that controllers make of objects, which come in one stream. */
export function resourcesOf(objects: readonly JsonMap[]): readonly EksResource[] {
  return once(['objects', objects], () => read(objects));
}

function read(objects: readonly JsonMap[]): readonly EksResource[] {
  const text = objects.map((one) => stringify(one)).join('---\n');
  return readApart([{ paths: ['-'], reading: { standardInput: { name: '-', text } } }], {}, (reads) =>
    reads.flatMap(({ model, diagnostics }) => {
      expect(diagnostics).toEqual([]);
      return model.resources;
    }),
  ).result;
}
