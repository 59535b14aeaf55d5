import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../cli/built-command';
import { allRules } from '../../lib/rules';
import { packageVersion } from '../../lib/version';

const github = join(projectRoot, '.github');
/** A commit and not a tag, which can be moved. */
const PINNED = /@[\da-f]{40}$/;

function read(...path: readonly string[]): unknown {
  return parse(readFileSync(join(github, ...path), 'utf8'));
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly uses?: string; readonly run?: string }[] }>
  >;
}

describe.each(readdirSync(join(github, 'workflows')))('workflow %s', (name) => {
  const { permissions, jobs } = read('workflows', name) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('runs actions by their commits, which nobody can move', () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);

    expect(actions).not.toHaveLength(0);
    const own = `eks-guardrails/eks-guardrails@v${packageVersion()}`;
    expect(actions.filter((action) => action !== own && !PINNED.test(action))).toEqual([]);
  });

  it('may only read, but for what a job asks for', () => {
    expect(permissions).toEqual({ contents: 'read' });
  });

  it('puts nothing into scripts that others can choose', () => {
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
  });
});

it('is an action that runs others by their commits, which its users could not pin', () => {
  const { runs } = read('..', 'action.yml') as { runs: Workflow['jobs'][string] };
  const actions = runs.steps.flatMap(({ uses }) => uses ?? []);

  expect(actions).not.toHaveLength(0);
  expect(actions.filter((action) => !PINNED.test(action))).toEqual([]);
});

interface Form {
  readonly name: string;
  readonly description: string;
  readonly body: readonly {
    readonly type: string;
    readonly id?: string;
    readonly attributes: Readonly<Record<string, string>>;
  }[];
}

// GitHub, "Syntax for GitHub's form schema": what a form without these is refused for.
describe.each(readdirSync(join(github, 'ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml'))(
  'form %s',
  (name) => {
    const form = read('ISSUE_TEMPLATE', name) as Form;
    const fields = form.body.filter(({ type }) => type !== 'markdown');

    it('is one that GitHub takes', () => {
      expect(form).toMatchObject({
        name: expect.stringMatching(/./) as string,
        description: expect.stringMatching(/./) as string,
      });
      expect(fields.filter(({ attributes: { label }, type }) => !label || !/^(?:input|textarea)$/.test(type))).toEqual(
        [],
      );
      expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
    });
  },
);

it('asks for a rule that exists', () => {
  const { body } = read('ISSUE_TEMPLATE', '1-false-alarm.yml') as Form;

  expect(allRules.map(({ id }) => id)).toContain(body.find(({ id }) => id === 'rule')?.attributes['placeholder']);
});
