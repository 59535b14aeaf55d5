// Compiles the package's TypeScript into a folder, for scripts/build.mjs: `node scripts/compile.mjs FOLDER`.
//
// CDK Terrain is CDKTF under another name. Its modules are compiled, and checked against its own types, from the sources of CDKTF: of each
// constructs/cdktf/x.ts the compiler is given a constructs/cdktn/x.ts, which differs in the modules that it imports and in its comments. They stand
// in a copy of the sources, outside of the repository so that no tool takes them for its own.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { root } from './install.mjs';

const [outDir] = process.argv.slice(2);
const sources = realpathSync(mkdtempSync(join(tmpdir(), 'eks-guardrails-sources-')));
try {
  for (const name of ['lib', 'constructs', 'aspects', 'package.json', 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(join(root, name), join(sources, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'), 'junction');
  for (const folder of ['constructs', 'aspects']) {
    for (const name of readdirSync(join(sources, folder, 'cdktf'), { recursive: true })) {
      if (!name.endsWith('.ts')) continue;
      const file = join(sources, folder, 'cdktn', renamedPath(name));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, terrainSource(file, readFileSync(join(sources, folder, 'cdktf', name), 'utf8')));
    }
  }
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
  const { status } = spawnSync(
    process.execPath,
    [compiler, '-p', 'tsconfig.build.json', '--outDir', outDir, '--noEmitOnError'],
    { cwd: sources, stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(sources, { recursive: true, force: true });
}

/** A source of CDKTF, as it would be written for CDK Terrain. Texts in code stay, such as ids that both libraries share. */
function terrainSource(file, text) {
  const { importedFiles, ambientExternalModules = [] } = ts.preProcessFile(text);
  if (ambientExternalModules.length > 0) throw new Error(`${file} declares a module: say what it is for CDK Terrain`);
  const changes = [
    // The position is that of the quote.
    ...importedFiles.map(({ fileName, pos }) => ({
      start: pos + 1,
      end: pos + 1 + fileName.length,
      now: terrainModule(fileName),
    })),
    ...commentsOf(file, text).map(({ pos, end }) => ({ start: pos, end, now: terrainComment(text.slice(pos, end)) })),
  ].sort((one, other) => one.start - other.start);
  let [result, at] = ['', 0];
  for (const { start, end, now } of changes) {
    result += text.slice(at, start) + now;
    at = end;
  }
  return result + text.slice(at);
}

function commentsOf(file, text) {
  const comments = new Map();
  const add = (ranges) => ranges?.forEach((range) => comments.set(range.pos, range));
  const sourceFile = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  const visit = (node) => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
    add(ts.getLeadingCommentRanges(text, node.pos));
    add(ts.getTrailingCommentRanges(text, node.end));
    node.getChildren(sourceFile).forEach(visit);
  };
  visit(sourceFile);
  return [...comments.values()];
}

function terrainModule(name) {
  return name.startsWith('.') ? renamedPath(name) : name.replace(/^(@?)cdktf(?=\/|$)/, '$1cdktn');
}

function renamedPath(path) {
  return path.replace(/(^|\/)cdktf(?=\/|$)/, '$1cdktn');
}

/** `cdktf synth` is `cdktn synth`, `eks-guardrails/cdktf` is `eks-guardrails/cdktn`, `cdktf.out` keeps its name. */
function terrainComment(comment) {
  return comment
    .replace(/\bcdktf\b(?!\.out)/g, 'cdktn')
    .replace(/\bCDKTF\b(?! or CDK Terrain|,? and CDK Terrain)/g, 'CDK Terrain');
}
