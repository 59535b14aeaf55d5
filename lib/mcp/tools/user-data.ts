import { option, textOf, ToolError, type Tool } from '../tool';
import { readable, saidOf } from './input';

export const checkUserData: Tool = {
  name: 'check_user_data',
  title: 'Check user data of nodes',
  description:
    'Takes the user data of EKS nodes apart as cloud-init, nodeadm, Bottlerocket and EC2Launch do: its parts, the merged NodeConfig, and every defect that keeps nodes from joining.',
  input: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'The user data: plain, or base64.' },
      path: { type: 'string', description: 'Instead of text: a file of the workspace with user data, or a template.' },
      family: {
        type: 'string',
        enum: ['al2', 'al2023', 'bottlerocket', 'windows'],
        description: 'Default: told by the user data.',
      },
      bootstrap: {
        type: 'string',
        enum: ['eks', 'user', 'unknown'],
        default: 'unknown',
        description: 'Who makes the nodes join: eks for a managed node group without an AMI of its own.',
      },
      kubernetesVersion: { type: 'string', description: 'Such as 1.34.' },
    },
    additionalProperties: false,
  },
  async call(given, workspace, signal) {
    const [text, path] = [textOf(given, 'text'), textOf(given, 'path')];
    if ((text === undefined) === (path === undefined)) throw new ToolError('give text or path');
    const options = [
      ...option('family', textOf(given, 'family')),
      ...option('bootstrap', textOf(given, 'bootstrap')),
      ...option('kubernetes-version', textOf(given, 'kubernetesVersion')),
    ];
    const files = path === undefined ? ['-'] : workspace.paths([path]);
    const { stdout, stderr } = await workspace.run(['user-data', ...options, '--', ...files], signal, text);
    if (stdout === '') throw new ToolError(saidOf(stderr));
    return { text: readable(stdout) };
  },
};
