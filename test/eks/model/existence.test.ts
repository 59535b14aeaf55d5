import { CLOUDFORMATION } from '../../../lib/front-ends/cloudformation/dialects';
import {
  always,
  casesOf,
  Choice,
  Known,
  nowhere,
  whereExists,
  type Plain,
  type Resource,
  type When,
} from '../../../lib/eks';

/** Conditions with their values; two different values of one condition exclude each other. */
class Assumed implements When {
  constructor(private readonly values: Readonly<Record<string, boolean>>) {}

  get text(): string {
    return Object.entries(this.values)
      .map(([name, value]) => `${name} is ${String(value)}`)
      .join(' and ');
  }

  and(other: When): When | undefined {
    if (!(other instanceof Assumed)) return this;
    const contradicts = Object.entries(other.values).some(([name, value]) => this.values[name] === !value);
    return contradicts ? undefined : new Assumed({ ...this.values, ...other.values });
  }

  not(): readonly When[] {
    return Object.entries(this.values).map(([name, value]) => new Assumed({ [name]: !value }));
  }
}

const known = <T>(value: T): Known<T> => new Known(value, nowhere);

function either<T>(condition: string, ifTrue: Plain<T>, ifFalse: Plain<T>): Choice<T> {
  return new Choice([
    { when: new Assumed({ [condition]: true }), value: ifTrue },
    { when: new Assumed({ [condition]: false }), value: ifFalse },
  ]);
}

function resource(exists: When): Resource {
  return {
    type: 'AWS::EKS::Nodegroup',
    id: 'Workers',
    path: undefined,
    stack: 'stack',
    frontEnd: 'cloudformation',
    dialect: CLOUDFORMATION,
    source: nowhere,
    suppressions: [],
    exists,
  };
}

const anywhere = resource(always);
const inProduction = resource(new Assumed({ production: true }));
const byProduction = either('production', known(2), known(1));
const byTests = either('tests', known('a'), known('b'));

describe('whereExists', () => {
  it('leaves the value of a resource that always exists as it is', () => {
    expect(whereExists(anywhere, byProduction)).toBe(byProduction);
  });

  it('gives the one alternative that is left, without its assumption', () => {
    expect(whereExists(inProduction, byProduction)).toEqual(known(2));
  });

  it('keeps alternatives that the existence does not decide', () => {
    expect(whereExists(inProduction, byTests)).toEqual(byTests);
  });

  it('takes nothing away if nothing would be left', () => {
    const never = new Choice([{ when: new Assumed({ production: false }), value: known(1) }]);
    expect(whereExists(inProduction, never)).toBe(never);
  });
});

describe('casesOf', () => {
  const texts = (resourceOf: Resource, given?: When) =>
    casesOf(resourceOf, { hop: byProduction, name: byTests }, given).map(({ when, values: { hop, name } }) => [
      when.text,
      hop,
      name,
    ]);

  it('has all cases of a resource that always exists', () => {
    expect(texts(anywhere)).toHaveLength(4);
  });

  it('drops the cases that contradict the existence, and names no assumption that follows from it', () => {
    expect(texts(inProduction)).toEqual([
      ['tests is true', known(2), known('a')],
      ['tests is false', known(2), known('b')],
    ]);
  });

  it('gives the only case that is left without assumption', () => {
    expect(casesOf(inProduction, { hop: byProduction })).toEqual([{ when: always, values: { hop: known(2) } }]);
  });

  it('keeps what was assumed before', () => {
    const given = new Assumed({ tests: true });
    expect(texts(inProduction, given)).toEqual([['tests is true', known(2), known('a')]]);
    expect(casesOf(inProduction, { one: known(1) }, given)).toEqual([{ when: given, values: { one: known(1) } }]);
  });
});
