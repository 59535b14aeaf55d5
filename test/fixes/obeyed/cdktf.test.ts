import * as cdktf from 'cdktf';
import * as cdktn from 'cdktn';
import ts from 'typescript';
import { AS_OF } from '../../as-of';
import { EksModel } from '../../../lib/eks';
import { runRules, type Finding } from '../../../lib/engine';
import { readTerraformStacks } from '../../../lib/front-ends/terraform/stacks';
import { allRules } from '../../../lib/rules';

/* Code for apps of CDKTF and CDK Terrain as somebody follows it who takes it literally: it compiles, the app synthesizes, and the finding is gone. */

type Library = 'cdktf' | 'cdktn';

/** Properties that have a defect, of constructs with a marker at their end. */
const APPS: readonly (readonly [
  string,
  Partial<Record<'cluster' | 'template' | 'group' | 'addon' | 'values' | 'role', string>>,
])[] = [
  ['cluster-version-support', { template: '', cluster: "version: '1.27'," }],
  [
    'cluster-version-support beside an add-on that is pinned',
    {
      template: '',
      cluster: "version: '1.27',",
      addon: "addonVersion: 'v1.16.4-eksbuild.2', resolveConflictsOnUpdate: 'PRESERVE',",
    },
  ],
  ['imds-hop-limit', { template: "metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 1 }," }],
  ['imds-v1', { template: "metadataOptions: { httpTokens: 'optional', httpPutResponseHopLimit: 2 }," }],
  ['imds-hop-limit without a template', {}],
  ['imds-hop-limit with a disk size', { group: 'diskSize: 60,' }],
  ['node-group-force-update', { template: '', group: 'forceUpdateVersion: true,' }],
  ['node-group-update-config', { template: '', group: 'updateConfig: { maxUnavailablePercentage: 100 },' }],
  ['vpc-cni-resolve-conflicts', { template: '', addon: "resolveConflictsOnUpdate: 'OVERWRITE'," }],
  ['cluster-role-policies', { template: '', role: 'eks.amazonaws.com' }],
  [
    'vpc-cni-configuration-schema',
    {
      template: '',
      addon: "resolveConflictsOnUpdate: 'PRESERVE',",
      values: "{ env: { DISABLE_TCP_EARLY_DEMUX: 'true' } }",
    },
  ],
  ['cluster-network-addons', { template: '', cluster: 'bootstrapSelfManagedAddons: false,' }],
];

function sourceOf(library: Library, parts: (typeof APPS)[number][1]): string {
  const { cluster = '', template, group = '', addon, values = "{ env: { WARM_ENI_TARGET: '1' } }", role } = parts;
  const lib = `@${library}/provider-aws/lib`;
  return [
    `import { TerraformStack } from '${library}';`,
    "import type { Construct } from 'constructs';",
    `import { AwsProvider } from '${lib}/provider';`,
    `import { EksCluster } from '${lib}/eks-cluster';`,
    `import { EksNodeGroup } from '${lib}/eks-node-group';`,
    `import { EksAddon } from '${lib}/eks-addon';`,
    `import { LaunchTemplate } from '${lib}/launch-template';`,
    `import { IamRole } from '${lib}/iam-role';`,
    'void [EksAddon, IamRole, LaunchTemplate];',
    'export class UserStack extends TerraformStack {',
    '  constructor(scope: Construct, id: string) {',
    '    super(scope, id);',
    "    new AwsProvider(this, 'aws', { region: 'eu-west-1' });",
    ...(role === undefined
      ? []
      : [
          `    const role = new IamRole(this, 'cluster_role', { assumeRolePolicy: JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: '${role}' } }] }) });`,
        ]),
    `    const cluster = new EksCluster(this, 'main', { name: 'main', ${cluster.startsWith('version') ? '' : "version: '1.35', "}roleArn: ${role === undefined ? "'r'" : 'role.arn'}, vpcConfig: { subnetIds: ['a', 'b'] }, ${cluster} /*EksCluster*/ });`,
    ...(template === undefined
      ? []
      : [
          `    const template = new LaunchTemplate(this, 'template', { ${template === '' ? "metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 2 }," : template} /*LaunchTemplate*/ });`,
        ]),
    '    /*before*/',
    `    new EksNodeGroup(this, 'workers', { clusterName: cluster.name, nodeRoleArn: 'r', subnetIds: ['a'], scalingConfig: { minSize: 1, maxSize: 3, desiredSize: 2 }, ${template === undefined ? '' : 'launchTemplate: { id: template.id, version: `${template.latestVersion}` }, '}${group} /*EksNodeGroup*/ });`,
    ...(addon === undefined
      ? []
      : [
          `    new EksAddon(this, 'cni', { clusterName: cluster.name, addonName: 'vpc-cni', ${addon.startsWith('addonVersion') ? '' : "addonVersion: 'v1.22.4-eksbuild.3', "}configurationValues: JSON.stringify(${values}), ${addon} /*EksAddon*/ });`,
        ]),
    '  }',
    '}',
  ].join('\n');
}

/** New constructs go before the node group, imports to the others, and properties into the construct that is named, where they replace those there. */
function obeyed(source: string, { fixCode = '' }: Finding): string {
  let text = source;
  let place: string | undefined;
  for (const line of sections(fixCode)) {
    const [, kind, without = ''] = /^\/\/ in the properties of the (\w+) .*?(?:, without (\w+))?:$/.exec(line) ?? [];
    if (kind !== undefined) {
      place = kind;
      text = text.replace(new RegExp(` ${without || 'nothing'}: \\w+,`), '');
    } else if (line.startsWith('import ')) text = text.includes(line) ? text : `${line}\n${text}`;
    else if (line.startsWith('// ')) continue;
    else if (place === undefined) text = text.replace('/*before*/', () => `${line}\n/*before*/`);
    else text = withProperty(text, place, line);
  }
  return text;
}

/** Lines, and what is in braces as one. */
function sections(code: string): readonly string[] {
  const found: string[] = [];
  for (const line of code.split('\n')) {
    if (/^(?:\s|[}\]])/.test(line) && found.length > 0) found.push(`${found.pop() ?? ''}\n${line}`);
    else if (line !== '') found.push(line);
  }
  return found;
}

function withProperty(text: string, place: string, property: string): string {
  const marker = `/*${place}*/`;
  if (!text.includes(marker)) throw new Error(`the app has no ${place} for ${property}`);
  const name = /^\w+/.exec(property)?.[0] ?? '';
  const at = text.indexOf(marker);
  const start = text.lastIndexOf('\n', at);
  const line = text
    .slice(start, at)
    .replace(new RegExp(` ${name}: (?:JSON\\.stringify\\([^()]*\\)|\\{[^}]*\\}|'[^']*'|\\w+),`), '');
  return `${text.slice(0, start)}${line}${property.replace(/ \/\/ .*/, '')} ${text.slice(at)}`;
}

function findingsOf(library: Library, source: string): readonly Finding[] {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const exported: { UserStack?: new (scope: unknown, id: string) => cdktf.TerraformStack } = {};
  // oxlint-disable-next-line typescript/no-implied-eval
  const run = new Function('exports', 'require', outputText) as (
    exports: object,
    require: (name: string) => unknown,
  ) => void;
  run(exported, (name) => jest.requireActual<object>(name));
  const { App } = (library === 'cdktf' ? cdktf : cdktn) as typeof cdktf;
  if (exported.UserStack === undefined) throw new Error('the app exports no stack');
  const stack = new exported.UserStack(new App({ skipValidation: true }), 'prod');
  stack.prepareStack();
  const { resources, diagnostics } = readTerraformStacks([
    {
      name: 'prod',
      constructPath: 'prod',
      app: '',
      file: 'cdk.tf.json',
      content: JSON.parse(JSON.stringify(stack.toTerraform())) as unknown,
    },
  ]);
  expect(diagnostics).toEqual([]);
  return runRules(new EksModel(resources), allRules, { asOf: AS_OF }).filter(({ verdict }) => verdict === 'fail');
}

describe.each(['cdktf', 'cdktn'] as const)('the fix of an app of %s, obeyed literally', (library) => {
  const fixed: string[] = [];

  it.each(APPS)('%s', (name, parts) => {
    const rule = name.split(' ')[0] ?? '';
    const source = sourceOf(library, parts);
    const before = findingsOf(library, source);
    const finding = before.find((one) => one.rule === rule);
    if (finding === undefined) throw new Error(`no such defect, but ${before.map((one) => one.rule).join()}`);
    const other = library === 'cdktf' ? '@cdktn/' : '@cdktf/';
    expect(finding.fixCode ?? other).not.toContain(other);
    const after = obeyed(source, finding);
    fixed.push(after);
    const findings = findingsOf(library, after);
    const known = new Set(before.map((one) => `${one.rule} ${one.resource.id}`));
    expect([
      findings.filter((one) => one.rule === rule && one.resource.id === finding.resource.id && one.severity !== 'info'),
      findings
        .filter((one) => one.severity !== 'info' && !known.has(`${one.rule} ${one.resource.id}`))
        .map(({ message }) => message),
      finding.fixCode,
    ]).toEqual([[], [], finding.fixCode]);
  });

  it('compiles for a strict user', () => {
    expect(fixed).toHaveLength(APPS.length);
    expect(compileErrors(fixed)).toEqual([]);
  });
});

function compileErrors(texts: readonly string[]): readonly string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    types: ['node'],
  };
  const host = ts.createCompilerHost(options);
  const files = new Map(texts.map((text, index) => [`${process.cwd()}/obeyed-cdktf-${index}.ts`, text]));
  const getSourceFile = host.getSourceFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  const readFile = host.readFile.bind(host);
  host.getSourceFile = (file, ...rest) => {
    const text = files.get(file);
    return text === undefined ? getSourceFile(file, ...rest) : ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  };
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => files.get(file) ?? readFile(file);
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((file) =>
    [
      ...program.getSyntacticDiagnostics(program.getSourceFile(file)),
      ...program.getSemanticDiagnostics(program.getSourceFile(file)),
    ].map(
      ({ messageText, start = 0 }) =>
        `${ts.flattenDiagnosticMessageText(messageText, '\n')} at "${files.get(file)?.slice(start, start + 60) ?? ''}"`,
    ),
  );
}
