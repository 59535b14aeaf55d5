import type { Dialect, DialectName } from '../../value';
import { withAnchors } from '../parts/anchors';
import { ConfigNode } from './config-node';
import { codeInConfig } from './fix-code';
import { withNewName } from './new-name';
import { CONFIG_SETTINGS } from './settings';

declare module '../../value/dialect' {
  interface DialectNames {
    readonly eksctl: true;
  }
}

/** ClusterConfigs of eksctl. */
export const EKSCTL: Dialect = {
  name: 'eksctl',
  title: 'eksctl',
  deployedBy: 'eksctl',
  unit: 'template',
  stacks: 'files',
  hasPathsForStacks: true,
  scopeOfNames: 'folder',
  fixes: {
    codes: ['eksctl', 'cloudformation'] satisfies DialectName[],
    language: 'yaml',
    quote: '"',
    codeAt: (code, resource, inTemplate) => {
      const own = code === inTemplate() ? codeInConfig(code, resource) : code;
      if (own === undefined || own.trim() === '') return undefined;
      const { source } = resource;
      return withNewName(source instanceof ConfigNode ? withAnchors(own, source.document, source.path) : own, resource);
    },
    codeBeside: (code, { type, id }) =>
      `# in the ${type === 'ClusterConfig' ? 'file' : `${type === 'addons' ? 'add-on' : 'group'} "${id}"`}:\n${code}`,
    editorOf: () => CONFIG_SETTINGS,
    whyNoEditor: '',
  },
  suppression: (ruleId) => ({
    where: 'In a ClusterConfig of eksctl, above the group, the add-on or the setting',
    code: `# eks-guardrails:ignore ${ruleId} -- Say why, so that a later reader can check it (until 2027-06-30)`,
  }),
};
