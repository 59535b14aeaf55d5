import type { Dialect } from '../../value';
import { commandsFor } from './commands';

declare module '../../value/dialect' {
  interface DialectNames {
    readonly live: true;
  }
}

/** A cluster that runs, as AWS and Kubernetes answer it. */
export const LIVE: Dialect = {
  name: 'live',
  title: 'live cluster',
  deployedBy: '',
  unit: 'stack',
  stacks: 'folders',
  hasPathsForStacks: true,
  scopeOfNames: 'folder',
  isRunning: true,
  fixes: {
    codes: ['cloudformation'],
    language: 'sh',
    quote: '"',
    codeAt: (code, resource) => commandsFor(code, resource),
    whyGenerated: 'AWS answers it: change the cluster, or the code that makes it',
    editorOf: () => undefined,
    whyNoEditor: 'AWS answers it: change the cluster, or the code that makes it',
  },
};
