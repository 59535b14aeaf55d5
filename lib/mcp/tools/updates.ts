import { describedAddons } from '../../knowledge';
import { option, textOf, ToolError, type Tool } from '../tool';
import { INPUT, inputOf, jsonOf, readable, saidOf } from './input';

export const addonDiff: Tool = {
  name: 'addon_diff',
  title: 'What an add-on update changes',
  description:
    'What an update of an EKS add-on changes before it is made: keys of the configuration values that go, settings that it resets in the running cluster and when that bites, and what to pin.',
  input: {
    type: 'object',
    properties: {
      addon: { type: 'string', enum: describedAddons() },
      from: { type: 'string', description: 'The version that the cluster has, such as v1.19.0-eksbuild.1.' },
      to: { type: 'string', description: 'The version to update to.' },
      mode: {
        type: 'string',
        enum: ['OVERWRITE', 'PRESERVE', 'NONE'],
        default: 'OVERWRITE',
        description: 'The conflict mode of the update (resolveConflicts).',
      },
      configurationFile: {
        type: 'string',
        description: 'A file of the workspace with the configuration values that the update sends, JSON or YAML.',
      },
      liveFile: {
        type: 'string',
        description: 'A file of the workspace with the DaemonSet aws-node as kubectl prints it, or lines NAME=value.',
      },
    },
    required: ['addon', 'from', 'to'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      effects: {
        type: 'array',
        items: { type: 'object' },
        description: 'Settings that it changes, and when that bites.',
      },
      removed: { type: 'array', items: { type: 'object' }, description: 'Keys that the new version does not know.' },
      added: { type: 'array', items: { type: 'object' } },
      changed: { type: 'array', items: { type: 'object' }, description: 'Keys with another default.' },
      pin: { type: ['object', 'null'], description: 'Configuration values that keep what the cluster has.' },
      notes: { type: 'array', items: { type: 'string' } },
    },
    additionalProperties: true,
  },
  async call(given, workspace, signal) {
    const fileOption = (name: string, path: string | undefined): readonly string[] =>
      path === undefined ? [] : option(name, workspace.paths([path])[0]);
    const positions = ['addon', 'from', 'to'].map((name) => textOf(given, name) ?? '');
    const printed = await workspace.run(
      [
        ...['addon-diff', '--format=json', ...option('mode', textOf(given, 'mode'))],
        ...fileOption('config', textOf(given, 'configurationFile')),
        ...fileOption('live', textOf(given, 'liveFile')),
        ...['--', ...positions],
      ],
      signal,
    );
    return { data: jsonOf(printed) as Readonly<Record<string, unknown>> };
  },
};

export const upgradePlan: Tool = {
  name: 'upgrade_plan',
  title: 'Plan of a Kubernetes upgrade',
  description:
    'The plan for the upgrade of the EKS clusters that the workspace declares to another Kubernetes version, step by step, in Markdown: control plane, add-ons, node groups, what of the code breaks on the way, support dates and costs.',
  input: {
    type: 'object',
    properties: {
      ...INPUT,
      to: {
        type: 'string',
        description: 'A version such as 1.34; latest; or standard, the oldest in standard support.',
      },
      from: { type: 'string', description: 'The version that the clusters have. Default: what the code says.' },
    },
    required: ['to'],
    additionalProperties: false,
  },
  async call(given, workspace, signal) {
    const { args, input } = inputOf(given, workspace);
    const options = [...option('to', textOf(given, 'to')), ...option('from', textOf(given, 'from'))];
    const { stdout, stderr } = await workspace.run(
      ['upgrade', '--format=markdown', ...options, ...args],
      signal,
      input,
    );
    if (stdout === '') throw new ToolError(saidOf(stderr));
    return { text: readable(stdout) };
  },
};
