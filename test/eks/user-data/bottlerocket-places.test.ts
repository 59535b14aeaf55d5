import { readBottlerocket } from '../../../lib/eks/user-data/bottlerocket';
import { outsideSettings } from '../../../lib/eks/user-data/bottlerocket/read';
import { SourceText } from '../../../lib/eks/user-data/source-text';

describe('settings that are added to a table', () => {
  const KUBERNETES = ['settings', 'kubernetes'];
  const added = (text: string, path: readonly string[] = KUBERNETES): string | undefined => {
    const change = readBottlerocket(SourceText.of(text)).withSettings(path, ['a = 1', 'b = 2']);
    return change === undefined ? undefined : text.slice(0, change.start) + change.text + text.slice(change.end);
  };

  it.each([
    [
      'in front of the first of its own',
      '[settings.kubernetes]\nx = 1\n',
      '[settings.kubernetes]\na = 1\nb = 2\nx = 1\n',
    ],
    ['below a header at the end', 'y = 1\n[settings.kubernetes]', 'y = 1\n[settings.kubernetes]\na = 1\nb = 2'],
    [
      'below its own header, not that of a table within it',
      '[settings.kubernetes.node-labels]\nx = "1"\n[settings.kubernetes]\n',
      '[settings.kubernetes.node-labels]\nx = "1"\n[settings.kubernetes]\na = 1\nb = 2\n',
    ],
    [
      'with a header of its own in front of other tables',
      '# top\n[settings.ntp]\nx = 1\n',
      '# top\n[settings.kubernetes]\na = 1\nb = 2\n[settings.ntp]\nx = 1\n',
    ],
    ['with a header of its own in an empty text', '# top\n', '# top\n[settings.kubernetes]\na = 1\nb = 2\n'],
  ])('stand %s', (_, before, after) => {
    expect(added(before)).toBe(after);
  });

  it.each([
    ['is written with dots', 'settings.kubernetes.x = 1\n'],
    ['is written with dots below a header', '[settings]\nkubernetes.x = 1\n'],
    ['is written inline', '[settings]\nkubernetes = { x = 1 }\n'],
    ['would stand behind keys without a table', 'x = 1\n[settings.ntp]\ny = 1\n'],
    ['can not be read', '[settings\n'],
  ])('stand nowhere, if the table %s', (_, text) => {
    expect(added(text)).toBeUndefined();
  });
});

describe('what stands beside the settings', () => {
  const told = (text: string) => {
    const { document } = readBottlerocket(SourceText.of(text));
    return document === undefined
      ? undefined
      : outsideSettings(document.root).map(({ path, offset, message, fix }) => [path.join('.'), offset, message, fix]);
  };

  it('is nothing, or is told with where it belongs', () => {
    expect(told('[settings.ntp]\nx = 1\n')).toEqual([]);
    expect(told('max-pods = 1\n[settings.ntp]\nx = 1\n')).toEqual([
      [
        'max-pods',
        0,
        'stands outside of `settings`; nothing reads it',
        'Put `max-pods` below `[settings.kubernetes]`.',
      ],
    ]);
    expect(told('motd = "a"\n[settings.ntp]\nx = 1\n')).toEqual([
      [
        'motd',
        0,
        'stands outside of `settings`; nothing reads it',
        'Put `motd` into the table below `settings` that it belongs to, or remove it.',
      ],
    ]);
    expect(told('max-pods = 1\nmotd = "a"\nother = 1\n[kubernetes]\ny = 1\n')).toEqual([
      [
        'max-pods',
        0,
        'and `motd`, `other` stand outside of `settings`; nothing reads them',
        'Put `max-pods` below `[settings.kubernetes]`. Put `motd`, `other` into the table below `settings` that they belong to, or remove them.',
      ],
      [
        'kubernetes',
        35,
        'stands outside of `settings`; nothing reads it',
        'Write it as `settings.kubernetes`, or remove it.',
      ],
    ]);
  });
});

it('dates are values', () => {
  for (const date of ['1979-05-27T07:32:00Z', '1979-05-27T07:32:00', '1979-05-27', '07:32:00']) {
    const reading = readBottlerocket(SourceText.of(`[settings]\nx = ${date}\ny = 1\n`));
    expect([date, reading.valueAt('settings', 'x') === undefined, reading.valueAt('settings', 'y')]).toEqual([
      date,
      false,
      1,
    ]);
    expect(reading.valueAt('settings', 'x', 'z')).toBeUndefined();
    expect(reading.valueAt('settings', 'z')).toBeUndefined();
  }
});
