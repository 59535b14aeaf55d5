// Format, type check, lint, layers and what is unused in one go, as `npm run typecheck` and `npm run lint` do one after the
// other: most of the time of both goes into the types, and these are found out once here.
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import ts from 'typescript';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(
  `${root}/tsconfig.json`,
  // Declarations are made, and so checked, by the build.
  { noEmit: true, declaration: false },
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: stop },
);
const program = ts.createProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors });
const problems = ts.getPreEmitDiagnostics(program);
if (problems.length > 0) stop(...problems);

const eslint = new ESLint({
  cwd: root,
  overrideConfig: {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: false, programs: [program] } },
  },
});
const results = await eslint.lintFiles('.');
const found = await (await eslint.loadFormatter('stylish')).format(results);
if (found !== '') console.error(found);
if (results.some(({ errorCount }) => errorCount > 0)) process.exitCode = 1;

runTool('@biomejs/biome/bin/biome', 'format', '.');
runTool(
  'dependency-cruiser/bin/dependency-cruise.mjs',
  '--config',
  '.dependency-cruiser.mjs',
  'lib',
  'constructs',
  'aspects',
);
runTool('knip/bin/knip.js');
runTool('knip/bin/knip.js', '--production');

function runTool(script, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`node_modules/${script}`, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) return;
  console.error(`${stdout}${stderr}`);
  process.exitCode = 1;
}

function stop(...diagnostics) {
  console.error(
    ts.formatDiagnosticsWithColorAndContext(diagnostics, {
      getCurrentDirectory: () => root,
      getCanonicalFileName: (file) => file,
      getNewLine: () => '\n',
    }),
  );
  process.exit(1);
}
