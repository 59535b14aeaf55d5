import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { AS_OF } from '../../../as-of';
import { checkPaths } from '../../../../lib/check';
import type { EksResource } from '../../../../lib/eks';
import type { JsonMap } from '../../../rules/terraform/untranslatable';

/** The resources that controllers make of objects, which stand in one file. */
export function resourcesOf(objects: readonly JsonMap[]): readonly EksResource[] {
  const folder = mkdtempSync(join(tmpdir(), 'controllers-'));
  try {
    writeFileSync(join(folder, 'objects.yaml'), objects.map((one) => stringify(one)).join('---\n'));
    const { model, diagnostics } = checkPaths([folder], { asOf: AS_OF, rules: {} });
    expect(diagnostics).toEqual([]);
    return model.resources;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
