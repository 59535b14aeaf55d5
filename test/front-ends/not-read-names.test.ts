import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UNREAD_PROJECTS, whyNoInputFile, whyNoInputFolder, whyNoInputText } from '../../lib/front-ends/not-read';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'not-read-names-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), '');
  }
}

/** What a reason is about, in a word. */
function word(reason: string | undefined): string | undefined {
  return [
    'npx cdktf synth',
    'npx cdk synth',
    'terragrunt',
    'Pulumi',
    'pulumi preview --json --show-sames',
    'Helm chart',
    'NodeConfig',
    'user data',
    'a script',
  ].find((one) => reason?.includes(one) === true);
}

const file = (name: string, ...others: readonly string[]) => {
  write(name, ...others);
  return word(whyNoInputFile(join(root, name)));
};

describe('the name of a file', () => {
  it.each([
    'a.ts',
    'a.mts',
    'a.cts',
    'a.tsx',
    'a.js',
    'a.mjs',
    'a.cjs',
    'a.jsx',
    'a.py',
    'a.java',
    'a.kt',
    'a.go',
    'a.cs',
    'a.fs',
    'A.TS',
    'cdk.json',
  ])('%s is of an app of the CDK', (name) => {
    expect(file(name)).toBe('npx cdk synth');
  });

  it('is of an app of CDKTF where that is configured in the folder, or up to five above it', () => {
    expect(file('app/a.ts', 'app/cdktf.json')).toBe('npx cdktf synth');
    expect(file('b/1/2/3/a.ts', 'b/cdktf.json')).toBe('npx cdktf synth');
    expect(file('c/1/2/3/4/5/6/a.ts', 'c/cdktf.json')).toBe('npx cdk synth');
    expect(file('cdktf.json')).toBe('npx cdktf synth');
  });

  it.each(['index.ts', 'main.go', '__main__.py', 'Program.cs', 'src/main/java/shop/App.java'])(
    '%s is of a program of Pulumi where the nearest project is one',
    (name) => {
      expect(file(`pulumi/${name}`, 'pulumi/Pulumi.yaml')).toBe('pulumi preview --json --show-sames');
      expect(file(`pulumi/app/${name}`, 'pulumi/app/cdk.json')).toBe('npx cdk synth');
    },
  );

  it.each([
    ['terragrunt.hcl', 'terragrunt'],
    ['Pulumi.yaml', 'Pulumi'],
    ['Pulumi.prod.yml', 'Pulumi'],
    ['pulumi.yaml', undefined],
    ['Pulumi.yaml.txt', undefined],
    ['MyPulumi.yaml', undefined],
    ['values.yaml', undefined],
    ['nodes.sh', 'a script'],
    ['nodes.PS1', 'a script'],
    ['sh', undefined],
    ['main.tf', undefined],
    ['my-cdk.json', undefined],
    ['ts', undefined],
  ])('%s: %s', (name, expected) => {
    expect(file(name)).toBe(expected);
  });

  it('is of a chart beside its Chart.yaml', () => {
    expect(file('chart/values.yaml', 'chart/Chart.yaml')).toBe('Helm chart');
    expect(file('chart/Chart.yaml')).toBe('Helm chart');
    expect(file('chart/other.yaml', 'chart/Chart.yaml')).toBeUndefined();
    expect(file('chart/values.yaml.bak', 'chart/Chart.yaml')).toBeUndefined();
  });
});

describe('a text', () => {
  it.each([
    ['apiVersion: v1\nkind: Pod', undefined],
    ['---\n"apiVersion": "v1"\n"kind": "Pod"', undefined],
    ['{"apiVersion": "v1", "kind": "Pod"}', undefined],
    ['  { "apiVersion": "v1",\n  "kind": "Pod"}', undefined],
    ['apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig', 'NodeConfig'],
    ['#!/bin/bash\necho', 'user data'],
    ['#cloud-config\nruncmd: []', 'user data'],
    ['MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"\n', 'user data'],
    ['<powershell>\n</powershell>', 'user data'],
    ['# nodes\n[settings.kubernetes]\nmax-pods = 58', 'user data'],
    ['# settings\n[1]', undefined],
    ['apiVersion: v1', undefined],
    ['kind: Pod', undefined],
    ['a:\n  b: apiVersion: v1\n  c: kind: x', undefined],
    ['{{- if .Values.on }}\nkind: Pod', 'Helm chart'],
    ['  {{ include "a" . }}\n  apiVersion: v1', 'Helm chart'],
    ['{{resolve:ssm:a}}\nkind: Pod', undefined],
    ['a {{- if .Values.on }}\nkind: Pod', undefined],
    ['{{- if .Values.on }}\nResources: {}', undefined],
    ['Resources: {}', undefined],
  ])('%j: %s', (text, expected) => {
    expect(word(whyNoInputText(text))).toBe(expected);
  });
});

describe('a folder', () => {
  it.each([
    [['cdk.json'], 'npx cdk synth', true],
    [['cdk.json', 'cdk.out'], undefined, false],
    [['cdk.out'], undefined, false],
    [['cdktf.json'], 'npx cdktf synth', false],
    [['cdktf.json', 'cdktf.out'], undefined, false],
    [['Pulumi.yaml'], 'Pulumi', false],
    [['Chart.yaml'], 'Helm chart', false],
    [['main.tf'], undefined, false],
  ])('with %j: %s', (names, expected, unsynthesized) => {
    write(...names);
    expect(word(whyNoInputFolder(root))).toBe(expected);
    const told = UNREAD_PROJECTS.filter(({ isAt }) => isAt(root, names)).map((project) => project.told('here'));
    expect(told.some((text) => text.startsWith('apps of the CDK'))).toBe(unsynthesized);
  });
});
