import { render } from '../../lib/reports';
import { expectGolden } from './golden';
import { contextWith, resultOf } from './hand-made';
import { everything, files, many, sample, suppressed } from './sample';

interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

function read(...[result, values]: [Parameters<typeof render>[1], Parameters<typeof contextWith>[1]?]): Issue[] {
  return JSON.parse(render('gitlab', result, contextWith(files, values))) as Issue[];
}

describe('the GitLab report', () => {
  it('looks like the golden file', () => {
    expectGolden('gitlab.json', render('gitlab', sample, contextWith(files)));
  });

  it('has what GitLab requires of each issue, and fingerprints that differ', () => {
    const issues = read(sample, { list: everything });
    for (const issue of issues) {
      expect(Object.keys(issue)).toEqual(['description', 'check_name', 'fingerprint', 'severity', 'location']);
      expect(['info', 'minor', 'major', 'critical', 'blocker']).toContain(issue.severity);
      expect(issue.location.path).not.toMatch(/^\.?\//);
      expect(issue.location.lines.begin).toBeGreaterThan(0);
      expect(issue.description).not.toMatch(/[\n\r\u0000-\u001f]/);
    }
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
  });

  it('is an empty list when there is nothing to report or all is accepted', () => {
    expect(render('gitlab', resultOf([]), contextWith({}))).toBe('[]\n');
    expect(read(resultOf([suppressed]), { list: everything })).toEqual([]);
  });

  it('keeps fingerprints when less is listed', () => {
    const all = new Map(
      read(sample, { list: everything }).map(({ fingerprint, description }) => [fingerprint, description]),
    );
    for (const { fingerprint, description } of read(sample)) expect(all.get(fingerprint)).toBe(description);
  });

  it('lists every finding of a large run', () => {
    expect(read(many(3000))).toHaveLength(3000);
  });
});
