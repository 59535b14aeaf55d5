import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import ts from 'typescript';
import { AS_OF } from '../../as-of';
import { EksModel } from '../../../lib/eks';
import { runRules, type Finding } from '../../../lib/engine';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { allRules } from '../../../lib/rules';
import { projectRoot } from '../../cli/built-command';
import { COMPILER } from '../../compiler';
import { itWithAll, share } from '../../share';
import { obeyed, sourceOf, textOf, type Source } from './app';
import { DEFECTIVE_APPS, type DefectiveApp } from './apps';

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

  it.each(share(CASES))('%s', (name, { app, library }) => {
    const source = sourceOf(app, library);
    const before = findingsOf(source, library, app.region);
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
      findings = findingsOf(after, library, app.region);
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

  it('can be pasted for two groups into one file', () => {
    const group = (id: string, size: number): string =>
      `cluster.addNodegroupCapacity('${id}', {\n  amiType: eks.NodegroupAmiType.AL2023_X86_64_STANDARD,\n  diskSize: ${size},\n  /*${id}*/\n});`;
    const code = ['/*before*/', group('Blue', 50), group('Green', 60)].join('\n');
    let source = sourceOf({ name: '', rule: '', code }, 'v2');
    for (const id of ['Blue', 'Green']) {
      const finding = findingsOf(sourceOf({ name: '', rule: '', code }, 'v2'), 'v2').find(
        ({ rule, resource }) => rule === 'imds-hop-limit' && resource.path?.includes(id) === true,
      );
      if (finding === undefined) throw new Error(`${id} has no defect`);
      const marked = { ...source, code: source.code.replace(`/*${id}*/`, '/*node group*/') };
      const after = obeyed(marked, finding);
      if ('problem' in after) throw new Error(after.problem);
      source = { ...after, code: after.code.replace('/*node group*/', '') };
    }
    fixed.push({ name: 'two groups', text: textOf(source, 'v2') });
    expect(findingsOf(source, 'v2').filter(({ rule }) => rule === 'imds-hop-limit')).toEqual([]);
  });

  itWithAll('compiles for a strict user', () => {
    expect(compileErrors(fixed)).toEqual([]);
  });
});

function findingsOf(source: Source, library: Library, region = 'eu-west-1'): Finding[] {
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
  new exported.UserStack(app, 'Stack', { env: { region, account: '123456789012' } });
  const { template } = app.synth().getStackByName('Stack') as { template: object };
  const { resources } = readTemplates([{ file: 'Stack.template.json', content: template, region }]);
  return runRules(new EksModel(resources), allRules, { asOf: AS_OF }).filter(({ verdict }) => verdict === 'fail');
}

function keyOf({ rule, resource }: Finding): string {
  return `${rule} ${(resource.path ?? resource.id).replace(/WorkersAnew|NodegroupDefaultCapacity/, (name) => (name === 'WorkersAnew' ? 'Workers' : 'NodegroupWorkers'))}`;
}

/** What the compiler says of the apps, each with its name. They stand beside the tests, from where packages and our own constructs are found. */
function compileErrors(files: readonly { readonly name: string; readonly text: string }[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-obeyed-'));
  try {
    symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'), 'junction');
    for (const [index, { text }] of files.entries()) writeFileSync(join(folder, `app-${index}.ts`), text);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: 'ES2022',
      module: 'node16',
      moduleResolution: 'node16',
      types: ['node'],
      lib: ['ES2023'],
      paths: { 'eks-guardrails/aws-cdk': [join(projectRoot, 'constructs/aws-cdk/index.ts')] },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const { stdout, stderr } = spawnSync(process.execPath, [COMPILER, '-p', '.', '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return (
      `${stdout}${stderr}`
        .split('\n')
        // Our own sources are compiled by their own options elsewhere.
        .filter((line) => line !== '' && !/^(?:\.\.|\/|\s)/.test(line))
        .map((line) => line.replace(/^app-(\d+)\.ts/, (file, index: string) => files[Number(index)]?.name ?? file))
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
