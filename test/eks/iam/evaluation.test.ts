import fc from 'fast-check';
import { runs } from '../../share';
import { RolePermissions, type Allowed } from '../../../lib/eks/iam';
import { roleWith, unknown, type StatementSpec } from './roles';

/*
 * What a role may do, worked out a second time from the definition alone: a request is one action on one resource, patterns are regular
 * expressions, and what isn't known is tried out. No line of it is shared with lib/eks/iam.
 */

/** A statement in IAM's own JSON, as far as identity policies have it. */
interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action?: readonly string[];
  readonly NotAction?: readonly string[];
  readonly Resource?: readonly string[];
  readonly NotResource?: readonly string[];
  readonly conditional: boolean;
}

type Policy = readonly Statement[];

/** Stands for a text that isn't known. */
const HOLE = '${Hole}';

const ACTIONS = ['s:Get', 's:GetAll', 's:Put', 't:Get'] as const;
const RESOURCES = ['eu', 'us'].flatMap((region) =>
  ['a', 'b', 'a/b', 'a:b'].map((name) => `arn:aws:s:${region}:1:${name}`),
);

function matchesText(pattern: string, text: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\/]/g, String.raw`\$&`)
    .replaceAll('*', '[^]*')
    .replaceAll('?', '[^]');
  return new RegExp(`^${source}$`).test(text);
}

/** Source: IAM user guide, "IAM JSON policy elements: Action". */
function matchesAction(pattern: string, action: string): boolean {
  return matchesText(pattern.toLowerCase(), action.toLowerCase());
}

/** Source: IAM user guide, "IAM JSON policy elements: Resource": a wildcard stands for characters within a segment, the last one for all that follows. */
function matchesResource(pattern: string, resource: string): boolean {
  if (!pattern.startsWith('arn:')) return matchesText(pattern, resource);
  const parts = segments(pattern);
  return segments(resource).every((part, index) => matchesText(parts[index] ?? '*', part));
}

/** The six parts of an ARN; of one that ends early in `*`, those that there are. */
function segments(arn: string): string[] {
  const parts = arn.split(':');
  return parts.length < 6 ? parts : [...parts.slice(0, 5), parts.slice(5).join(':')];
}

function applies(statement: Statement, action: string, resource: string): boolean {
  const isAction =
    statement.Action?.some((pattern) => matchesAction(pattern, action)) ??
    statement.NotAction?.every((pattern) => !matchesAction(pattern, action)) ??
    false;
  const isResource =
    statement.Resource?.some((pattern) => matchesResource(pattern, resource)) ??
    statement.NotResource?.every((pattern) => !matchesResource(pattern, resource)) ??
    false;
  return isAction && isResource;
}

/** Source: IAM user guide, "Policy evaluation logic". @param held which conditions of Deny statements hold */
function isAllowed(policies: readonly Policy[], action: string, resource: string, held: boolean): boolean {
  const found = policies.flat().filter((statement) => applies(statement, action, resource));
  return (
    found.some(({ Effect }) => Effect === 'Allow') &&
    !found.some(({ Effect, conditional }) => Effect === 'Deny' && (!conditional || held))
  );
}

/** The answers of all worlds that the policies leave open. */
function answersOf(policies: readonly Policy[], action: string, resource: string): ReadonlySet<boolean> {
  const worlds = FILLINGS.map((filling) =>
    policies.map((policy) => policy.map((statement) => filled(statement, filling))),
  );
  return new Set(worlds.flatMap((world) => [true, false].map((held) => isAllowed(world, action, resource, held))));
}

/** Texts for what isn't known: nothing that there is, each thing that there is, and everything. */
const FILLINGS = ['-', '*', ...ACTIONS, ...RESOURCES];

function filled(statement: Statement, filling: string): Statement {
  const fill = (list: readonly string[] | undefined): readonly string[] | undefined =>
    list?.map((text) => text.replaceAll(HOLE, () => filling));
  const lists = {
    Action: fill(statement.Action),
    NotAction: fill(statement.NotAction),
    Resource: fill(statement.Resource),
    NotResource: fill(statement.NotResource),
  };
  return {
    Effect: statement.Effect,
    conditional: statement.conditional,
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined)),
  };
}

function permissionsOf(policies: readonly Policy[]): RolePermissions {
  return new RolePermissions(roleWith(...policies.map((policy) => policy.map(specOf))));
}

function specOf({ Effect, Action, NotAction, Resource, NotResource, conditional }: Statement): StatementSpec {
  const texts = (list: readonly string[]) => list.map((text) => (text.includes('${') ? unknown(text) : text));
  return {
    Effect,
    ...(Action === undefined ? {} : { Action: texts(Action) }),
    ...(NotAction === undefined ? {} : { NotAction: texts(NotAction) }),
    ...(Resource === undefined ? {} : { Resource: texts(Resource) }),
    ...(NotResource === undefined ? {} : { NotResource: texts(NotResource) }),
    ...(conditional ? { Condition: { StringEquals: { 'aws:RequestedRegion': 'eu' } } } : {}),
  };
}

const actionPattern = fc.constantFrom(
  '*',
  's:*',
  's:Get',
  'S:gEt',
  's:Get*',
  's:?et',
  's:*t',
  '?:Get',
  's:GetAl?',
  't:Get',
  's:Put',
  'x:*',
);
const resourcePattern = fc.constantFrom(
  '*',
  'arn:aws:s:*',
  'arn:aws:s:*:*:*',
  'arn:aws:s:eu:1:*',
  'arn:aws:s:e?:1:a',
  'arn:aws:s:*:1:a*',
  'arn:aws:s:us:*:?',
  'arn:aws:s:eu:1:a/b',
  'arn:aws:s:*:*:a:*',
  'arn:aws:t:*:*:*',
  'arn:aws:s:EU:1:*',
  'arn:*:1:*',
);

function statementOf(actions: fc.Arbitrary<string>, resources: fc.Arbitrary<string>, canBeConditional: boolean) {
  const list = (item: fc.Arbitrary<string>) => fc.array(item, { minLength: 1, maxLength: 3 });
  return fc
    .record({
      Effect: fc.constantFrom('Allow' as const, 'Allow' as const, 'Deny' as const),
      what: fc.tuple(fc.constantFrom('Action', 'Action', 'NotAction'), list(actions)),
      where: fc.tuple(fc.constantFrom('Resource', 'Resource', 'NotResource'), list(resources)),
      conditional: canBeConditional ? fc.boolean() : fc.constant(false),
    })
    .map(({ Effect, what, where, conditional }): Statement => {
      return { Effect, conditional, ...Object.fromEntries([what, where]) };
    });
}

function policiesOf(statement: fc.Arbitrary<Statement>) {
  return fc.array(fc.array(statement, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
}

const RUNS = { numRuns: runs(1000) };

describe('a second computation of what a role may do', () => {
  it('agrees on each action and each resource where all is known', () => {
    const policies = policiesOf(statementOf(actionPattern, resourcePattern, false));
    fc.assert(
      fc.property(policies, fc.constantFrom(...ACTIONS), fc.constantFrom(...RESOURCES), (all, action, resource) => {
        const expected: Allowed = isAllowed(all, action, resource, true) ? 'allowed' : 'denied';
        expect(permissionsOf(all).allows(action, resource)).toBe(expected);
      }),
      RUNS,
    );
  });

  it('agrees under conditions: one on an Allow counts as fulfilled, one on a Deny leaves it open', () => {
    const policies = policiesOf(statementOf(actionPattern, resourcePattern, true));
    fc.assert(
      fc.property(policies, fc.constantFrom(...ACTIONS), fc.constantFrom(...RESOURCES), (all, action, resource) => {
        const answers = new Set([true, false].map((held) => isAllowed(all, action, resource, held)));
        const expected: Allowed = answers.size === 2 ? 'unknown' : answers.has(true) ? 'allowed' : 'denied';
        expect(permissionsOf(all).allows(action, resource)).toBe(expected);
      }),
      RUNS,
    );
  });

  it('never contradicts a sure answer where texts are not known', () => {
    const action = fc.oneof(actionPattern, fc.constantFrom(HOLE, `s:${HOLE}`, `${HOLE}:Get`));
    const resource = fc.oneof(
      resourcePattern,
      fc.constantFrom(HOLE, `arn:aws:s:eu:1:${HOLE}`, `arn:aws:s:eu:1:${HOLE}/b`),
    );
    const policies = policiesOf(statementOf(action, resource, true));
    let sure = 0;
    fc.assert(
      fc.property(policies, fc.constantFrom(...ACTIONS), fc.constantFrom(...RESOURCES), (all, asked, on) => {
        const answer = permissionsOf(all).allows(asked, on);
        if (answer === 'unknown') return;
        sure++;
        expect([...answersOf(all, asked, on)]).toEqual([answer === 'allowed']);
      }),
      RUNS,
    );
    expect(sure).toBeGreaterThan(RUNS.numRuns / 4);
  });

  it('agrees on some resource of a pattern: allowed only if one is, denied only if none is', () => {
    const policies = policiesOf(statementOf(actionPattern, resourcePattern, false));
    const asked = fc.constantFrom('*', 'arn:aws:s:*:1:*', 'arn:aws:s:eu:1:*', 'arn:aws:s:*:1:a*');
    fc.assert(
      fc.property(policies, fc.constantFrom(...ACTIONS), asked, (all, action, pattern) => {
        const some = RESOURCES.filter((resource) => matchesResource(pattern, resource)).map((resource) =>
          isAllowed(all, action, resource, true),
        );
        const answer = permissionsOf(all).allows(action, pattern);
        // What the universe has no resource for may be allowed all the same.
        if (some.includes(true)) expect(answer).not.toBe('denied');
        if (answer === 'denied') expect(some).not.toContain(true);
      }),
      RUNS,
    );
  });
});

describe('documented outcomes', () => {
  const BUCKET = 'arn:aws:s3:::logs/a';
  const deny = (Action: string, Resource = '*'): StatementSpec => ({ Effect: 'Deny', Action, Resource });
  const rows: readonly [
    source: string,
    outcome: string,
    statements: readonly StatementSpec[],
    action: string,
    expected: Allowed,
  ][] = [
    [
      'Policy evaluation logic',
      'all is denied that nothing allows',
      [{ Action: 's3:GetObject' }],
      's3:PutObject',
      'denied',
    ],
    [
      'Policy evaluation logic',
      'an explicit deny overrides any allow',
      [{ Action: '*' }, deny('s3:*')],
      's3:GetObject',
      'denied',
    ],
    [
      'Policy evaluation logic',
      'a deny of something else overrides nothing',
      [{ Action: 's3:*' }, deny('ec2:*')],
      's3:GetObject',
      'allowed',
    ],
    ['Action', 'prefix and name are not case-sensitive', [{ Action: 'S3:GETOBJECT' }], 's3:GetObject', 'allowed'],
    ['Action', '* stands for any characters in the name', [{ Action: 's3:*Object' }], 's3:GetObject', 'allowed'],
    ['Action', '* stands for none, too', [{ Action: 's3:GetObject*' }], 's3:GetObject', 'allowed'],
    ['Action', '? stands for one character', [{ Action: 's3:?etObject' }], 's3:GetObject', 'allowed'],
    ['Action', '? stands for no less', [{ Action: 's3:GetObject?' }], 's3:GetObject', 'denied'],
    [
      'Resource',
      'ARNs are case-sensitive',
      [{ Action: '*', Resource: 'arn:aws:s3:::Logs/*' }],
      's3:GetObject',
      'denied',
    ],
    [
      'Resource',
      '* in a segment stands for none, too',
      [{ Action: '*', Resource: 'arn:aws:s3:*:*:logs/*' }],
      's3:GetObject',
      'allowed',
    ],
    [
      'Resource',
      '* at the end takes in the rest',
      [{ Action: '*', Resource: 'arn:aws:s3:*' }],
      's3:GetObject',
      'allowed',
    ],
    ['NotAction', 'an Allow takes in all but what it lists', [{ NotAction: 'iam:*' }], 's3:GetObject', 'allowed'],
    ['NotAction', 'an Allow leaves out what it lists', [{ NotAction: 'S3:*' }], 's3:GetObject', 'denied'],
    [
      'NotAction',
      'a Deny forbids all but what it lists',
      [{ Action: '*' }, { Effect: 'Deny', NotAction: 'iam:*' }],
      's3:GetObject',
      'denied',
    ],
    [
      'NotAction',
      'a Deny spares what it lists',
      [{ Action: '*' }, { Effect: 'Deny', NotAction: 's3:Get*' }],
      's3:GetObject',
      'allowed',
    ],
    [
      'NotResource',
      'an Allow takes in all but what it lists',
      [{ Action: '*', NotResource: 'arn:aws:s3:::other/*' }],
      's3:GetObject',
      'allowed',
    ],
    [
      'NotResource',
      'an Allow leaves out what it lists',
      [{ Action: '*', NotResource: 'arn:aws:s3:::logs/*' }],
      's3:GetObject',
      'denied',
    ],
    [
      'NotResource',
      'a Deny forbids all but what it lists',
      [{ Action: '*' }, { Effect: 'Deny', Action: '*', NotResource: 'arn:aws:s3:::other/*' }],
      's3:GetObject',
      'denied',
    ],
    [
      'Condition',
      'a Deny whose condition may not hold',
      [{ Action: '*' }, { ...deny('*'), Condition: { Bool: { 'aws:SecureTransport': 'false' } } }],
      's3:GetObject',
      'unknown',
    ],
  ];

  it.each(rows)('IAM user guide, "%s": %s', (_, __, statements, action, expected) => {
    expect(new RolePermissions(roleWith(statements)).allows(action, BUCKET)).toBe(expected);
  });
});
