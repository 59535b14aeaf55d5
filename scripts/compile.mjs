// Compiles the package's TypeScript into a folder, for scripts/build.mjs: `node scripts/compile.mjs FOLDER`.
//
// CDK Terrain is CDKTF under another name. Its modules are compiled, and checked against its own types, from the sources of CDKTF: of each
// constructs/cdktf/x.ts the compiler is shown a constructs/cdktn/x.ts, which differs in the modules that it imports and in its comments.
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(fileURLToPath(import.meta.url))).replaceAll(sep, '/');
const [outDir] = process.argv.slice(2);
const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(
  `${root}/tsconfig.build.json`,
  { outDir, noEmitOnError: true },
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => finish([diagnostic]) },
);
/** The source of CDKTF by the file of CDK Terrain that is made of it. */
const terrainFiles = new Map(
  fileNames
    .map((file) => file.slice(root.length + 1))
    .filter((path) => /^(?:constructs|aspects)\/cdktf\//.test(path))
    .map((path) => [`${root}/${renamedPath(path)}`, `${root}/${path}`]),
);
const terrainFolders = new Set([...terrainFiles.keys()].map((file) => dirname(file)));

const host = ts.createCompilerHost(options);
const { readFile, fileExists, directoryExists } = host;
const program = ts.createProgram({
  rootNames: [...fileNames, ...terrainFiles.keys()],
  options,
  configFileParsingDiagnostics: errors,
  host: {
    ...host,
    // As tsc does: comments are copied, and not read.
    jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeErrors,
    fileExists: (file) => terrainFiles.has(file) || fileExists(file),
    directoryExists: (folder) => terrainFolders.has(folder) || directoryExists(folder),
    readFile: textOf,
    getSourceFile: (file, version) => {
      const text = textOf(file);
      return text === undefined ? undefined : ts.createSourceFile(file, text, version);
    },
  },
});
const problems = ts.getPreEmitDiagnostics(program);
finish(problems.length > 0 ? problems : program.emit().diagnostics);

function textOf(file) {
  const source = terrainFiles.get(file);
  return source === undefined ? readFile(file) : terrainSource(source, readFile(source));
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
  const sourceFile = ts.createSourceFile(file, text, options.target);
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

function finish(diagnostics) {
  if (diagnostics.length === 0) return;
  console.error(
    ts.formatDiagnosticsWithColorAndContext(diagnostics, {
      getCurrentDirectory: () => root,
      getCanonicalFileName: (file) => file,
      getNewLine: () => '\n',
    }),
  );
  process.exit(1);
}
