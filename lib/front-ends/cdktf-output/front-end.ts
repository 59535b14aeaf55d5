import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { readText } from '../../files/read';
import type { FrontEnd } from '../front-end';
import { CDKTF, WRITTEN_BY_CDKTF } from '../terraform/dialects';
import { terraformReader, type TerraformReader } from '../terraform/reading';
import { isCdktfManifest, readCdktfOutput } from './read';

const MANIFEST = 'manifest.json';

/** What an app of CDKTF or CDK Terrain writes: `cdktf.out`. */
export const cdktfOutput: FrontEnd<TerraformReader> = {
  kinds: { 'cdktf-output': 'CDKTF output' },
  dialects: [CDKTF],
  detection: {
    output: { manifest: MANIFEST, folder: 'cdktf.out', whyNotEdited: WRITTEN_BY_CDKTF, isAt: isCdktfOutput },
  },
  reader: terraformReader,
  take({ configurations }, { path: folder }, run) {
    // The stacks that the manifest lists. Whatever else is in its folder is read as anywhere.
    if (run.isNew(join(folder, MANIFEST))) configurations.addApp(folder, (path) => readCdktfOutput(path, run.files));
    return undefined;
  },
};

function isCdktfOutput(folder: string): boolean {
  const manifest = join(folder, MANIFEST);
  if (!existsSync(manifest)) return false;
  if (basename(resolve(folder)) === 'cdktf.out') return true;
  const content = readText(manifest);
  return 'text' in content && isCdktfManifest(content.text);
}
