import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot, runCommand } from '../cli/built-command';
import { nodeGroupTemplate, workspace } from '../cli/workspace';

const FILE = join(projectRoot, 'skills/eks-guardrails/SKILL.md');

describe('the skill for agents', () => {
  const text = readFileSync(FILE, 'utf8');
  const [, head = '', body = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? [];
  const folder = workspace({
    'template.yaml': nodeGroupTemplate(['HttpTokens: required', 'HttpPutResponseHopLimit: 1']),
    'user-data.txt': '#!/bin/bash\n/etc/eks/bootstrap.sh shop\n',
  });

  // Agent Skills, specification: https://agentskills.io/specification
  it('says who it is as agents want it', () => {
    const { name, description } = parse(head) as Record<string, string>;

    expect(name).toBe(basename(dirname(FILE)));
    expect(description?.length).toBeLessThanOrEqual(1024);
    expect(text.split('\n').length).toBeLessThan(500);
  });

  // Of a folder that has findings.
  it.each([
    ['check . --format compact', 1],
    ['check . --only imds-hop-limit', 1],
    ['check . --fix-dry-run', 1],
    ['check . --fix', 1],
    ['check . --only imds-hop-limit --suppress-dry-run --reason "every pod has a role of its own"', 1],
    ['explain "failed to fetch VPC ID from instance metadata"', 0],
    ['explain imds-hop-limit', 0],
    ['upgrade . --to latest --format markdown', 0],
    ['addon-diff vpc-cni v1.20.4-eksbuild.2 v1.21.1-eksbuild.5', 0],
    ['user-data user-data.txt --family al2023', 1],
    ['rules', 0],
    ['--help', 0],
  ])('names commands that work: %s', (line, exitCode) => {
    const args = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);

    expect(body).toContain(`npx eks-guardrails ${line}`);
    expect(runCommand(args, { cwd: folder })).toMatchObject({ exitCode });
  });

  it('names no other commands', () => {
    expect([...body.matchAll(/npx eks-guardrails/g)]).toHaveLength(12);
  });
});

describe('the guide to agents', () => {
  const guide = readFileSync(join(projectRoot, 'docs/guides/agents.md'), 'utf8');
  const project = workspace({ 'package.json': '{}' });

  function block(language: string): string {
    return new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(guide)?.[1] ?? '';
  }

  it('copies the skill to where agents look for it', () => {
    mkdirSync(join(project, 'node_modules'));
    symlinkSync(projectRoot, join(project, 'node_modules/eks-guardrails'), 'dir');

    expect(spawnSync('sh', ['-ec', block('sh')], { cwd: project }).status).toBe(0);
    const copy = join(project, '.claude/skills/eks-guardrails/SKILL.md');
    expect(readFileSync(copy, 'utf8')).toBe(readFileSync(FILE, 'utf8'));
  });

  it('starts the server with the library that the command asks for', () => {
    const { mcpServers } = JSON.parse(block('json')) as {
      mcpServers: Readonly<Record<string, { command: string; args: readonly string[] }>>;
    };
    const { command = '', args = [] } = mcpServers['eks-guardrails'] ?? {};
    const { name, peerDependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      name: string;
      peerDependencies: Readonly<Record<string, string>>;
    };
    const packages = args.flatMap((word) => /^--package=(.*)$/.exec(word)?.[1] ?? []);

    expect([command, packages[0], ...args.slice(-2)]).toEqual(['npx', name, name, 'mcp']);
    expect(packages.slice(1).map((one) => [one, one in peerDependencies])).toEqual([
      ['@modelcontextprotocol/server', true],
    ]);
  });
});
