import { MultipartBody, MultipartUserData } from 'aws-cdk-lib/aws-ec2';
import { readUserData } from '../../../lib/eks/user-data/read-document';
import { SourceText } from '../../../lib/eks/user-data/source-text';
import { expectGolden } from '../../reports/golden';
import {
  base64,
  config,
  HEADERS,
  indented,
  mime,
  NODE_CONFIG,
  SCRIPT,
  script,
  second,
  type PartText,
} from './mime-documents';

/** Kind of defect, what nodeadm does, what cloud-init does. */
type Expected = readonly [kind: string, nodeadm: string, cloudInit: string];

function read(text: string) {
  return readUserData(SourceText.of(text));
}

function defectsOf(text: string): readonly Expected[] {
  return read(text).defects.map(({ kind, nodeadm, cloudInit }) => [kind, nodeadm, cloudInit]);
}

function readers(text: string): readonly string[] {
  return read(text).parts.map(({ kind, readByNodeadm, readByCloudInit }) =>
    [kind, ...(readByNodeadm ? ['nodeadm'] : []), ...(readByCloudInit ? ['cloud-init'] : [])].join(' '),
  );
}

const GOOD = mime([config, script]);
const CRLF = GOOD.replace(/\n/g, '\r\n');
const LONG = GOOD.replace('"B"', '"BOUNDARY"').replaceAll('--B', '--BOUNDARY');
const part = (headers: string | readonly string[], body: string): PartText => ({ headers, body });

/** What is wrong, a text, the defect, and who reads its parts. */
const DEFECTIVE: readonly (readonly [what: string, text: string, expected: Expected, readers: readonly string[]])[] = [
  [
    'a closing line used as a separator',
    GOOD.replace('main\n--B\n', 'main\n--B--\n'),
    ['closed-early', 'ignored', 'ignored'],
    ['node-config nodeadm', 'shell-script'],
  ],
  [
    'a closing line before a separator',
    GOOD.replace('main\n--B\n', 'main\n--B--\n--B\n'),
    ['closed-early', 'ignored', 'ignored'],
    ['node-config nodeadm', 'shell-script'],
  ],
  [
    'no closing line',
    mime([config, script], { close: '' }),
    ['not-closed', 'dies', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'a closing line behind text',
    GOOD.replace('hello\n--B--', 'hello--B--'),
    ['closing-line-glued', 'dies', 'swallowed'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'an indented closing line',
    GOOD.replace('--B--', '  --B--'),
    ['closing-line-glued', 'dies', 'swallowed'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    "a boundary that isn't the declared one",
    mime([config, script], { headers: [HEADERS[0] ?? '', 'Content-Type: multipart/mixed; boundary="C"'] }),
    ['boundary-not-found', 'dies', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    'indented boundary lines',
    GOOD.replace(/^--B/gm, '  --B'),
    ['boundary-not-found', 'dies', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    'a declared boundary with the dashes',
    GOOD.replace('"B"', '"--B"'),
    ['boundary-not-found', 'dies', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    'a boundary in single quotes',
    GOOD.replace('"B"', "'B'"),
    ['boundary-not-found', 'dies', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    'no boundary parameter',
    GOOD.replace('; boundary="B"', ''),
    ['boundary-missing', 'dies', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    'an unquoted boundary of slashes',
    GOOD.replace('"B"', '//').replaceAll('--B', '--//'),
    ['boundary-unquoted', 'lost', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'an unquoted boundary with =',
    GOOD.replace('"B"', '==B==').replaceAll('--B', '--==B=='),
    ['boundary-unquoted', 'lost', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'an unquoted boundary with :',
    GOOD.replace('"B"', 'B:1').replaceAll('--B', '--B:1'),
    ['boundary-unquoted', 'lost', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'no blank line after the top headers',
    mime([config, script], { blank: '' }),
    ['top-headers-without-blank-line', 'lost', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'a line of blanks after the top headers',
    mime([config, script], { blank: '  \n' }),
    ['top-headers-without-blank-line', 'lost', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'no blank line after part headers, before ---',
    mime([config, script]).replace('aws\n\napi', 'aws\n---\napi'),
    ['part-headers-without-blank-line', 'dies', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'no blank line after part headers, before YAML that a blank line ends',
    GOOD.replace('aws\n\napi', 'aws\napi').replace('main\n', 'main\n\n'),
    ['part-headers-without-blank-line', 'lost', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'no blank line after part headers, and none in the YAML, so that the boundary is read as a header',
    GOOD.replace('aws\n\napi', 'aws\napi'),
    ['part-headers-without-blank-line', 'dies', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'no blank line after the headers of a script whose first lines have colons',
    mime([config, part('text/x-shellscript', '#!:bin\nA:b\nC:d\n')]).replace('script\n\n', 'script\n'),
    ['part-headers-without-blank-line', 'none', 'lost'],
    ['node-config nodeadm', 'shell-script'],
  ],
  [
    'a script without a blank line after its headers',
    GOOD.replace('"\n\n#!', '"\n#!'),
    ['part-headers-without-blank-line', 'dies', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'a NodeConfig without Content-Type',
    mime([part(['X-Part: 1'], NODE_CONFIG), script]),
    ['part-without-type', 'ignored', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'a blank line before the headers of a NodeConfig',
    GOOD.replace('--B\nContent-Type: app', '--B\n\nContent-Type: app'),
    ['part-without-type', 'ignored', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'a blank line before the headers of a script',
    GOOD.replace('--B\nContent-Type: text', '--B\n\nContent-Type: text'),
    ['part-without-type', 'none', 'not-run'],
    ['node-config nodeadm', 'shell-script'],
  ],
  [
    'a NodeConfig as application/yaml',
    mime([part('application/yaml', NODE_CONFIG), script]),
    ['part-type-ignored', 'ignored', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'a NodeConfig as text/cloud-config',
    mime([part('text/cloud-config', NODE_CONFIG), script]),
    ['part-type-ignored', 'ignored', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'a NodeConfig as text/x-shellscript',
    mime([part('text/x-shellscript', NODE_CONFIG)]),
    ['part-type-ignored', 'ignored', 'none'],
    ['node-config'],
  ],
  [
    'a script as text/x-sh',
    mime([config, part('text/x-sh', SCRIPT)]),
    ['part-type-ignored', 'none', 'not-run'],
    ['node-config nodeadm', 'shell-script'],
  ],
  [
    'a media type with the API version',
    mime([part('application/node.eks.aws/v1alpha1', NODE_CONFIG), script]),
    ['part-type-misspelt', 'dies', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    "a parameter of a media type that can't be read",
    mime([config, part('text/x-shellscript; charset', SCRIPT)]),
    ['part-type-misspelt', 'dies', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'a NodeConfig in a multipart within',
    mime([
      part(
        'multipart/mixed; boundary="N"',
        `--N\nContent-Type: application/node.eks.aws\n\n${NODE_CONFIG}\n--N\nContent-Type: text/x-shellscript\n\n${SCRIPT}\n--N--`,
      ),
    ]),
    ['nested-multipart', 'ignored', 'none'],
    ['multipart', 'node-config', 'shell-script cloud-init'],
  ],
  [
    'an empty NodeConfig',
    mime([part('application/node.eks.aws', ''), script]),
    ['part-empty', 'lost', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'a boundary line that is repeated',
    GOOD.replace('--B\nContent-Type: text', '--B\n--B\nContent-Type: text'),
    ['part-empty', 'dies', 'none'],
    ['node-config', 'empty', 'shell-script cloud-init'],
  ],
  [
    'two Content-Type headers, the right one second',
    mime([part(['Content-Type: text/plain', 'Content-Type: application/node.eks.aws'], NODE_CONFIG), script]),
    ['repeated-content-type', 'ignored', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'two Content-Type headers, the right one first',
    mime([part(['Content-Type: application/node.eks.aws', 'Content-Type: text/plain'], NODE_CONFIG), script]),
    ['repeated-content-type', 'none', 'none'],
    ['node-config nodeadm', 'shell-script cloud-init'],
  ],
  [
    'no MIME-Version',
    GOOD.replace('MIME-Version: 1.0\n', ''),
    ['mime-version-missing', 'none', 'not-run'],
    ['node-config nodeadm', 'shell-script'],
  ],
  [
    'a blank line before the headers',
    `\n${GOOD}`,
    ['text-before-headers', 'lost', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    'one space before the first header',
    ` ${GOOD}`,
    ['text-before-headers', 'lost', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'a comment before the headers',
    `# nodes of team A\n${GOOD}`,
    ['text-before-headers', 'lost', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    'a document marker before the headers',
    `---\n${GOOD}`,
    ['text-before-headers', 'lost', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    'a byte order mark before the headers',
    `\uFEFF${mime([config, script], { headers: [...HEADERS].reverse() })}`,
    ['text-before-headers', 'lost', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    'a document in an indented template literal',
    `\n${indented(GOOD)}    `,
    ['text-before-headers', 'lost', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    "a template literal whose first line isn't indented",
    indented(GOOD).trimStart(),
    ['text-before-headers', 'lost', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    'one boundary that ends in LF among CRLF',
    CRLF.replace('main\r\n--B\r\n', 'main\n--B\n'),
    ['mixed-line-ends', 'swallowed', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'one boundary that ends in LF, behind CRLF',
    CRLF.replace('main\r\n--B\r\n', 'main\r\n--B\n'),
    ['mixed-line-ends', 'dies', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'a closing line that ends in CRLF among LF',
    GOOD.replace('--B--\n', '--B--\r\n'),
    ['mixed-line-ends', 'dies', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'a closing line behind LF among CRLF',
    CRLF.replace('hello\r\n--B--', 'hello\n--B--'),
    ['mixed-line-ends', 'dies', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'a line end of CR CR LF in the headers, which cloud-init takes for an empty line',
    GOOD.replace('1.0\n', '1.0\r\r\n'),
    ['mixed-line-ends', 'none', 'not-run'],
    ['node-config nodeadm', 'shell-script'],
  ],
  [
    'a top Content-Type of text',
    GOOD.replace('multipart/mixed', 'text/plain'),
    ['not-multipart', 'lost', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    'a part after the end',
    mime([config]) + `Content-Type: text/x-shellscript\n\n${SCRIPT}\n`,
    ['text-after-end', 'ignored', 'ignored'],
    ['node-config nodeadm', 'shell-script'],
  ],
  [
    "a base64 part that isn't base64",
    mime([config, part(['Content-Type: text/x-shellscript', 'Content-Transfer-Encoding: base64'], SCRIPT)]),
    ['transfer-encoding', 'none', 'not-run'],
    ['node-config nodeadm', 'shell-script cloud-init'],
  ],
  [
    "base64 without padding, which cloud-init repairs and nodeadm doesn't",
    mime([
      part(
        ['Content-Type: application/node.eks.aws', 'Content-Transfer-Encoding: base64'],
        base64(NODE_CONFIG).replace(/=+$/, ''),
      ),
    ]),
    ['transfer-encoding', 'lost', 'none'],
    ['node-config'],
  ],
  [
    'an indented part header',
    GOOD.replace('Content-Type: text', '  Content-Type: text'),
    ['part-headers-malformed', 'dies', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'one boundary that is misspelt',
    mime([config, second, script], {
      headers: [HEADERS[0] ?? '', 'Content-Type: multipart/mixed; boundary="BOUNDARY"'],
      open: '--BOUNDARY\n',
      close: '--BOUNDARY--\n',
    }).replace('id: other\n--BOUNDARY\n', 'id: other\n--BOUNDRY\n'),
    ['boundary-not-found', 'swallowed', 'swallowed'],
    ['node-config nodeadm', 'node-config', 'shell-script'],
  ],
  [
    'headers without Content-Type',
    GOOD.replace(/^Content-Type: multipart.*\n/m, ''),
    ['boundary-missing', 'lost', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    'a blank line between the top headers',
    GOOD.replace('1.0\n', '1.0\n\n'),
    ['boundary-missing', 'lost', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    'no top headers at all',
    GOOD.slice(GOOD.indexOf('--B')),
    ['boundary-missing', 'lost', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    'a quoted boundary of slashes in single quotes',
    GOOD.replace('"B"', "'/B'").replaceAll('--B', '--/B'),
    ['boundary-unquoted', 'lost', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    'the same around a NodeConfig alone',
    mime([config]).replace('"B"', "'/B'").replaceAll('--B', '--/B'),
    ['boundary-unquoted', 'lost', 'none'],
    ['node-config'],
  ],
  [
    'no boundary parameter, and a preamble that looks like headers',
    GOOD.replace('; boundary="B"', '').replace('\n\n--B', '\n\nThe parts:\nContent-Type: follows\n\n--B'),
    ['boundary-missing', 'dies', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    'an indented boundary line and an indented header',
    GOOD.replace('main\n--B\nContent', 'main\n  --B\n  Content'),
    ['boundary-not-found', 'swallowed', 'swallowed'],
    ['node-config', 'shell-script'],
  ],
  [
    'a last boundary line without a line end',
    GOOD.replace('--B--\n', '--B'),
    ['not-closed', 'dies', 'none'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'a boundary of one dash',
    LONG.replace('main\n--BOUNDARY\n', 'main\n-BOUNDARY\n'),
    ['boundary-not-found', 'swallowed', 'swallowed'],
    ['node-config', 'shell-script'],
  ],
  [
    'a closing line of long dashes',
    LONG.replace('--BOUNDARY--', '––BOUNDARY––'),
    ['closing-line-glued', 'dies', 'swallowed'],
    ['node-config', 'shell-script cloud-init'],
  ],
  [
    'a closing line in lower case',
    LONG.replace('--BOUNDARY--', '--boundary--'),
    ['closing-line-glued', 'dies', 'swallowed'],
    ['node-config', 'shell-script cloud-init'],
  ],
  ['no line with the boundary', mime([], { close: '' }), ['boundary-not-found', 'dies', 'not-run'], ['empty']],
  [
    'a NodeConfig alone under a Content-Type of text',
    mime([config]).replace('multipart/mixed', 'text/plain'),
    ['not-multipart', 'lost', 'none'],
    ['node-config'],
  ],
  [
    'a script alone under a Content-Type of text',
    mime([script]).replace('multipart/mixed', 'text/plain'),
    ['not-multipart', 'none', 'not-run'],
    ['shell-script'],
  ],
  [
    'an indented first header behind another',
    GOOD.replace('Content-Type: multipart', '\tContent-Type: multipart'),
    ['text-before-headers', 'lost', 'not-run'],
    ['node-config', 'shell-script'],
  ],
  [
    'an empty script and a NodeConfig without type',
    mime([part(['X-Part: 1'], NODE_CONFIG), part('text/x-shellscript', '')]),
    ['part-without-type', 'ignored', 'none'],
    ['node-config', 'empty'],
  ],
  [
    'parts behind an early end, of which one is empty',
    `${GOOD}--B\n\n--B\nContent-Type: text/x-shellscript\n\n${SCRIPT}\n--B--\n`,
    ['closed-early', 'ignored', 'ignored'],
    ['node-config nodeadm', 'shell-script cloud-init', 'empty', 'shell-script'],
  ],
];

describe('a defect of MIME user data', () => {
  it.each(DEFECTIVE)('is %s', (_, text, expected, found) => {
    expect(defectsOf(text)).toEqual([expected]);
    expect(readers(text)).toEqual(found);
  });

  it('is told whatever else is told that does no harm', () => {
    const text = mime([
      part(['Content-Type: application/node.eks.aws', 'Content-Type: text/plain'], NODE_CONFIG),
      script,
    ]).replace('1.0\n', '1.0\r\r\n');
    expect(defectsOf(text)).toEqual([
      ['mixed-line-ends', 'none', 'not-run'],
      ['repeated-content-type', 'none', 'none'],
    ]);
    expect(read(text).defects[0]?.message).toBe(
      "The shell script that starts on line 15 doesn't reach cloud-init: line 1 has a carriage return (CR) too many, which is a line end for cloud-init and a character for nodeadm.",
    );
  });

  it.each([
    ['LF throughout', GOOD],
    ['CRLF throughout', CRLF],
    ['blanks behind the boundaries', GOOD.replace(/^(--B(?:--)?)$/gm, '$1 \t')],
    ['a preamble', GOOD.replace('\n\n--B', '\n\nThis is for EKS nodes.\n--B')],
    ['an epilogue', `${GOOD}\nThat was all.\n`],
    ['a second closing line', `${GOOD}\n--B--\n`],
    [
      'folded headers',
      mime([config, script], { headers: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed;', '  boundary="B"'] }),
    ],
    [
      'headers in other case',
      mime(
        [
          part(['content-type: Application/Node.EKS.AWS'], NODE_CONFIG),
          part(['CONTENT-TYPE: Text/X-ShellScript'], SCRIPT),
        ],
        { headers: ['mime-version: 1.0', 'content-type: Multipart/Mixed; BOUNDARY="B"'] },
      ),
    ],
    ['a quoted boundary with slashes', GOOD.replace('"B"', '"//"').replaceAll('--B', '--//')],
    ['a boundary with = in quotes', GOOD.replace('"B"', '"==B=="').replaceAll('--B', '--==B==')],
    ['Content-Type before MIME-Version', mime([config, script], { headers: [...HEADERS].reverse() })],
    ['no line end behind the closing line', GOOD.trimEnd()],
    ['headers of any name at the top', GOOD.replace('1.0\n', '1.0\nteam_a: x\nteam_b: y\n')],
    [
      'parameters of the media type of a NodeConfig',
      mime([part('application/node.eks.aws; charset="utf-8"', NODE_CONFIG), script]),
    ],
    ['a script without Content-Type', mime([config, part(['X-Part: 1'], SCRIPT)])],
    ['a script as text/plain', mime([config, part('text/plain', SCRIPT)])],
    [
      'base64, wrapped',
      mime([
        part(
          ['Content-Type: application/node.eks.aws', 'Content-Transfer-Encoding: base64'],
          base64(NODE_CONFIG).replace(/.{20}/g, '$&\n'),
        ),
        part(['Content-Type: text/x-shellscript', 'Content-Transfer-Encoding: base64'], base64(SCRIPT)),
      ]),
    ],
    [
      'base64 without a header, which nodeadm tells by itself',
      mime([part('application/node.eks.aws', base64(NODE_CONFIG)), script]),
    ],
    [
      'quoted-printable',
      mime([
        part(
          ['Content-Type: application/node.eks.aws', 'Content-Transfer-Encoding: quoted-printable'],
          NODE_CONFIG.replace('kind', '=6Bi=\nnd'),
        ),
        script,
      ]),
    ],
    [
      'indented boundary lines in a script',
      mime([config, part('text/x-shellscript', `${SCRIPT}\n  --B\n  --B--\n\t--B--`)]),
    ],
    [
      'boundary-like lines in a script',
      mime([config, part('text/x-shellscript', `${SCRIPT}\n--Bx\n--\n---B\necho --B-- end`)]),
    ],
    [
      'MIME in a heredoc of a script',
      mime([
        config,
        part(
          'text/x-shellscript',
          '#!/bin/bash\ncat > f <<EOF\nContent-Type: multipart/mixed; boundary="X"\n\n--X\nContent-Type: text/plain\n\n--X--\nEOF',
        ),
      ]),
    ],
    ["a last boundary line that isn't closed, which both readers take for the end", GOOD.replace('--B--\n', '--B\n')],
  ])('is not %s', (_, text) => {
    expect(defectsOf(text)).toEqual([]);
    expect(readers(text).filter((one) => one !== 'empty')).toEqual(['node-config nodeadm', 'shell-script cloud-init']);
  });

  it('is not the boundary of a multipart within that is nearly the same', () => {
    const inner = `--BOUNDARYx\nContent-Type: text/x-shellscript\n\n${SCRIPT}\n--BOUNDARYx--`;
    const text = `${LONG.slice(0, LONG.lastIndexOf('--BOUNDARY'))}--BOUNDARY\nContent-Type: multipart/mixed; boundary="BOUNDARYx"\n\n${inner}\n--BOUNDARY--\n`;
    expect(defectsOf(text)).toEqual([]);
    expect(readers(text)).toEqual([
      'node-config nodeadm',
      'shell-script cloud-init',
      'multipart',
      'shell-script cloud-init',
    ]);
  });

  it('is not a multipart within that holds nothing for nodeadm', () => {
    const text = mime([
      config,
      part('multipart/mixed; boundary="B2"', `--B2\nContent-Type: text/x-shellscript\n\n${SCRIPT}\n--B2--`),
    ]);
    expect(defectsOf(text)).toEqual([]);
    expect(readers(text)).toEqual(['node-config nodeadm', 'multipart', 'shell-script cloud-init']);
  });

  it('is told once for each cause', () => {
    const text = mime([config, script], { close: '' }).replace('aws\n\napi', 'aws\napi');
    expect(defectsOf(text).map(([kind]) => kind)).toEqual(['part-headers-without-blank-line', 'not-closed']);
  });

  it('is found for each cause in a document with many', () => {
    const text = `---\n${mime([config], { close: '' }).replace('aws\n\napi', 'aws\n---\napi')}`;
    expect(defectsOf(text)).toEqual([
      ['text-before-headers', 'lost', 'not-run'],
      ['part-headers-without-blank-line', 'dies', 'none'],
      ['not-closed', 'dies', 'none'],
    ]);
  });

  it('is not in what CDK writes', () => {
    const userData = new MultipartUserData();
    userData.addPart(MultipartBody.fromRawBody({ contentType: 'application/node.eks.aws', body: NODE_CONFIG }));
    userData.addPart(MultipartBody.fromRawBody({ contentType: 'text/x-shellscript; charset="utf-8"', body: SCRIPT }));
    expect(defectsOf(userData.render())).toEqual([]);
    expect(readers(userData.render())).toEqual(['node-config nodeadm', 'shell-script cloud-init']);
  });

  it("is only a matter of EKS for a MIME text that isn't multipart", () => {
    const text = `MIME-Version: 1.0\nContent-Type: text/x-shellscript\n\n${SCRIPT}\n`;
    expect(defectsOf(text)).toEqual([['not-multipart', 'none', 'none']]);
    expect(readers(text)).toEqual(['shell-script cloud-init']);
  });
});

describe('the words for a defect', () => {
  it('are those of the golden file', () => {
    const told = DEFECTIVE.map(([what, text]) => {
      const document = read(text);
      const at = (offset: number) => Object.values(document.text.positionAt(offset)).join(':');
      const lines = document.defects.flatMap(({ offset, message, fix, parts, related }) => [
        `  ${at(offset)} ${message}`,
        `  fix: ${fix}`,
        ...parts.map(
          ({ kind, headerOffset, bodyOffset, body }) =>
            `  part: ${kind}, ${at(headerOffset)}, content ${at(bodyOffset)} … ${JSON.stringify(body.text.slice(-12))}`,
        ),
        ...related.map((one) => `  also: ${at(one.offset)} ${one.message}`),
      ]);
      return [what, ...lines, ''].join('\n');
    });
    expectGolden('mime-defects.txt', told.join('\n'), __dirname);
  });

  it('name lines of the user data, what is lost, and what to write', () => {
    const text = mime([config, second]).replace('main\n--B\n', 'main\n--B--\n');
    const document = read(text);
    const [defect] = document.defects;
    expect(defect?.message).toBe(
      'The boundary is closed on line 12; the NodeConfig that starts on line 13 is never read.',
    );
    expect(defect?.fix).toBe('Drop the two trailing dashes of line 12.');
    expect(text.slice(defect?.offset).split('\n', 1)).toEqual(['--B--']);
    expect(defect?.parts).toEqual([document.parts[1]]);
    expect(defect?.related.map(({ offset }) => text.slice(offset).split('\n', 1)[0])).toEqual([
      'Content-Type: application/node.eks.aws',
    ]);
  });

  it('name every part that is lost, but not a hundred', () => {
    const text = mime([config, ...Array.from({ length: 6 }, () => script)]).replace('main\n--B\n', 'main\n--B--\n');
    expect(read(text).defects[0]?.message).toMatch(
      /the shell script that starts on line 13, the shell script that starts on line 18, .* and 3 more are never read/,
    );
  });
});
