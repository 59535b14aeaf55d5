import fc from 'fast-check';
import { runs } from '../share';
import { render } from '../../lib/reports';
import { expectGolden } from './golden';
import { contextWith, findingOn, placeOf, resourceAt, resultOf } from './hand-made';
import { everything, files, many, sample, suppressed, unverifiable } from './sample';
import { readXml, type Element } from './xml';

function read(...[result, values]: [Parameters<typeof render>[1], Parameters<typeof contextWith>[1]?]): Element {
  return readXml(render('junit', result, contextWith(files, values)));
}

function casesOf(root: Element): Element[] {
  return root.children.flatMap(({ children }) => children);
}

describe('the JUnit report', () => {
  it('looks like the golden file', () => {
    expectGolden('junit.xml', render('junit', sample, contextWith(files)));
  });

  it('counts in its attributes what is in it', () => {
    const root = read(sample);
    const count = (suites: readonly Element[], name: string) =>
      String(
        suites
          .flatMap(({ children }) => children)
          .filter(({ children }) => name === '' || children.some((child) => child.name === name)).length,
      );
    for (const [suites, { attributes }] of [
      [root.children, root] as const,
      ...root.children.map((suite) => [[suite], suite] as const),
    ]) {
      expect(attributes).toMatchObject({
        tests: count(suites, ''),
        failures: count(suites, 'failure'),
        errors: count(suites, 'error'),
        skipped: count(suites, 'skipped'),
      });
    }
    expect(root.attributes).toMatchObject({ failures: '5', errors: '1', skipped: '2' });
  });

  it('gives every case a name of its own, without lines', () => {
    const names = casesOf(read(sample, { list: everything })).map(
      ({ attributes }) => `${attributes['classname'] ?? ''} ${attributes['name'] ?? ''}`,
    );
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => /:\d/.test(name))).toEqual([]);
  });

  it('names all files from the root of the repository', () => {
    const source = placeOf('cluster.yaml', 'Workers: 1', 'Workers');
    const result = resultOf(
      [findingOn(resourceAt(source), { related: [{ message: 'uses it', source }] })],
      [{ severity: 'error', message: 'no YAML', file: 'cluster.yaml', line: 2, column: 3 }],
    );
    const report = render(
      'junit',
      result,
      contextWith(files, { repository: { root: '/repo', workingFolder: '/repo/x' } }),
    );
    expect(report).toContain('Also: x/cluster.yaml:1:1 uses it');
    expect(report).toContain('>x/cluster.yaml:2:3 no YAML<');
    expect(report).not.toMatch(/(?<!x\/)cluster\.yaml/);
  });

  it('gives no commands to the runner of GitHub Actions, and means the same', () => {
    const message = 'a\n::error::pwned\n  ::add-mask::x ##[error]y';
    const report = render(
      'junit',
      resultOf([findingOn(resourceAt(placeOf('a', 'b', 'b')), { message })]),
      contextWith(files),
    );
    expect(report).not.toMatch(/^\s*::|##\[/m);
    expect(casesOf(readXml(report)).flatMap(({ children }) => children)).toMatchObject([
      { attributes: { message }, text: expect.stringContaining(message) as string },
    ]);
  });

  it('has a passed case for each file when there is nothing to report', () => {
    const root = read(resultOf([]));
    expect(casesOf(root)).toMatchObject([
      { name: 'testcase', attributes: { name: 'cluster.yaml can be read', file: 'cluster.yaml' }, children: [] },
    ]);
    expect(root.attributes).toMatchObject({ tests: '1', failures: '0' });
  });

  it('skips what cannot be told and what is accepted, even when nobody asks', () => {
    const skipped = casesOf(read(resultOf([unverifiable, suppressed]))).flatMap(({ children }) => children);
    expect(skipped.map(({ name, attributes }) => [name, attributes['message']])).toEqual([
      ['skipped', "Can't tell whether it is supported."],
      ['skipped', 'accepted until 2027-01-31: one tenant'],
    ]);
  });

  it('reports errors only, when only these are listed', () => {
    const types = casesOf(
      read(sample, { list: { warning: false, info: false, unverifiable: false, suppressed: false } }),
    ).flatMap(({ children }) =>
      children.filter(({ name }) => name === 'failure').map(({ attributes }) => attributes['type']),
    );
    expect(types).toEqual(['error', 'error']);
  });

  it('is well-formed XML that says the same, whatever a message holds', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom(
          '<',
          '>',
          '&',
          '"',
          "'",
          ']]>',
          '\n',
          '\r',
          '\t',
          '\u0000',
          '\u001b',
          '\ufffe',
          '\ud800',
          '\udfff',
          '&amp;',
          '😀',
          'a',
        ),
        fc.string({ maxLength: 2, unit: 'binary' }),
      ),
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, text, (message, id) => {
        const resource = resourceAt(unverifiable.resource.source, { id });
        const root = read(resultOf([findingOn(resource, { message, fix: id, fixCode: message })]));
        const failures = casesOf(root).flatMap(({ children }) => children.filter(({ name }) => name === 'failure'));
        expect(failures).toHaveLength(1);
        if (/^[a-z<>&"'\n]*$/.test(message)) expect(failures[0]?.attributes['message']).toBe(message);
      }),
      { numRuns: runs(100) },
    );
  });

  it('lists every finding of a large run', () => {
    expect(casesOf(read(many(2000)))).toHaveLength(2001);
  });
});
