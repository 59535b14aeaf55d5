import {
  ConfigurationError,
  defineRule,
  ENGINE_RULES,
  runRules,
  summarize,
  type Judgement,
  type Rule,
} from '../../lib/engine';
import { EksModel, type Cluster } from '../../lib/eks';
import { readTemplates } from '../../lib/front-ends/cloudformation';
import { allRules } from '../../lib/rules';
import { decided } from '../value/conditions';

const asOf = '2026-11-21';

/** A rule that judges each cluster as told. */
function rule(
  judge: (cluster: Cluster) => Omit<Judgement<'wrong' | 'odd'>, 'resource'>[],
  overrides: Partial<Rule> = {},
): Rule {
  return {
    ...defineRule({
      id: 'test-rule',
      subject: 'node-group',
      title: 'Clusters are as the test wants them',
      severity: 'error',
      since: '0.1.0',
      messages: {
        wrong: {
          text: 'Cluster is {{what}}.',
          fix: { summary: 'Make it {{better}}.', code: { cloudformation: 'Better: {{better}}' }, safety: 'safe' },
        },
        odd: { text: 'Cluster is odd.', fix: { summary: 'Even it out.', safety: 'safe' } },
      },
      *check(model) {
        for (const cluster of model.clusters)
          for (const judgement of judge(cluster)) yield { ...judgement, resource: cluster };
      },
    }),
    ...overrides,
  };
}

function model(template: object): EksModel {
  return new EksModel(readTemplates([{ file: 'template.json', content: template }]).resources);
}

function clusterModel(suppress?: readonly object[]): EksModel {
  return model({
    Resources: {
      Main: {
        Type: 'AWS::EKS::Cluster',
        Properties: {},
        ...(suppress === undefined ? {} : { Metadata: { 'eks-guardrails': { suppress } } }),
      },
    },
  });
}

const wrong = rule(() => [{ verdict: 'fail', message: 'wrong', data: { what: 'bad', better: 'good' } }]);

describe('running rules', () => {
  it('fills message, fix and code, and links the docs', () => {
    expect(runRules(clusterModel(), [wrong])).toMatchObject([
      {
        rule: 'test-rule',
        severity: 'error',
        verdict: 'fail',
        messageId: 'wrong',
        message: 'Cluster is bad.',
        fix: 'Make it good.',
        fixCode: '"Better": "good"',
        docs: expect.stringMatching(/docs\/rules\/test-rule\.md$/) as string,
        resource: { id: 'Main' },
      },
    ]);
  });

  it('reports what is unverifiable with its reason, as info', () => {
    const [finding] = runRules(clusterModel(), [
      rule(() => [{ verdict: 'unverifiable', reason: 'parameter Size has no default' }]),
    ]);
    expect(finding).toMatchObject({
      verdict: 'unverifiable',
      severity: 'info',
      message: expect.stringContaining('parameter Size has no default') as string,
    });
  });

  it('begins with a small letter where a sentence goes on, unless that is an acronym', () => {
    const fixOf = (title: string) =>
      runRules(clusterModel(), [rule(() => [{ verdict: 'unverifiable' }], { title })])[0]?.fix;
    expect(['Nodes run', 'EKS Pods run', 'AZs are two', '2 Nodes run'].map(fixOf)).toEqual(
      ['nodes run', 'EKS Pods run', 'AZs are two', '2 Nodes run'].map(
        (title) => `Check by hand, or give the value where it can be read. What must hold: ${title}.`,
      ),
    );
  });

  it('tells once that a rule does not know its own messages, and keeps what it does know', () => {
    const two = model({
      Resources: {
        A: { Type: 'AWS::EKS::Cluster', Properties: {} },
        B: { Type: 'AWS::EKS::Cluster', Properties: {} },
        C: { Type: 'AWS::EKS::Cluster', Properties: {} },
      },
    });
    const findings = runRules(two, [
      rule(({ id }) => [{ verdict: 'fail', message: id === 'B' ? 'odd' : ('none' as 'odd') }]),
    ]);
    expect(findings.map((finding) => [finding.rule, finding.resource.id])).toEqual([
      ['test-rule', 'B'],
      [ENGINE_RULES.crashed, 'A'],
    ]);
    expect(findings[1]?.message).toContain('not everything was checked by it');
  });

  it('says nothing about what passes', () => {
    expect(runRules(clusterModel(), [rule(() => [{ verdict: 'pass' }])])).toEqual([]);
  });

  it('names the condition under which a failure occurs', () => {
    const when = decided({ IsProd: true });
    const [finding] = runRules(clusterModel(), [rule(() => [{ verdict: 'fail', message: 'odd', when }])]);
    expect(finding?.message).toBe('Cluster is odd. This happens when IsProd is true.');
  });

  it('says the same thing about one resource only once, and about two resources twice', () => {
    const twice = rule(() => [
      { verdict: 'fail', message: 'odd' },
      { verdict: 'fail', message: 'odd' },
    ]);
    expect(runRules(clusterModel(), [twice])).toHaveLength(1);
    expect(
      runRules(model({ Resources: { A: { Type: 'AWS::EKS::Cluster' }, B: { Type: 'AWS::EKS::Cluster' } } }), [twice]),
    ).toHaveLength(2);
  });

  it('says the same thing about two places of a resource twice, so that a comment at one does not hide the other', () => {
    const at = (line: number, property = '') =>
      ({
        verdict: 'fail',
        message: 'odd',
        source: { locate: () => ({ file: 'a.yaml', line, column: 5, property }) },
      }) as const;
    expect(
      runRules(clusterModel(), [rule(() => [at(7), at(9), at(7), at(9)])]).map(({ source }) => source.locate().line),
    ).toEqual([7, 9]);
    // What never was a file has one line.
    expect(
      runRules(clusterModel(), [rule(() => [at(1, 'A'), at(1, 'B'), at(1, 'A')])]).map(
        ({ source }) => source.locate().property,
      ),
    ).toEqual(['A', 'B']);
  });

  it('turns a rule that throws into a finding and runs the others', () => {
    const broken = rule(
      () => {
        throw new Error('boom');
      },
      { id: 'broken-rule' },
    );
    expect(runRules(clusterModel(), [broken, wrong]).map((finding) => [finding.rule, finding.severity])).toEqual([
      [ENGINE_RULES.crashed, 'error'],
      ['test-rule', 'error'],
    ]);
  });

  describe('that crashes at one resource', () => {
    const cluster = { Type: 'AWS::EKS::Cluster', Properties: { Version: '1.34' } };
    const three = () => model({ Resources: { First: cluster, Second: cluster, Third: cluster } });
    const secondCrashes = (judge: (cluster: Cluster) => Omit<Judgement<'wrong' | 'odd'>, 'resource'>[]) =>
      rule((one) => {
        if (one.id === 'Second' && one.version.kind === 'known') throw new Error('boom');
        return judge(one);
      });
    const told = (model: EksModel, ...rules: Rule[]) =>
      runRules(model, rules).map((finding) => [finding.rule, finding.resource.id, finding.verdict]);

    it('judges the others, and names it', () => {
      expect(
        told(
          three(),
          secondCrashes(() => [{ verdict: 'fail', message: 'odd' }]),
        ),
      ).toEqual([
        ['test-rule', 'First', 'fail'],
        ['test-rule', 'Third', 'fail'],
        [ENGINE_RULES.crashed, 'Second', 'fail'],
      ]);
      const message = runRules(three(), [secondCrashes(() => [])])[0]?.message;
      expect(message).toBe(
        'Rule test-rule stopped at Second with an internal error (boom); it judged everything else as if nothing were known of that.',
      );
    });

    it('says of others what holds whatever it is', () => {
      // A rule that looks at all clusters for each of them.
      const counting: Rule = {
        ...wrong,
        *check(model) {
          for (const resource of model.clusters) {
            if (resource.id === 'Second' && resource.version.kind === 'known') throw new Error('boom');
            const unknown = model.clusters.find(({ version }) => version.kind === 'unknown');
            yield unknown === undefined
              ? { verdict: 'fail', message: 'odd', resource }
              : { verdict: 'unverifiable', resource };
          }
        },
      };
      expect(told(three(), counting)).toEqual([
        ['test-rule', 'First', 'fail'],
        ['test-rule', 'Third', 'unverifiable'],
        [ENGINE_RULES.crashed, 'Second', 'fail'],
      ]);
    });

    it('leaves the model to the other rules as it is', () => {
      const models = three();
      const versions = rule(({ version }) => (version.kind === 'known' ? [{ verdict: 'fail', message: 'odd' }] : []), {
        id: 'later-rule',
      });
      expect(
        told(
          models,
          secondCrashes(() => []),
          versions,
        ),
      ).toEqual([
        [ENGINE_RULES.crashed, 'Second', 'fail'],
        ...['First', 'Second', 'Third'].map((id) => ['later-rule', id, 'fail']),
      ]);
      expect(models.clusters.map((one) => [one.version.kind, Object.hasOwn(one, 'version')])).toEqual(
        Array.from({ length: 3 }, () => ['known', false]),
      );
    });

    it('names each of several, and gives up where it crashes whatever is known', () => {
      const all = rule((one) => {
        if (one.id !== 'Second' && one.version.kind === 'known') throw new Error('boom');
        return [{ verdict: 'fail', message: 'odd' }];
      });
      expect(told(three(), all)).toEqual([
        ['test-rule', 'Second', 'fail'],
        [ENGINE_RULES.crashed, 'First', 'fail'],
        [ENGINE_RULES.crashed, 'Third', 'fail'],
      ]);
      const always = rule((one) => {
        throw new Error(one.id);
      });
      expect(runRules(three(), [always])).toMatchObject([
        { rule: ENGINE_RULES.crashed, message: expect.stringContaining('not everything was checked by it') as string },
      ]);
    });
  });

  it('does so too when the model is empty, and when a rule names a message it does not have', () => {
    const broken: Rule = {
      ...wrong,
      check: () => {
        throw new Error('boom');
      },
    };
    expect(runRules(new EksModel([]), [broken])).toMatchObject([
      { rule: ENGINE_RULES.crashed, message: expect.stringContaining('boom') as string },
    ]);
    const speechless = rule(() => [{ verdict: 'fail' }]);
    expect(runRules(clusterModel(), [speechless])).toMatchObject([{ rule: ENGINE_RULES.crashed }]);
  });

  it('counts suppressed and unverifiable findings apart', () => {
    const findings = [
      ...runRules(clusterModel(), [wrong]),
      ...runRules(clusterModel(), [rule(() => [{ verdict: 'fail', message: 'odd', severity: 'warning' }])]),
      ...runRules(clusterModel(), [rule(() => [{ verdict: 'unverifiable' }])]),
      ...runRules(clusterModel([{ rule: 'test-rule', reason: 'accepted' }]), [wrong]),
    ];
    expect(summarize(findings)).toEqual({ error: 1, warning: 1, info: 0, unverifiable: 1, suppressed: 1 });
  });
});

describe('configuration', () => {
  const levels = (configuration: Parameters<typeof runRules>[2], tested = wrong) =>
    runRules(clusterModel(), [tested], configuration).map((finding) => finding.severity);

  it('a level given by the user wins over everything', () => {
    expect(levels({ rules: { 'test-rule': 'warning' } })).toEqual(['warning']);
    expect(levels({ rules: { 'test-rule': 'off' } })).toEqual([]);
    expect(levels({ preset: 'strict', rules: { 'test-rule': 'info' } }, { ...wrong, strictSeverity: 'error' })).toEqual(
      ['info'],
    );
  });

  it('a level raises and lowers errors and warnings, and leaves what is mere information', () => {
    const all = rule(() => [
      { verdict: 'fail', message: 'wrong', data: { what: 'bad', better: 'good' } },
      { verdict: 'fail', message: 'wrong', data: { what: 'doubtful', better: 'good' }, severity: 'warning' },
      { verdict: 'fail', message: 'odd', severity: 'info' },
    ]);
    expect(levels({}, all)).toEqual(['error', 'warning', 'info']);
    expect(levels({ rules: { 'test-rule': 'error' } }, all)).toEqual(['error', 'error', 'info']);
    expect(levels({ rules: { 'test-rule': 'warning' } }, all)).toEqual(['warning', 'warning', 'info']);
    expect(levels({ rules: { 'test-rule': 'error' } }, { ...all, severity: 'info' })).toEqual([
      'error',
      'error',
      'error',
    ]);
  });

  it('preset strict raises what the rule says it may', () => {
    const lenient: Rule = { ...wrong, severity: 'warning', strictSeverity: 'error' };
    expect(levels({}, lenient)).toEqual(['warning']);
    expect(levels({ preset: 'strict' }, lenient)).toEqual(['error']);
    expect(levels({ preset: 'all' }, lenient)).toEqual(['warning']);
  });

  it('options reach the rule, with their defaults', () => {
    const seen: string[] = [];
    const optional: Rule = {
      ...wrong,
      options: { mode: { description: 'mode', allowed: ['a', 'b'], default: 'a' } },
      check: (_, context) => {
        seen.push(context.options.mode ?? 'none', context.today);
        return [];
      },
    };
    runRules(clusterModel(), [optional], { asOf });
    runRules(clusterModel(), [optional], { asOf, rules: { 'test-rule': { options: { mode: 'b' } } } });
    expect(seen).toEqual(['a', asOf, 'b', asOf]);
  });

  it.each([
    [
      'an unknown rule, with the nearest name',
      { rules: { 'test-rul': 'off' } },
      'there is no rule "test-rul"; did you mean "test-rule"?',
    ],
    ['a piece of a rule name', { rules: { test: 'off' } }, 'there is no rule "test"; did you mean "test-rule"?'],
    ['an unknown preset', { preset: 'lax' }, 'there is no preset "lax"'],
    ['an unknown level', { rules: { 'test-rule': 'fatal' } }, '"fatal" is no level of rule test-rule'],
    [
      'an unknown option',
      { rules: { 'test-rule': { options: { mode: 'x' } } } },
      'rule test-rule has no option "mode"',
    ],
    ['a day that is none', { asOf: 'tomorrow' }, 'asOf is "tomorrow", which is no day; write it as in 2027-01-31'],
    ['a day that the calendar lacks', { asOf: '2027-02-29' }, 'asOf is "2027-02-29", which is no day'],
  ])('refuses %s', (_, configuration, message) => {
    const act = () => runRules(clusterModel(), [wrong], configuration as never);
    expect(act).toThrow(ConfigurationError);
    expect(act).toThrow(message);
  });
});

describe('suppressions', () => {
  const run = (suppress: readonly object[], rules = [wrong]) =>
    runRules(clusterModel(suppress), rules, { asOf }).map((finding) => [
      finding.rule,
      finding.severity,
      finding.suppressed?.reason,
    ]);

  it('with a reason, the finding stays in the report as suppressed', () => {
    expect(run([{ rule: 'test-rule', reason: 'known and accepted' }])).toEqual([
      ['test-rule', 'error', 'known and accepted'],
    ]);
  });

  it('holds until the end of its last day, and is reported afterwards', () => {
    expect(run([{ rule: 'test-rule', reason: 'soon', until: asOf }])).toEqual([['test-rule', 'error', 'soon']]);
    expect(run([{ rule: 'test-rule', reason: 'soon', until: '2026-11-20' }])).toEqual([
      ['test-rule', 'error', undefined],
      ['suppression-expired', 'warning', undefined],
    ]);
  });

  it.each([
    ['without reason', { rule: 'test-rule' }, 'suppression-without-reason'],
    ['with a blank reason', { rule: 'test-rule', reason: '  ' }, 'suppression-without-reason'],
  ])('%s it has no effect and is reported', (_, suppression, reported) => {
    expect(run([suppression])).toEqual([
      ['test-rule', 'error', undefined],
      [reported, 'warning', undefined],
    ]);
  });

  it('is reported when it names no rule, or matches nothing any more', () => {
    expect(run([{ rule: 'no-such-rule', reason: 'why' }], [])).toEqual([
      ['suppression-unknown-rule', 'warning', undefined],
    ]);
    expect(run([{ rule: 'test-rule', reason: 'why' }], [rule(() => [{ verdict: 'pass' }])])).toEqual([
      ['suppression-unused', 'warning', undefined],
    ]);
  });

  it.each(['soon', '31.12.2020', '2027-02-30', '20200101', 20200101, null, { Ref: 'Day' }])(
    'with the end %j, which is no day, it has no effect and is reported',
    (until) => {
      expect(run([{ rule: 'test-rule', reason: 'soon', until }])).toEqual([
        ['test-rule', 'error', undefined],
        ['suppression-expired', 'warning', undefined],
      ]);
    },
  );

  it('has no effect on a rule that crashed', () => {
    const crashing = rule(() => {
      throw new Error('boom');
    });
    expect(run([{ rule: 'rule-crashed', reason: 'it is known' }], [crashing])).toEqual([
      ['rule-crashed', 'error', undefined],
      ['suppression-unknown-rule', 'warning', undefined],
    ]);
  });

  it('is told about at the level that the user sets', () => {
    const told = (level: 'error' | 'info' | 'off') =>
      runRules(clusterModel([{ rule: 'test-rule' }]), [wrong], {
        asOf,
        rules: { 'suppression-without-reason': level },
      }).map((finding) => [finding.rule, finding.severity]);
    expect(told('error')).toEqual([
      ['test-rule', 'error'],
      ['suppression-without-reason', 'error'],
    ]);
    expect(told('info')).toEqual([
      ['test-rule', 'error'],
      ['suppression-without-reason', 'info'],
    ]);
    expect(told('off')).toEqual([['test-rule', 'error']]);
    for (const level of ['off', 'warning', 'error'] as const)
      expect(() => runRules(clusterModel(), [wrong], { rules: { 'rule-crashed': level } })).toThrow(
        'rule-crashed says that something was not checked',
      );
    expect(() => runRules(clusterModel(), [wrong], { rules: { 'suppression-unusd': 'off' } })).toThrow(
      'did you mean "suppression-unused"?',
    );
  });

  it('twice for one finding is not unused', () => {
    expect(
      run([
        { rule: 'test-rule', reason: 'in the template' },
        { rule: 'test-rule', reason: 'and acknowledged' },
      ]),
    ).toEqual([['test-rule', 'error', 'in the template']]);
  });

  it('can accept what the engine says about suppressions, too', () => {
    expect(
      run(
        [
          { rule: 'test-rule', reason: 'kept for the older template' },
          { rule: 'suppression-unused', reason: 'the older template needs it' },
        ],
        [rule(() => [{ verdict: 'pass' }])],
      ),
    ).toEqual([['suppression-unused', 'warning', 'the older template needs it']]);
  });

  it('suggests the nearest rule as a question', () => {
    const [finding] = runRules(
      clusterModel([{ rule: 'test-rul', reason: 'why' }]),
      [rule(() => [{ verdict: 'pass' }])],
      { asOf },
    );
    expect(finding?.message).toBe(
      'The suppression of test-rul has no effect, because there is no rule "test-rul"; did you mean "test-rule"?',
    );
  });

  it('is not reported as unused when its rule is off', () => {
    const findings = runRules(clusterModel([{ rule: 'test-rule', reason: 'why' }]), [wrong], {
      asOf,
      rules: { 'test-rule': 'off' },
    });
    expect(findings).toEqual([]);
  });
});

describe('every rule of the catalogue', () => {
  it('has an id of its own in kebab case, no filler and no verdict in it', () => {
    const ids = allRules.map((one) => one.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/);
      expect(id.length).toBeLessThanOrEqual(40);
      expect(id).not.toMatch(/(^|-)(no|must|invalid|bad)(-|$)/);
    }
  });

  it.each(allRules.map((one) => [one.id, one] as const))(
    '%s says what, why, what it cannot see, when to ignore it, and where its facts are from',
    (_, one) => {
      for (const text of [one.title, one.symptom, one.why, one.limits, one.ignore]) expect(text.trim()).not.toBe('');
      expect(one.title).not.toMatch(/\.$/);
      expect(one.sources.length).toBeGreaterThan(0);
      for (const source of one.sources) expect(source.url).toMatch(/^https:\/\//);
      expect(Object.keys(one.messages).length).toBeGreaterThan(0);
      for (const message of Object.values(one.messages)) expect(message.fix.summary).not.toBe('');
    },
  );

  it.each(allRules.map((one) => [one.id, one] as const))(
    '%s does not throw on an empty model, nor on a cluster of which nothing is known',
    (_, one) => {
      expect(runRules(new EksModel([]), [one], { asOf })).toEqual([]);
      const findings = runRules(unknownWorld(), [one], { asOf });
      expect(findings.filter((finding) => finding.rule === ENGINE_RULES.crashed)).toEqual([]);
      // Nothing is known, so nothing can be known to be wrong.
      expect(findings.filter((finding) => finding.verdict === 'fail')).toEqual([]);
    },
  );

  /** One of each resource, each property a parameter without default. */
  function unknownWorld(): EksModel {
    const parameter = { Ref: 'Unknown' };
    const all = (...names: string[]) => Object.fromEntries(names.map((name) => [name, parameter]));
    const resources = model({
      Parameters: { Unknown: { Type: 'String' } },
      Resources: {
        Cluster: {
          Type: 'AWS::EKS::Cluster',
          Properties: all(
            'Name',
            'Version',
            'RoleArn',
            'KubernetesNetworkConfig',
            'ComputeConfig',
            'AccessConfig',
            'UpgradePolicy',
          ),
        },
        Workers: {
          Type: 'AWS::EKS::Nodegroup',
          Properties: {
            ClusterName: { Ref: 'Cluster' },
            ...all(
              'AmiType',
              'InstanceTypes',
              'CapacityType',
              'Version',
              'ReleaseVersion',
              'NodeRole',
              'ForceUpdateEnabled',
              'LaunchTemplate',
            ),
          },
        },
        Template: { Type: 'AWS::EC2::LaunchTemplate', Properties: all('LaunchTemplateData', 'LaunchTemplateName') },
        Addon: {
          Type: 'AWS::EKS::Addon',
          Properties: {
            ClusterName: { Ref: 'Cluster' },
            ...all(
              'AddonName',
              'AddonVersion',
              'ResolveConflicts',
              'ConfigurationValues',
              'ServiceAccountRoleArn',
              'PodIdentityAssociations',
              'PreserveOnDelete',
            ),
          },
        },
        Association: {
          Type: 'AWS::EKS::PodIdentityAssociation',
          Properties: all('ClusterName', 'Namespace', 'ServiceAccount', 'RoleArn'),
        },
        Role: {
          Type: 'AWS::IAM::Role',
          Properties: all('RoleName', 'AssumeRolePolicyDocument', 'ManagedPolicyArns', 'Policies'),
        },
        Provider: { Type: 'AWS::IAM::OIDCProvider', Properties: all('Url', 'ClientIdList') },
      },
    });
    return resources;
  }
});

describe('an EksModel', () => {
  it('groups parts by their cluster, whether it is in the input, named, or told by the same parameter', () => {
    const views = model({
      Parameters: { Name: { Type: 'String' } },
      Resources: {
        Main: { Type: 'AWS::EKS::Cluster', Properties: { Name: 'main' } },
        ByRef: { Type: 'AWS::EKS::Addon', Properties: { ClusterName: { Ref: 'Main' }, AddonName: 'coredns' } },
        ByName: { Type: 'AWS::EKS::Addon', Properties: { ClusterName: 'main', AddonName: 'kube-proxy' } },
        Elsewhere: { Type: 'AWS::EKS::Addon', Properties: { ClusterName: 'other', AddonName: 'coredns' } },
        ByParameter: { Type: 'AWS::EKS::Addon', Properties: { ClusterName: { Ref: 'Name' }, AddonName: 'coredns' } },
        AlsoByParameter: {
          Type: 'AWS::EKS::Addon',
          Properties: { ClusterName: { Ref: 'Name' }, AddonName: 'kube-proxy' },
        },
      },
    }).clusterViews.map((view) => [view.cluster?.id, view.addons.map((addon) => addon.id)]);
    expect(views).toEqual([
      ['Main', ['ByRef', 'ByName']],
      [undefined, ['Elsewhere']],
      [undefined, ['ByParameter', 'AlsoByParameter']],
    ]);
  });

  it('refuses to tell the cluster of a stranger', () => {
    const stranger = clusterModel().clusters[0];
    if (stranger === undefined) throw new Error('the template has a cluster');
    expect(() => new EksModel([]).viewOf(stranger)).toThrow('Main is not part of this model');
  });
});
