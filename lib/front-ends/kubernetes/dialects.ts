import type { Dialect, DialectName } from '../../value';
import { codeInManifest } from './fix-code';
import { MANIFEST_SETTINGS } from './settings';

declare module '../../value/dialect' {
  interface DialectNames {
    readonly kubernetes: true;
  }
}

/** Manifests of Kubernetes, written by hand or rendered. */
export const KUBERNETES: Dialect = {
  name: 'kubernetes',
  title: 'Kubernetes manifest',
  deployedBy: 'kubectl',
  unit: 'template',
  stacks: 'files',
  hasPathsForStacks: true,
  scopeOfNames: 'stack',
  fixes: {
    codes: ['kubernetes', 'cloudformation'] satisfies DialectName[],
    language: 'yaml',
    quote: '"',
    codeAt: (code) => codeInManifest(code),
    editorOf: () => MANIFEST_SETTINGS,
    whyNoEditor: '',
  },
  suppression: (ruleId) => ({
    where: 'In a Kubernetes manifest, above the object or in its annotations',
    code: `# eks-guardrails:ignore ${ruleId} -- Say why, so that a later reader can check it (until 2027-06-30)`,
  }),
};
