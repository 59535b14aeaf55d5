import type { Dialect } from '../../../value';
import { KUBERNETES } from '../dialects';
import { MANIFEST_SETTINGS } from '../settings';
import type { EngineName } from './engines';
import { codeInSpec, settingIn } from './settings';

declare module '../../../value/dialect' {
  interface DialectNames {
    readonly ack: true;
    readonly crossplane: true;
  }
}

/** Objects of AWS Controllers for Kubernetes. */
export const ACK: Dialect = ofController('ack', 'AWS Controllers for Kubernetes');

/** Managed resources of Crossplane's providers for AWS. */
export const CROSSPLANE: Dialect = ofController('crossplane', 'Crossplane');

export const OF_ENGINE: Readonly<Record<EngineName, Dialect>> = { ack: ACK, crossplane: CROSSPLANE };

function ofController(name: EngineName, title: string): Dialect {
  return {
    name,
    title,
    deployedBy: title,
    unit: 'template',
    stacks: 'files',
    hasPathsForStacks: true,
    scopeOfNames: 'folder',
    fixes: {
      codes: ['cloudformation'],
      language: 'yaml',
      quote: '"',
      codeAt: (code, resource) => codeInSpec(name, resource, code),
      codeBeside: (code, { type, id }) => `# in the ${type} "${id}":\n${code}`,
      editorOf: () => ({
        ...MANIFEST_SETTINGS,
        hasSetting: (type, field) => settingIn(name, type, field) !== undefined,
        pathTo({ type, id, field, item }, root) {
          const path = settingIn(name, type, field);
          const holder = path === undefined ? undefined : MANIFEST_SETTINGS.holderOf?.(type, id, root);
          return path === undefined || holder === undefined
            ? undefined
            : [...holder, ...path.map((step) => (step === '*' ? String(item) : step))];
        },
        valueIn: undefined,
      }),
      whyNoEditor: '',
    },
    ...(KUBERNETES.suppression === undefined ? {} : { suppression: KUBERNETES.suppression }),
  };
}
