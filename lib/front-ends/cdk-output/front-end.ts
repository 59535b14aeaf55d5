import { existsSync, lstatSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { readText } from '../../files/read';
import type { Diagnostic, InputSummary } from '../../value';
import { AWS_CDK, WRITTEN_BY_CDK } from '../cloudformation/dialects';
import { templateReader, type TemplateReader } from '../cloudformation/reading';
import type { FrontEnd } from '../front-end';
import { someNames } from '../parts/some-names';
import { readAssembly } from './assembly';

const MANIFEST = 'manifest.json';

/** What an app of the AWS CDK writes: `cdk.out`. Its templates are read with all others. */
export const cdkOutput: FrontEnd<TemplateReader> = {
  kinds: { 'cdk-assembly': 'CDK assembly' },
  sought: 'CDK assembly',
  dialects: [AWS_CDK],
  detection: {
    output: { manifest: MANIFEST, folder: 'cdk.out', whyNotEdited: WRITTEN_BY_CDK, isAt: isAssembly },
  },
  reader: templateReader,
  take(reader, { path: folder }, run) {
    // That of a stage is read with the app's.
    if (!run.isNew(join(folder, MANIFEST))) return undefined;
    const read = readAssembly(folder, (file) => run.files.readInput(file));
    const folders = new Set(read.files.filter((file) => basename(file) === MANIFEST).map((file) => dirname(file)));
    const assets = read.assetFolders.filter((asset) => isWrittenByCdk(dirname(asset)));
    for (const path of [...read.files, ...assets]) if (isIn(path, folders)) run.claim(path);
    run.tell(...read.diagnostics);
    reader.add('cdk-assembly', folder, read.templates);
    return undefined;
  },
  review: strays,
};

/** What an assembly names isn't read once more where it lies in a folder of it. Elsewhere, and behind a link, it has a place of its own as well. */
function isIn(path: string, folders: ReadonlySet<string>): boolean {
  return folders.has(dirname(path)) && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false;
}

/** Whether an app of the CDK wrote a folder. */
function isAssembly(folder: string): boolean {
  const manifest = join(folder, MANIFEST);
  if (!existsSync(manifest)) return false;
  if (isWrittenByCdk(folder)) return true;
  const content = readText(manifest);
  return 'text' in content && /"(?:aws:cloudformation:stack|cdk:cloud-assembly)"/.test(content.text);
}

/** Whether the CDK has left its mark beside a manifest. Beside that of a web app there may be a folder of the same name. */
function isWrittenByCdk(folder: string): boolean {
  return statSync(join(folder, 'cdk.out'), { throwIfNoEntry: false })?.isFile() === true;
}

/** Templates in an assembly of which its manifest says nothing: the CDK doesn't clear away what an earlier synthesis left. */
function strays(inputs: readonly InputSummary[]): readonly Diagnostic[] {
  return inputs.flatMap(({ kind, path: folder, resources }): readonly Diagnostic[] => {
    const left =
      kind !== 'cdk-assembly' || resources === 0
        ? []
        : inputs.flatMap((input) =>
            input.kind === 'cloudformation-template' && relative(dirname(input.path), folder) === ''
              ? [basename(input.path)]
              : [],
          );
    if (left.length === 0) return [];
    const message = `not in the manifest of this assembly, so checked on its own: ${someNames(left)}; if an earlier synthesis left it, delete ${folder} and synthesize again`;
    return [{ severity: 'warning', message, file: join(folder, MANIFEST), line: 1, column: 1 }];
  });
}
