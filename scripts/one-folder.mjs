// Puts an entry point with all that it imports, and the tables that it reads, into one folder that runs by itself: for Lambda, and for the module of jsii.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * @param {string} entry path from the root of the repository on
 * @param {string} folder where index.js, package.json, the folder data and the licences of what is in it are written
 * @param {readonly string[]} external packages that are there where it runs
 */
export async function oneFolder(entry, folder, external) {
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    outfile: join(folder, 'index.js'),
    bundle: true,
    external: [...external],
    format: 'cjs',
    platform: 'node',
    target: 'node20.9',
    // Names stay: a stack trace of an internal error must be worth reading.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
    plugins: [{ name: 'sources', setup }],
  });
  cpSync(join(root, 'lib/knowledge/data'), join(folder, 'data'), {
    recursive: true,
    filter: (file) => !/\.(ts|md)$/.test(file),
  });
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // Where the code asks for its version.
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ name, version, license, private: true }, null, 2)}\n`,
  );
  writeFileSync(join(folder, 'LICENSES.txt'), licenses(Object.keys(metafile.inputs)));
}

function setup({ onLoad, onResolve }) {
  // What is loaded late is in the file, too.
  onLoad({ filter: /\.ts$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    const isLate = /^const load = createRequire\(__filename\);$/m.test(text);
    return { contents: isLate ? text.replaceAll(/\bload\((?='[^']+'\))/g, 'require(') : text, loader: 'ts' };
  });
  // No module of ours does anything when it is imported, so that one of which nothing is used can be left out.
  onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
    if (resolveDir.includes('node_modules')) return undefined;
    const file = [`${path}.ts`, `${path}/index.ts`].map((one) => resolve(resolveDir, one)).find(existsSync);
    return file === undefined ? undefined : { path: file, sideEffects: false };
  });
}

/** The licence of the package, and of each whose code is in the file. */
export function licenses(inputs) {
  const folders = new Set(
    inputs.flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []),
  );
  return ['.', ...[...folders].sort()].map((folder) => licenseOf(join(root, folder))).join('\n\n');
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${name} has no file with its licence (${license})`);
  return `${name} ${version}, ${license}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
