import { SCHEMA_URL } from '../../configuration/content';
import { sourcePaths, type FrontEnds } from './front-ends';
import type { PlannedFile, SetUp } from './planned-file';
import { shellQuote } from '../../text/shell-quote';
import { argumentFor } from './quoting';

/** The least configuration: editors know its schema. */
export function configurationFile(): PlannedFile {
  return {
    path: 'eks-guardrails.config.json',
    content: `${JSON.stringify({ $schema: SCHEMA_URL, preset: 'recommended' }, undefined, 2)}\n`,
  };
}

/** The hook for what can be checked as it is written; undefined if all has to be synthesized first. */
export function hookFile(frontEnds: FrontEnds, { version, baseline }: SetUp): PlannedFile | undefined {
  const paths = sourcePaths(frontEnds);
  if (paths.length === 0) return undefined;
  // Any file may decide: scripts that a template reads, a configuration, one that was removed.
  const entry = `  - repo: local
    hooks:
      - id: eks-guardrails
        name: eks-guardrails
        entry: eks-guardrails check --no-config-code
        args: ${JSON.stringify([...paths.map(argumentFor), ...(baseline === undefined ? [] : ['--baseline', baseline])])}
        language: node
        additional_dependencies: ['eks-guardrails@${version}']
        always_run: true
        pass_filenames: false
`;
  return {
    path: '.pre-commit-config.yaml',
    content: `repos:\n${entry}`,
    ifExists: (content) => (/\beks-guardrails\b/.test(content) ? undefined : `Add this to its "repos":\n\n${entry}`),
    next: ['Run "pre-commit install" once in every clone.'],
  };
}

/** Where the baseline is, and where all doors look for none. */
export const BASELINE = '.eks-guardrails-baseline.json';

/** The baseline of what can be checked today. */
export function baselineFile(paths: readonly string[]): PlannedFile {
  return {
    path: BASELINE,
    content: '',
    command: `eks-guardrails check ${paths.map((path) => shellQuote(argumentFor(path))).join(' ')} --write-baseline ${BASELINE}`,
    next: [`Commit ${BASELINE}: it accepts what there is today, and lets new findings fail.`],
  };
}
