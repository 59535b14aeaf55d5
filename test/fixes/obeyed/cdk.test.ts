import { App, type Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import ts from 'typescript';
import { AS_OF } from '../../as-of';
import { EksModel } from '../../../lib/eks';
import { runRules, type Finding } from '../../../lib/engine';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { allRules } from '../../../lib/rules';
import { obeyed, sourceOf, textOf, type Source } from './app';
import { DEFECTIVE_APPS, type DefectiveApp } from './apps';

process.env.CDK_VALIDATION = 'false';

type Library = 'v1' | 'v2';
interface Case {
  readonly app: DefectiveApp;
  readonly library: Library;
}

const CASES: readonly (readonly [string, Case])[] = DEFECTIVE_APPS.flatMap((app) =>
  (['v1', 'v2'] as const)
    .filter((library) => app.library === 'both' || library === (app.library ?? 'v2'))
    .map((library) => [`${app.rule}: ${app.name}, ${library}`, { app, library }] as const),
);

describe('the fix of an app of the AWS CDK, obeyed literally', () => {
  const fixed: { readonly name: string; readonly text: string }[] = [];

  it.each(CASES)('%s', (name, { app, library }) => {
    const source = sourceOf(app, library);
    const before = findingsOf(source, library);
    const finding = before.find(({ rule }) => rule === app.rule);
    if (finding === undefined)
      throw new Error(`the app has no such defect, but ${before.map(({ rule }) => rule).join()}`);
    if (app.inWords) {
      expect(finding.fixCode).toBeUndefined();
      return;
    }
    expect(finding.fixCode).toBeDefined();
    const after = obeyed(source, finding);
    if ('problem' in after) throw new Error(`${after.problem}\n${finding.fixCode ?? ''}`);
    fixed.push({ name, text: textOf(after, library) });
    let findings: readonly Finding[];
    try {
      findings = findingsOf(after, library);
    } catch (error) {
      throw new Error(`${String(error)}\n${textOf(after, library)}`);
    }
    const known = new Set(before.map(keyOf));
    expect([
      findings.filter(({ rule }) => rule === app.rule).length < before.filter(({ rule }) => rule === app.rule).length,
      findings
        .filter((one) => one.severity !== 'info' && !known.has(keyOf(one)))
        .map(({ rule, message }) => `${rule}: ${message}`),
      finding.fixCode,
    ]).toEqual([true, [], finding.fixCode]);
  });

  it('compiles for a strict user', () => {
    expect(compileErrors(fixed)).toEqual([]);
  });
});

function findingsOf(source: Source, library: Library): Finding[] {
  const { outputText } = ts.transpileModule(textOf(source, library), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const exported: { UserStack?: new (scope: Construct, id: string, props: object) => Stack } = {};
  const load = (name: string): unknown =>
    jest.requireActual(name === 'eks-guardrails/aws-cdk' ? '../../../constructs/aws-cdk' : name);
  // oxlint-disable-next-line typescript/no-implied-eval
  const run = new Function('exports', 'require', outputText) as (exports: object, require: typeof load) => void;
  run(exported, load);
  if (exported.UserStack === undefined) throw new Error('the app exports no stack');
  const app = new App({ context: { 'aws:cdk:enable-path-metadata': true } });
  new exported.UserStack(app, 'Stack', { env: { region: 'eu-west-1', account: '123456789012' } });
  const { template } = app.synth().getStackByName('Stack') as { template: object };
  const { resources } = readTemplates([{ file: 'Stack.template.json', content: template }]);
  return runRules(new EksModel(resources), allRules, { asOf: AS_OF }).filter(({ verdict }) => verdict === 'fail');
}

function keyOf({ rule, resource }: Finding): string {
  return `${rule} ${(resource.path ?? resource.id).replace(/WorkersAnew|NodegroupDefaultCapacity/, (name) => (name === 'WorkersAnew' ? 'Workers' : 'NodegroupWorkers'))}`;
}

function compileErrors(files: readonly { readonly name: string; readonly text: string }[]): readonly string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    types: [],
    paths: { 'eks-guardrails/aws-cdk': ['./constructs/aws-cdk/index.ts'] },
  };
  const host = ts.createCompilerHost(options);
  const texts = new Map(files.map(({ text }, index) => [`${process.cwd()}/obeyed-${index}.ts`, text]));
  const getSourceFile = host.getSourceFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  const readFile = host.readFile.bind(host);
  host.getSourceFile = (file, ...rest) => {
    const text = texts.get(file);
    return text === undefined ? getSourceFile(file, ...rest) : ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  };
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  const program = ts.createProgram([...texts.keys()], options, host);
  return [...texts.keys()].flatMap((file, index) =>
    [
      ...program.getSyntacticDiagnostics(program.getSourceFile(file)),
      ...program.getSemanticDiagnostics(program.getSourceFile(file)),
    ].map(
      ({ messageText, start = 0 }) =>
        `${files[index]?.name ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')} at "${texts.get(file)?.slice(start, start + 60) ?? ''}"`,
    ),
  );
}
