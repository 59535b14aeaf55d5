import { render } from '../../lib/reports';
import { contextWith, findingOn, placeOf, resourceAt, resultOf } from './hand-made';

const yaml = 'Resources:\n  Blue:\n    Type: AWS::EC2::LaunchTemplate\n  Green:\n    Type: AWS::EC2::LaunchTemplate\n';
const at = (text: string) => placeOf('infra/nodes.yaml', yaml, text);
const blue = findingOn(resourceAt(at('Blue:'), { id: 'Blue' }), { message: 'Blue\u001b[2J has\n1 hop.' });
const green = findingOn(resourceAt(at('Green:'), { id: 'Green' }), {
  severity: 'warning',
  rule: 'imds-v1',
  message: 'IMDSv1.',
});
const open = { ...blue, severity: 'info', verdict: 'unverifiable', message: "Can't tell." } as const;
const accepted = { ...blue, suppressed: { reason: 'meant' } };
const unread = { severity: 'error', message: 'it ends inside a string', file: 'b.json', line: 3, column: 9 } as const;
const doubt = { ...unread, severity: 'warning', message: 'there is no "Gone"' } as const;
const everything = [blue, green, open, accepted];
const ALL = { info: true, unverifiable: true, suppressed: true };
const ERRORS = { warning: false, info: false, unverifiable: false, suppressed: false };

describe('the compact report', () => {
  it('has a line for each problem and each finding that is listed', () => {
    expect(render('compact', resultOf(everything, [unread, doubt]), contextWith({}))).toBe(
      [
        'b.json:3:9: error input it ends inside a string',
        'b.json:3:9: warning input there is no "Gone"',
        'infra/nodes.yaml:2:3: error imds-hop-limit Blue?[2J has 1 hop.',
        'infra/nodes.yaml:4:3: warning imds-v1 IMDSv1.',
        '1 error, 1 warning, 1 unverifiable, 1 suppressed in 1 input, 12 resources, and 1 error and 1 warning about the input',
        '',
      ].join('\n'),
    );
  });

  it('has errors first, as the text report', () => {
    const late = { ...blue, source: at('Green:') };
    const early = { ...green, source: at('Blue:') };
    const lines = render('compact', resultOf([early, late]), contextWith({}));
    expect(lines.match(/:\d+:3: \w+/g)).toEqual([':4:3: error', ':2:3: warning']);
  });

  it('lists what is asked for', () => {
    const lines = (list: typeof ALL) => render('compact', resultOf(everything, [doubt]), contextWith({}, { list }));
    expect(lines(ALL).match(/: (?:error|warning|unverifiable|suppressed) \S+/g)).toEqual([
      ': warning input',
      ': error imds-hop-limit',
      ': warning imds-v1',
      ': unverifiable imds-hop-limit',
      ': suppressed imds-hop-limit',
    ]);
    expect(lines(ERRORS).split('\n')).toHaveLength(3);
  });

  it('tells how many findings are left out', () => {
    const lines = render('compact', resultOf([blue, green]), contextWith({}, { most: 1 })).split('\n');
    expect(lines.slice(1, 2)).toEqual(['... and 1 more finding']);
    expect(render('compact', resultOf([blue, green]), contextWith({}, { most: 2 }))).not.toContain('more finding');
  });
});

describe('the report for Atlantis', () => {
  const last = (text: string) => text.trimEnd().split('\n').at(-1);
  /** What Atlantis takes for a failure: server/events/project_command_runner.go. */
  const isFailure = (text: string) => text === '' || text.startsWith('FAIL') || /[1-9]\d* failure/.test(text);

  it('fails for errors, one line each, and counts them', () => {
    const text = render('atlantis', resultOf(everything), contextWith({}));
    expect(text).toBe(
      [
        'FAIL - infra/nodes.yaml:2:3 - imds-hop-limit - Blue?[2J has 1 hop.',
        'WARNING - infra/nodes.yaml:4:3 - imds-v1 - IMDSv1.',
        '1 error, 1 warning, 1 unverifiable, 1 suppressed in 1 input, 12 resources',
        '1 failure',
        '',
      ].join('\n'),
    );
    expect(isFailure(text)).toBe(true);
  });

  it('fails for what the check fails for', () => {
    const failures = (failOn: 'warning' | 'unverifiable' | 'never') =>
      render('atlantis', resultOf(everything), contextWith({}, { failOn })).match(/^FAIL /gm)?.length ?? 0;
    expect([failures('warning'), failures('unverifiable'), failures('never')]).toEqual([2, 3, 0]);
  });

  it('fails for what could not be read', () => {
    const text = render('atlantis', resultOf([], [unread, doubt]), contextWith({}));
    expect(text).toContain('FAIL - b.json:3:9 - input - it ends inside a string\n');
    expect(last(text)).toBe('1 failure');
  });

  it('passes otherwise, and is never empty', () => {
    for (const findings of [[], [green], [accepted]]) {
      const text = render('atlantis', resultOf(findings), contextWith({}));
      expect(isFailure(text)).toBe(false);
      expect(last(text)).toBe('No failures');
    }
  });
});
