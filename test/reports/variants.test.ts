import type { Finding } from '../../lib/engine';
import { render } from '../../lib/reports';
import { contextWith, findingOn, placeOf, resourceAt, resultOf } from './hand-made';

const source = Array.from({ length: 9 }, (_, index) => `line${index + 1}\n`).join('');
const at = (line: number) => placeOf('app.yaml', source, `line${line}`);
const group = (id: string, line: number) =>
  resourceAt(at(line), { type: 'AWS::EKS::Nodegroup', id, path: `Shop/Cluster/${id}` });

const template = (name: string, inside = '') =>
  `const ${name} = new ec2.LaunchTemplate(this, 'Template', {\n  httpTokens: required,\n  hopLimit: 2,\n${inside}});\n`;

const finding = (id: string, line: number, values: Parameters<typeof findingOn>[1]) =>
  findingOn(group(id, line), {
    message: `Node group "Shop/Cluster/${id}" has no template.`,
    source: at(line),
    ...values,
  });

const report = (...findings: readonly Finding[]) => render('text', resultOf(findings), contextWith({}));

describe('fixes of one kind in the text report', () => {
  const first = finding('One', 1, {
    fix: 'Use type `A`. Then drain the old one.',
    fixCode: `${template('nodes')}amiType: A,\n`,
  });

  it('are told once, with the lines that differ', () => {
    const other = finding('Two', 2, {
      fix: 'Use type `B`. Then drain the old one. Move its disk.',
      fixCode: `${template('nodes2', '  disk: 80,\n')}amiType: B,\n`,
    });
    const text = report(first, other);
    expect(text.match(/^error /gm)).toHaveLength(1);
    expect(text).toContain(
      '        amiType: A,\n  for   Two: Use type `B`. Move its disk. These lines differ:\n          disk: 80,\n        amiType: B,\n\n',
    );
  });

  it('are told once where the values stand in other files, under other names', () => {
    const there = (where: string, line: string): Partial<Finding> => ({
      fix: `Update it. The value stands in ${where}.`,
      fixCode: `# ${where}:\n# in the end\n${line}`,
    });
    const text = report(
      finding('One', 1, there('a.tf:2, local.one', 'release = "1.36"')),
      finding('Two', 2, there('b.tf:7, local.one', 'default = "1.36"')),
    );
    expect(text.match(/^error /gm)).toHaveLength(1);
    expect(text).toContain(
      '  for   Two: The value stands in b.tf:7, local.one. These lines differ:\n        # b.tf:7, local.one:\n        # in the end\n        default = "1.36"\n\n',
    );
  });

  it('stay apart where an item of a list differs, which has no name by which to find its place', () => {
    const listOf = (...items: readonly string[]): Partial<Finding> => ({
      fix: 'Take it out.',
      fixCode: `policies:\n${items.map((item) => `  - ${item}\n`).join('')}`,
    });
    const text = report(finding('One', 1, listOf('a', 'b')), finding('Two', 2, listOf('a', 'b', 'c')));
    expect(text.match(/^error /gm)).toHaveLength(2);
    expect(text).not.toContain('These lines differ');
  });

  it('stay apart if one of them says less, or something else', () => {
    for (const values of [
      { fix: 'Use type `B`.', fixCode: first.fixCode },
      { fix: first.fix, fixCode: 'version: 1\n' },
      { fix: first.fix, fixCode: undefined },
    ]) {
      const text = report(first, finding('Two', 2, values));
      expect(text.match(/^error /gm)).toHaveLength(2);
      expect(text).not.toContain('  for ');
    }
  });

  it('of several rules declare what is the same once', () => {
    const other = finding('Two', 2, { rule: 'imds-v1', fix: 'Do it.', fixCode: `${template('nodes2')}version: 1,\n` });
    expect(report(first, other)).toContain(
      "        const nodes2 = new ec2.LaunchTemplate(this, 'Template', { ... as above\n        version: 1,\n",
    );
  });

  it('are told as part of those that do them, too', () => {
    const mended = finding('One', 1, { rule: 'imds-v1', severity: 'warning', fixCode: undefined, fixedBy: first.rule });
    const text = report(first, mended);
    expect(text).toContain('  too   warning imds-v1 of One\n');
    expect(text.match(/^(?:error|warning) /gm)).toHaveLength(1);
    expect(report(mended).match(/^(?:error|warning) /gm)).toHaveLength(1);
  });
});
