import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { readApart } from '../../../../lib/check';
import type { EksResource } from '../../../../lib/eks';
import { once } from '../../../rules/models';
import type { JsonMap } from '../../../rules/terraform/untranslatable';

/** The resources that controllers make of objects, which stand in one file. */
export function resourcesOf(objects: readonly JsonMap[]): readonly EksResource[] {
  return once(['objects', objects], () => read(objects));
}

function read(objects: readonly JsonMap[]): readonly EksResource[] {
  const folder = mkdtempSync(join(tmpdir(), 'controllers-'));
  try {
    writeFileSync(join(folder, 'objects.yaml'), objects.map((one) => stringify(one)).join('---\n'));
    return readApart([{ paths: [folder] }], {}, (reads) =>
      reads.flatMap(({ model, diagnostics }) => {
        expect(diagnostics).toEqual([]);
        return model.resources;
      }),
    ).result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
