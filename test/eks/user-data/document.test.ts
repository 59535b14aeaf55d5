import { gzipSync } from 'node:zlib';
import { decodeUserData } from '../../../lib/eks/user-data/decode';
import { readUserData } from '../../../lib/eks/user-data/read-document';
import { SourceText, type TextPiece } from '../../../lib/eks/user-data/source-text';
import { nowhere, Unknown, type Source } from '../../../lib/value';
import { base64, config, mime, NODE_CONFIG, SCRIPT, script } from './mime-documents';

function unknown(text: string, symbol?: string): Unknown {
  return new Unknown(`${text} has no default`, nowhere, `\${${text}}`, symbol);
}

/** Text with `${name}` for what is unknown; equal names are equal values. */
function template(text: string): SourceText {
  const pieces = text.split(/(\$\{\w+\})/).map((piece): TextPiece => {
    const [, name] = /^\$\{(\w+)\}$/.exec(piece) ?? [];
    return name === undefined ? { text: piece, sourceAt: () => nowhere } : { unknown: unknown(name, name) };
  });
  return SourceText.compose(pieces);
}

function summary(text: SourceText): readonly string[] {
  return readUserData(text).parts.map(({ kind, readByNodeadm, readByCloudInit }) =>
    [kind, ...(readByNodeadm ? ['nodeadm'] : []), ...(readByCloudInit ? ['cloud-init'] : [])].join(' '),
  );
}

/** A source that only knows its offset. */
function at(offset: number): Source {
  return { locate: () => ({ file: 'input', line: 1, column: offset + 1 }) };
}

describe('the format of user data', () => {
  it.each([
    ['nothing', '', 'empty', 'empty'],
    ['blanks', ' \n\t', 'empty', 'empty'],
    ['a script', SCRIPT, 'shell-script', 'shell-script cloud-init'],
    [
      'a script behind a blank line, which cloud-init tries to run',
      `\n${SCRIPT}`,
      'shell-script',
      'shell-script cloud-init',
    ],
    ["a script behind a byte order mark, which cloud-init doesn't", `\uFEFF${SCRIPT}`, 'shell-script', 'shell-script'],
    ['a cloud-config', '#cloud-config\npackages: [jq]', 'cloud-config', 'cloud-config cloud-init'],
    ['a boothook', '#cloud-boothook\n#!/bin/sh\ntrue', 'text', 'boothook cloud-init'],
    ['a NodeConfig', NODE_CONFIG, 'node-config', 'node-config nodeadm'],
    ['a NodeConfig behind a byte order mark', `\uFEFF${NODE_CONFIG}`, 'node-config', 'node-config nodeadm'],
    [
      'a NodeConfig behind comments and a document marker',
      `# nodes\n---\n${NODE_CONFIG}`,
      'node-config',
      'node-config nodeadm',
    ],
    [
      'a NodeConfig in JSON',
      '{"kind": "NodeConfig", "apiVersion": "node.eks.aws/v1alpha1"}',
      'node-config',
      'node-config nodeadm',
    ],
    ['a NodeConfig behind a directive', `%YAML 1.1\n---\n${NODE_CONFIG}`, 'node-config', 'node-config nodeadm'],
    [
      'a NodeConfig that begins with another key',
      `x-owner: team\n${NODE_CONFIG}`,
      'node-config',
      'node-config nodeadm',
    ],
    [
      'a NodeConfig in one line',
      '{apiVersion: node.eks.aws/v1alpha1, kind: NodeConfig, spec: {}}',
      'node-config',
      'node-config nodeadm',
    ],
    ['an indented NodeConfig', NODE_CONFIG.replace(/^/gm, '  '), 'node-config', 'node-config nodeadm'],
    ['Bottlerocket settings', '[settings.kubernetes]\ncluster-name = "main"', 'toml', 'toml'],
    ['Bottlerocket settings in dotted keys', '# nodes\nsettings.kubernetes.max-pods = 20', 'toml', 'toml'],
    ['PowerShell', '\n<powershell>\nWrite-Host hello\n</powershell>', 'windows', 'windows'],
    ['a script without #!', '/etc/eks/bootstrap.sh main', 'text', 'text'],
    [
      'a script that writes a NodeConfig',
      `#!/bin/bash\ncat <<EOF\n${NODE_CONFIG}\nEOF`,
      'shell-script',
      'shell-script cloud-init',
    ],
    [
      'a script that writes MIME',
      `#!/bin/bash\ncat <<EOF\n${mime([config])}EOF`,
      'shell-script',
      'shell-script cloud-init',
    ],
    ['YAML with a content type in it', 'a: 1\nContent-Type: text/html', 'text', 'text'],
    ['control characters', '\u0000\u0001', 'binary', 'binary'],
  ])('of %s', (_, text, format, part) => {
    expect(readUserData(SourceText.of(text)).format).toBe(format);
    expect(summary(SourceText.of(text))).toEqual([part]);
  });
});

describe('layers around user data', () => {
  it.each([
    ['none', mime([config]), []],
    ['base64', base64(mime([config])), ['base64']],
    ['wrapped base64', base64(mime([config])).replace(/.{76}/g, '$&\n'), ['base64']],
    ['base64 of gzip', gzipSync(mime([config])).toString('base64'), ['base64', 'gzip']],
  ])('are taken off: %s', (_, text, layers) => {
    const document = readUserData(SourceText.of(text));
    expect(document.layers).toEqual(layers);
    expect(document.text.text).toBe(mime([config]));
    expect(summary(SourceText.of(text))).toEqual(['node-config nodeadm']);
  });

  it('are too many for the readers when there are two of base64', () => {
    const document = readUserData(SourceText.of(base64(base64(mime([config, script])))));
    expect(document.layers).toEqual(['base64', 'base64']);
    expect(document.parts.map((part) => part.readByNodeadm || part.readByCloudInit)).toEqual([false, false]);
  });

  it('count when they were taken off before', () => {
    expect(readUserData(SourceText.of(SCRIPT), { gzip: true }).layers).toEqual(['gzip']);
    expect(readUserData(SourceText.of(base64(SCRIPT)), { layers: ['base64'] }).layers).toEqual(['base64', 'base64']);
  });

  it.each(['abcdefghijklmnop', 'thisisjustonelongwordwithoutblanks', 'YWJj'])('are no words: %s', (text) => {
    expect(readUserData(SourceText.of(text)).layers).toEqual([]);
  });

  it('may be known only from inside', () => {
    const text = SourceText.compose([{ unknown: unknown('Encoded'), encoded: template(`${SCRIPT} \${Name}`) }]);
    const document = readUserData(text);
    expect(document.layers).toEqual(['base64']);
    expect(document.format).toBe('shell-script');
  });

  it('leave lines counted in the text, and places where the base64 stands', () => {
    const document = readUserData(SourceText.of(base64(SCRIPT), at));
    const offset = document.text.text.indexOf('echo');
    expect(document.text.positionAt(offset)).toEqual({ line: 2, column: 1 });
    expect(document.text.sourceAt(offset).locate().column).toBe(Math.floor(offset / 3) * 4 + 1);
  });

  it('are taken off bytes', () => {
    const bytes = Buffer.from(SCRIPT);
    expect(decodeUserData(bytes)).toEqual({ text: SCRIPT, layers: [], binary: false });
    expect(decodeUserData(gzipSync(bytes))).toEqual({ text: SCRIPT, layers: ['gzip'], binary: false });
    expect(decodeUserData(Buffer.from(base64(SCRIPT)))).toEqual({ text: SCRIPT, layers: ['base64'], binary: false });
    expect(decodeUserData(Buffer.from(gzipSync(bytes).toString('base64')))).toEqual({
      text: SCRIPT,
      layers: ['base64', 'gzip'],
      binary: false,
    });
    expect(decodeUserData(Buffer.from(`\uFEFF${SCRIPT}`)).text).toBe(`\uFEFF${SCRIPT}`);
    expect(decodeUserData(new Uint8Array())).toEqual({ text: '', layers: [], binary: false });
  });

  it.each([
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x41])],
    ['damaged gzip', gzipSync(SCRIPT).subarray(0, 20)],
    ['a gzip bomb', gzipSync(Buffer.alloc(5_000_000, 0x61))],
  ])('that hide %s make it binary', (_, bytes) => {
    expect(decodeUserData(bytes).binary).toBe(true);
  });
});

describe('a part of a MIME document', () => {
  it('knows its places in the text', () => {
    const text = mime([config, script]);
    const [, part] = readUserData(SourceText.of(text)).parts;
    expect(text.slice(part?.headerOffset, part?.bodyOffset)).toBe(
      'Content-Type: text/x-shellscript; charset="us-ascii"\n\n',
    );
    expect(part?.body.text).toBe(SCRIPT);
    expect(part?.mediaType).toBe('text/x-shellscript');
    expect(part?.body.positionAt(part.body.text.indexOf('hello'))).toEqual({ line: 16, column: 6 });
  });

  it('keeps the way back through base64 and quoted-printable', () => {
    const body = '#!/bin/bash\necho "größe 𝄞" && x=1\nend';
    const encodings = [
      ['base64', Buffer.from(body).toString('base64').replace(/.{16}/g, '$&\n')],
      [
        'quoted-printable',
        Array.from(Buffer.from(body), (byte) =>
          byte > 126 || byte === 61 ? `=${byte.toString(16).toUpperCase()}` : String.fromCharCode(byte),
        )
          .join('')
          .replace('echo', 'ec=\nho'),
      ],
    ] as const;
    for (const [encoding, encoded] of encodings) {
      const text = mime([
        { headers: ['Content-Type: text/x-shellscript', `Content-Transfer-Encoding: ${encoding}`], body: encoded },
      ]);
      const [part] = readUserData(SourceText.of(text, at)).parts;
      expect(part?.body.text).toBe(body);
      const places = Array.from(body, (_, offset) => (part?.body.sourceAt(offset).locate().column ?? 0) - 1);
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(places[0]).toBe(part?.bodyOffset);
      const end = text.indexOf('\n--B--');
      expect(places.at(-1)).toBeGreaterThan(end - 6);
      expect(places.at(-1)).toBeLessThan(end);
    }
  });

  it('may be compressed', () => {
    const body = gzipSync(SCRIPT).toString('base64');
    const text = mime([
      { headers: ['Content-Type: application/gzip', 'Content-Transfer-Encoding: base64'], body },
      {
        headers: ['Content-Type: application/node.eks.aws', 'Content-Transfer-Encoding: base64'],
        body: gzipSync(NODE_CONFIG).toString('base64'),
      },
    ]);
    expect(summary(SourceText.of(text))).toEqual(['shell-script cloud-init', 'node-config nodeadm']);
  });
});

describe('what is unknown', () => {
  const GOOD = mime([config, script]);

  it('may stand in a content', () => {
    const text = template(GOOD.replace('main', '${Name}').replace('hello', '${Greeting}'));
    expect(summary(text)).toEqual(['node-config nodeadm', 'shell-script cloud-init']);
    expect(readUserData(text)).toMatchObject({ defects: [], unknownStructure: undefined });
    expect(readUserData(text).parts[0]?.body.unknownParts[0]?.unknown.text).toBe('${Name}');
  });

  it('may be a content', () => {
    const text = template(GOOD.replace(NODE_CONFIG, '${Config}').replace(SCRIPT, '${Script}'));
    expect(summary(text)).toEqual(['node-config nodeadm', 'shell-script cloud-init']);
    expect(readUserData(text)).toMatchObject({ defects: [], unknownStructure: undefined });
  });

  it('may be the base64 of a content that is known', () => {
    const [before = '', after = ''] = mime([
      config,
      { headers: ['Content-Type: text/x-shellscript', 'Content-Transfer-Encoding: base64'], body: '|' },
    ]).split('|');
    const text = SourceText.compose([
      { text: before, sourceAt: at },
      { unknown: unknown('Encoded'), encoded: SourceText.of(SCRIPT) },
      { text: after, sourceAt: at },
    ]);
    expect(readUserData(text).parts[1]?.body.text).toBe(SCRIPT);
    expect(summary(text)).toEqual(['node-config nodeadm', 'shell-script cloud-init']);
  });

  it('is the content when part of its base64 is unknown', () => {
    const text = template(
      mime([
        { headers: ['Content-Type: text/x-shellscript', 'Content-Transfer-Encoding: base64'], body: 'IyEvYm${Rest}' },
      ]),
    );
    const document = readUserData(text);
    expect(document.defects).toEqual([]);
    expect(document.parts.map((part) => [part.kind, part.body.unknownParts.length])).toEqual([['shell-script', 1]]);
  });

  it('stands for a part, or several, between boundaries', () => {
    const text = template(GOOD.replace('--B--', '--B\n${More}\n--B--'));
    expect(summary(text)).toEqual(['node-config nodeadm', 'shell-script cloud-init', 'unknown nodeadm cloud-init']);
    expect(readUserData(text)).toMatchObject({ defects: [], unknownStructure: undefined });
  });

  it('may be what ends the line before a boundary', () => {
    const text = template(GOOD.replace('hello\n--B--', '${Greeting}--B--').replace('main\n--B\n', '${Name}--B\n'));
    expect(summary(text)).toEqual(['node-config nodeadm', 'shell-script cloud-init']);
    expect(readUserData(text)).toMatchObject({ defects: [], unknownStructure: undefined });
  });

  it.each([
    ['the boundary', GOOD.replace('"B"', '"${B}"').replaceAll('--B', '--${B}')],
    ["a boundary that isn't told", GOOD.replace('"B"', '"${A}"')],
    ['the rest of a boundary', GOOD.replace('main\n--B\n', 'main\n--B${Rest}')],
    ['the Content-Type', GOOD.replace('multipart/mixed; boundary="B"', '${Type}')],
    ['all headers', GOOD.replace(/^[^]*?\n\n/, '${Headers}\n')],
    ['the media type of a part', GOOD.replace('application/node.eks.aws', '${Type}')],
    ['the end', GOOD.replace('--B--\n', '${End}')],
  ])('leaves the structure open when it is %s', (_, text) => {
    const document = readUserData(template(text));
    expect(document).toMatchObject({ format: 'multipart', defects: [] });
    expect(document.unknownStructure).toBeInstanceOf(Unknown);
  });

  it('still shows parts when the boundary is one value throughout', () => {
    expect(summary(template(GOOD.replace('"B"', '"${B}"').replaceAll('--B', '--${B}')))).toEqual([
      'node-config nodeadm',
      'shell-script cloud-init',
    ]);
  });

  it('hides no defect elsewhere', () => {
    const text = template(GOOD.replace('main\n--B\n', '${Name}\n--B--\n'));
    expect(readUserData(text).defects.map(({ kind }) => kind)).toEqual(['closed-early']);
  });

  it('is the format when it comes first', () => {
    expect(readUserData(template('${UserData}')).format).toBe('unknown');
    expect(readUserData(template('${Shebang}\necho hello')).format).toBe('unknown');
  });
});
