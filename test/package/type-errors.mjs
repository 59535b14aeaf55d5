// Prints what the compiler says of a folder's project: of its own files and of the declarations of this package, as `tsc -p FOLDER` does. That one
// checks all declarations of the CDKs too, which takes ten times as long.
import { join } from 'node:path';
import ts from 'typescript';

const [, , folder] = process.argv;
const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(
  join(folder, 'tsconfig.json'),
  {},
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (error) => {
      throw new Error(String(error.messageText));
    },
  },
);
const program = ts.createProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors });
const own = program
  .getSourceFiles()
  .filter(({ fileName }) => fileNames.includes(fileName) || fileName.includes('/eks-guardrails/'));
if (own.length < 20) throw new Error(`only ${own.length} files of the package are read`);
const found = [
  ...program.getConfigFileParsingDiagnostics(),
  ...program.getOptionsDiagnostics(),
  ...program.getGlobalDiagnostics(),
  ...own.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
];
process.stdout.write(
  ts.formatDiagnostics(found, {
    getCurrentDirectory: () => folder,
    getCanonicalFileName: (file) => file,
    getNewLine: () => '\n',
  }),
);
