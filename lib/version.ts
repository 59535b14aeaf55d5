import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileText } from './files/read';

/** Version of this package, from its package.json. */
export function packageVersion(): string {
  // The compiled files lie one folder deeper than the sources, so the depth isn't fixed.
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the package.json of eks-guardrails is missing');
    folder = parent;
  }
  const { version } = JSON.parse(fileText(join(folder, 'package.json'))) as { version: string };
  return version;
}
