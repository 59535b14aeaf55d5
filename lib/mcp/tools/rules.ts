import { DIALECTS } from '../../front-ends/registry';
import { option, textOf, ToolError, type Tool } from '../tool';
import { readable, saidOf } from './input';

export const explainRule: Tool = {
  name: 'explain_rule',
  title: 'Explain a rule',
  description:
    'What a rule of eks-guardrails protects from: what happens in the cluster, how to recognise it, how to fix it, how to accept it, and where the facts are from.',
  input: {
    type: 'object',
    properties: {
      rule: { type: 'string', description: 'The id, such as imds-hop-limit.' },
      dialect: {
        type: 'string',
        enum: DIALECTS.map(({ name }) => name),
        description: 'Whose code the fix is in. Default: what the workspace is written in.',
      },
      full: { type: 'boolean', default: false, description: 'The whole page, with examples for every dialect.' },
    },
    required: ['rule'],
    additionalProperties: false,
  },
  async call(given, workspace, signal) {
    const full = given['full'] === true ? ['--full'] : [];
    const { exitCode, stdout, stderr } = await workspace.run(
      ['explain', ...option('dialect', textOf(given, 'dialect')), ...full, '--', textOf(given, 'rule') ?? ''],
      signal,
    );
    if (exitCode !== 0) throw new ToolError(saidOf(stderr));
    return { text: readable(stdout) };
  },
};

export const findRuleForSymptom: Tool = {
  name: 'find_rule_for_symptom',
  title: 'From a symptom to the rule',
  description:
    'Which misconfigurations may be behind what somebody sees in an EKS cluster: a line of a log, an error message, an event of a pod, or words such as "pods get no credentials". Then use check to see whether the code has it.',
  input: {
    type: 'object',
    properties: { symptom: { type: 'string', description: 'As it was copied or said.' } },
    required: ['symptom'],
    additionalProperties: false,
  },
  async call(given, workspace, signal) {
    const { exitCode, stdout, stderr } = await workspace.run(['explain', '--', textOf(given, 'symptom') ?? ''], signal);
    if (exitCode !== 0) throw new ToolError(saidOf(stderr));
    return { text: readable(stdout) };
  },
};
