import { looksLikePlan, readPlan, whyNoPlan } from '../../../lib/terraform/plan/plan';
import { change, configured, planText, refers } from './plans';

const PLAN_KEYS: Readonly<Record<string, unknown>> = {
  format_version: '1.2',
  terraform_version: '1.11.4',
  planned_values: {},
  resource_changes: [],
  configuration: {},
  values: {},
};

/** A text with some of the keys that plans and states have. */
const having = (...keys: string[]) => JSON.stringify(Object.fromEntries(keys.map((key) => [key, PLAN_KEYS[key]])));

describe('a text', () => {
  it.each([
    ['format_version', 'planned_values'],
    ['planned_values', 'format_version'],
    ['format_version', 'resource_changes'],
    ['format_version', 'values', 'terraform_version'],
    ['resource_changes', 'terraform_version'],
    ['resource_changes', 'configuration'],
    ['resource_changes', 'planned_values'],
  ])('with %s, %s is a plan or a state', (...keys) => {
    expect(looksLikePlan(having(...keys))).toBe(true);
  });

  it.each([
    ['format_version', 'values'],
    ['values', 'terraform_version'],
    ['planned_values', 'terraform_version'],
    ['planned_values', 'configuration'],
    ['format_version', 'terraform_version'],
    ['resource_changes'],
  ])('with %s, %s is none', (...keys) => {
    expect(looksLikePlan(having(...keys))).toBe(false);
  });

  it('may have its keys escaped, as JSON can', () => {
    const escaped = (text: string) => text.replaceAll('_', String.raw`\u005f`);
    expect(looksLikePlan(escaped(having('format_version', 'planned_values')))).toBe(true);
    expect(looksLikePlan(` \n${escaped(having('format_version', 'planned_values'))}`)).toBe(true);
    expect(looksLikePlan(escaped(having('format_version', 'values')))).toBe(false);
    expect(looksLikePlan(`# ${escaped(having('format_version', 'planned_values'))}`)).toBe(false);
  });
});

describe('why a text is no plan', () => {
  it.each([
    ['  \n{"@level":"info"}', /^this is the log/],
    ['\n{ "version" : 4 , "terraform_version": "1.11.4"}', /^this is a state file/],
    ['{ "format_version" : "1.0", "provider_schemas": {}}', /providers schema/],
    [' {"format_version":"1.0", "valid": false}', /validate/],
  ])('is said of %j', (text, message) => {
    expect(whyNoPlan(text)).toMatch(message);
  });

  it.each([
    ['a plan', planText([])],
    ['a plan in which something is called valid', planText([change('aws_a.b', { after: { 'a valid': 1 } })])],
    ['what has a version, but none of Terraform', '{"version": 4, "a": "terraform_version"}'],
    ['what has the version elsewhere', '{"a": 1, "version": 4, "terraform_version": "1.11.4"}'],
    ['what is valid, but not for a format', '{"valid": true, "format_version": "1.0"}'],
    ['schemas of something else', '{"a": 1, "provider_schemas": {}, "format_version": "1.0"}'],
    ['a list of logs', '[{"@level":"info"}]'],
    ['another format', 'format_version: "1.0"\nprovider_schemas: {}'],
    ['a text that names an archive', 'a PK\u0003\u0004'],
  ])('is not said of %s', (_, text) => {
    expect(whyNoPlan(text)).toBeUndefined();
  });
});

describe('what is read as a plan or a state', () => {
  const outcome = (text: string) => {
    const { isOther, summary, diagnostics } = readPlan(text, 'p.json');
    return isOther === true
      ? 'refused'
      : `${summary?.resources ?? '?'} ${diagnostics.map(({ message }) => message.split(/[:;,]/, 1)[0]).join()}`;
  };
  const resources = [
    { ...change('aws_a.b'), values: {} },
    { ...change('data.aws_a.c'), values: {} },
  ];
  const noConfiguration = 'the plan holds no configuration';

  it.each([
    [{ format_version: '1.0', values: { root_module: { resources } } }, '1 this is a state'],
    [{ format_version: '1.0', values: {}, terraform_version: '1.11.4' }, '0 this is a state'],
    [{ format_version: '1.0', values: {} }, 'refused'],
    [{ format_version: '1.0', other: {} }, 'refused'],
    [{ format_version: '1.0', values: [], terraform_version: '1.11.4' }, 'refused'],
    [{ planned_values: { root_module: { resources } } }, `1 ${noConfiguration}`],
    [{ planned_values: {} }, 'refused'],
    [{ resource_changes: [] }, `0 ${noConfiguration}`],
    [{ resource_changes: {} }, 'refused'],
    [{ format_version: '1.0', planned_values: {} }, `0 ${noConfiguration}`],
    [{ values: { root_module: {} } }, 'refused'],
    [{ format_version: 1, values: { root_module: {} } }, 'refused'],
  ])('%j: %s', (json, expected) => {
    expect(outcome(JSON.stringify(json))).toBe(expected);
  });

  it('tells that Terraform stopped, and not also that the plan is therefore incomplete', () => {
    expect(outcome(planText([], {}, { errored: true, complete: false }))).toBe(
      '0 Terraform stopped with an error while it made this plan',
    );
    expect(outcome(planText([], {}, { errored: false, complete: true }))).toBe('0 ');
  });

  it('tells what the plan marks as sensitive only of a plan', () => {
    expect(readPlan('{"a": 1}', 'p.json').secrets).toBeUndefined();
    expect(readPlan('{"a": 1}', 'p.json').diagnostics).toMatchObject([{ file: 'p.json', line: 1, column: 1 }]);
  });
});

describe('an instance of a plan', () => {
  const only = (text: string, file = 'infra/prod.json') => {
    const [instance] = readPlan(text, file).instances;
    if (instance === undefined) throw new Error('there is none');
    return instance;
  };

  it.each([
    ['infra/prod.json', 'infra/prod'],
    ['infra/prod.JSON', 'infra/prod'],
    ['prod.json.txt', 'prod.json.txt'],
    ['.json', '.json'],
  ])('of %s belongs to the stack %s', (file, stack) => {
    expect(only(planText([change('aws_a.b')]), file).stack).toBe(stack);
  });

  it('says what it is', () => {
    expect(only(planText([change('module.m["a"].data.aws_a.b[0]')]))).toMatchObject({
      address: 'module.m["a"].data.aws_a.b[0]',
      mode: 'data',
      type: 'aws_a',
      module: 'module.m["a"]',
      exists: { text: '' },
      path: undefined,
    });
  });

  it('waits for what depends_on names in its module', () => {
    const b = configured('aws_a.b', {}, { depends_on: ['aws_c.d', null, 'module.n'] });
    expect(only(planText([change('aws_a.b')], { resources: [b] })).waitsFor).toEqual(['aws_c.d', 'module.n']);
    const inModule = planText([change('module.m[0].aws_a.b')], { module_calls: { m: { module: { resources: [b] } } } });
    expect(only(inModule).waitsFor).toEqual(['module.m[0].aws_c.d', 'module.m[0].module.n']);
    expect(only(planText([change('aws_a.b')])).waitsFor).toEqual([]);
    expect(only(planText([change('data.aws_a.b')], { resources: [b] })).waitsFor).toEqual([]);
  });

  it('tells what an argument refers to', () => {
    const text = planText([change('aws_a.b')], {
      resources: [configured('aws_a.b', { role: refers('aws_iam_role.r.arn', 'var.role') })],
    });
    expect(only(text).expressionOf?.('role')).toEqual(['aws_iam_role.r.arn', 'var.role']);
    expect(only(text).expressionOf?.('other')).toEqual([]);
  });

  it('reads its change and its attributes once', () => {
    const instance = only(
      planText([
        {
          ...change('aws_a.b'),
          change: { actions: ['update'], before: { n: 1 }, after: { n: 2 }, after_unknown: {} },
        },
      ]),
    );
    expect(instance.planned).toBe(instance.planned);
    expect(instance.attributes).toBe(instance.attributes);
    expect(instance.planned?.before?.planned).toBeUndefined();
  });
});

describe('the region of an instance', () => {
  const regionOf = (changes: readonly unknown[], root: object, providers: Record<string, unknown> = {}) =>
    readPlan(
      planText(changes, {}, { configuration: { provider_config: providers, root_module: root } }),
      'p.json',
    ).instances.at(-1)?.region;
  const b = configured('aws_a.b', {}, { provider_config_key: 'aws.west' });
  const asked = (address: string, after: object, unknown: object = {}) => change(address, { after, unknown });
  const ofKey = (address: string, key: string) => configured(address, {}, { provider_config_key: key });
  const there = 'data.aws_region.here';

  it.each([
    [{ region: 'eu-west-1', name: 'n', id: 'i' }, 'eu-west-1'],
    [{ name: 'eu-west-2', id: 'i' }, 'eu-west-2'],
    [{ id: 'eu-west-3' }, 'eu-west-3'],
    [{}, undefined],
  ])('is what the provider answered: %j', (after, expected) => {
    const root = { resources: [b, ofKey(there, 'aws.west')] };
    expect(regionOf([asked(there, after), change('aws_a.b')], root)).toBe(expected);
  });

  it('is not what another provider answered, or something that is no data source of regions', () => {
    const answer = { id: 'eu-west-3' };
    expect(
      regionOf([asked(there, answer), change('aws_a.b')], { resources: [b, ofKey(there, 'aws')] }),
    ).toBeUndefined();
    for (const other of ['data.aws_regions.here', 'aws_region.here'])
      expect(
        regionOf([asked(other, answer), change('aws_a.b')], { resources: [b, ofKey(other, 'aws.west')] }),
      ).toBeUndefined();
  });

  it('is what the configuration of the provider says before what it answered', () => {
    const root = { resources: [b, ofKey(there, 'aws.west')] };
    const providers = { 'aws.west': { expressions: { region: { constant_value: 'us-west-2' } } } };
    expect(regionOf([asked(there, { id: 'eu-west-3' }), change('aws_a.b')], root, providers)).toBe('us-west-2');
  });

  it('is worked out in the module that declares the provider', () => {
    const call = {
      expressions: { region: { constant_value: 'ap-south-1' } },
      module: { resources: [ofKey('aws_a.b', 'module.m:aws')], variables: { region: {} } },
    };
    const provider = (address: string) => ({
      'module.m:aws': { module_address: address, expressions: { region: refers('var.region') } },
    });
    const inModule = (address: string) =>
      regionOf([change('module.m.aws_a.b')], { module_calls: { m: call } }, provider(address));
    expect(inModule('module.m')).toBe('ap-south-1');
    expect(inModule('module.other')).toBeUndefined();
  });

  it('is that of the provider of the root module, where a module has none of its own', () => {
    const call = { module: { resources: [ofKey('aws_a.b', 'module.m:aws')] } };
    const providers = { aws: { expressions: { region: { constant_value: 'ap-south-1' } } } };
    expect(regionOf([change('module.m.aws_a.b')], { module_calls: { m: call } }, providers)).toBe('ap-south-1');
  });

  it.each([
    ['arn:aws-us-gov:eks:us-gov-west-1:1:cluster/a', 'us-gov-west-1'],
    ['arn:aws:iam::1:role/a', undefined],
    ['x arn:aws:eks:eu-west-1:1:cluster/a', undefined],
  ])('may be told by the ARN %s', (arn, expected) => {
    expect(regionOf([asked('aws_a.b', { arn })], {})).toBe(expected);
  });
});
