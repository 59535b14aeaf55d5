import { textsOf, ToolError, type Tool } from '../tool';
import { INPUT, inputOf, readable, saidOf } from './input';

export const planFix: Tool = {
  name: 'plan_fix',
  title: 'Diff of the repairs',
  description:
    'The repairs that eks-guardrails can make by itself, as a unified diff, for findings of check that say `repair`. Writes nothing: apply the diff if it is right. Ask for unsafe repairs only after the user has agreed: they replace nodes, restart pods or decide something.',
  input: {
    type: 'object',
    properties: {
      paths: INPUT['paths'] ?? {},
      only: { type: 'array', items: { type: 'string' }, description: 'Only what these rules find.' },
      unsafe: { type: 'boolean', default: false, description: 'Also repairs that need a decision.' },
    },
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      diff: { type: 'string', description: 'Empty if nothing can be repaired.' },
      notes: { type: 'string', description: 'What is repaired, what is not and why, and what unsafe repairs do.' },
    },
    required: ['diff', 'notes'],
    additionalProperties: false,
  },
  async call(given, workspace, signal) {
    const only = textsOf(given, 'only').map((rule) => `--only=${rule}`);
    const unsafe = given['unsafe'] === true ? ['--unsafe'] : [];
    const { args } = inputOf(given, workspace);
    const { exitCode, stdout, stderr } = await workspace.run(
      ['check', '--fix-dry-run', ...unsafe, ...only, ...args],
      signal,
    );
    if (exitCode === 2 && stdout === '') throw new ToolError(saidOf(stderr));
    return { data: { diff: readable(stdout), notes: readable(stderr.trim()) } };
  },
};
