import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { MIME_TYPES, renderMime, type MimePart } from '../../../lib/eks/user-data/mime/render';
import { readUserData } from '../../../lib/eks/user-data/read-document';
import { SourceText } from '../../../lib/eks/user-data/source-text';
import type { UserDataDocument } from '../../../lib/eks/user-data/document';
import { config, mime, script, second } from './mime-documents';
import { runs, share } from '../../share';

const line = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 10 }).map((text) => text.replace(/\p{Cs}|[\u0000-\u0008\u000e-\u001f]/gu, '')),
  fc.constantFrom(
    '',
    ' ',
    '--eks-guardrails',
    '--eks-guardrails--',
    '--',
    '--B',
    'Content-Type: text/plain',
    'größer',
    '\uFEFF',
    'a: b',
    '\t--eks-guardrails',
    'x--eks-guardrails--',
  ),
);
const lines = (first: string) =>
  fc
    .tuple(fc.array(line, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'))
    .map(([rest, end]) => [first, ...rest].join(end));
const mimePart: fc.Arbitrary<MimePart> = fc.oneof(
  lines('#!/bin/sh').map((body) => ({ type: MIME_TYPES.shellScript, body })),
  lines('#cloud-config').map((body) => ({ type: MIME_TYPES.cloudConfig, body })),
  lines('apiVersion: node.eks.aws/v1alpha1').map((body) => ({
    type: MIME_TYPES.nodeConfig,
    body: `${body}\nkind: NodeConfig`,
  })),
);

function written({ body }: MimePart): string {
  return body.replace(/\r\n?/g, '\n').replace(/\n+$/, '');
}

describe('multipart user data that is rendered', () => {
  it('is read back, by both readers of a node', () => {
    fc.assert(
      fc.property(fc.array(mimePart, { minLength: 1, maxLength: 4 }), (parts) => {
        const document = readUserData(SourceText.of(renderMime(parts)));
        expect(document).toMatchObject({ format: 'multipart', layers: [], defects: [], unknownStructure: undefined });
        expect(document.parts.map((part) => [part.mediaType, part.body.text])).toEqual(
          parts.map((part) => [part.type, written(part)]),
        );
        expect(document.parts.map((part) => part.readByNodeadm)).toEqual(
          parts.map((part) => part.type === MIME_TYPES.nodeConfig),
        );
        expect(document.parts.map((part) => part.readByCloudInit)).toEqual(
          parts.map((part) => part.type !== MIME_TYPES.nodeConfig),
        );
      }),
      { numRuns: runs(200) },
    );
  });

  it('is read alike by another parser', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(mimePart, { minLength: 1, maxLength: 3 }), async (parts) => {
        const email = await PostalMime.parse(Buffer.from(renderMime(parts)), { forceRfc822Attachments: true });
        const others = email.attachments.map(({ mimeType, content }) => [
          mimeType,
          typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8'),
        ]);
        const document = readUserData(SourceText.of(renderMime(parts)));
        expect(document.parts.map((part) => [part.mediaType, part.body.text])).toEqual(
          others.map(([type, text]) => [type, (text ?? '').replace(/\r?\n$/, '')]),
        );
      }),
      { numRuns: runs(50) },
    );
  });
});

const GOOD = mime([config, script, second]);

/** One slip of a hand on the lines of a document. */
type Edit = (lines: string[], at: number, other: number) => void;
const EDITS: readonly Edit[] = [
  (lines, at) => void lines.splice(at, 1),
  (lines, at) => void lines.splice(at, 0, ''),
  (lines, at, other) => void lines.splice(at, 0, lines[other] ?? ''),
  (lines, at) => (lines[at] = ` ${lines[at] ?? ''}`),
  (lines, at) => (lines[at] = `${lines[at] ?? ''} `),
  (lines, at) => (lines[at] = `${lines[at] ?? ''}\r`),
  (lines, at) => (lines[at] = `${lines[at] ?? ''}--`),
  (lines, at) => (lines[at] = (lines[at] ?? '').replace(/--$/, '')),
  (lines, at, other) => (lines[at] = (lines[at] ?? '').slice(0, other) + (lines[at] ?? '').slice(other + 1)),
  (lines, at, other) => (lines[at] = `${(lines[at] ?? '').slice(0, other)}:${(lines[at] ?? '').slice(other)}`),
  (lines, at) => (lines[at] = `${lines[at] ?? ''}${lines.splice(at + 1, 1).join('')}`),
  (lines, at) => void (lines.length = at),
];

function edited(text: string, edits: readonly (readonly [number, number, number])[]): string {
  const result = text.split('\n');
  for (const [edit, at, other] of edits)
    EDITS[edit % EDITS.length]?.(result, at % (result.length + 1), other % (result.length + 1));
  return result.join('\n');
}

const edits = (max: number) => fc.array(fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100)), { maxLength: max });

function isLost(document: UserDataDocument): boolean {
  return document.parts.some(
    (part) =>
      (part.kind === 'node-config' && !part.readByNodeadm) || (part.kind === 'shell-script' && !part.readByCloudInit),
  );
}

describe('multipart user data that is damaged', () => {
  it('loses nothing without a defect that says so', () => {
    fc.assert(
      fc.property(edits(3), fc.boolean(), (changes, crlf) => {
        const text = edited(crlf ? GOOD.replace(/\n/g, '\r\n') : GOOD, changes);
        const document = readUserData(SourceText.of(text));
        if (document.format !== 'multipart' || !isLost(document)) return;
        expect(
          document.defects.filter((defect) => defect.nodeadm !== 'none' || defect.cloudInit !== 'none'),
        ).not.toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });

  it('has defects only where a reader falls short', () => {
    fc.assert(
      fc.property(edits(1), (changes) => {
        const document = readUserData(SourceText.of(edited(GOOD, changes)));
        // A header that is there twice is a defect without harm: the first one counts.
        const harmful = document.defects.filter(({ nodeadm, cloudInit }) => nodeadm !== 'none' || cloudInit !== 'none');
        if (harmful.some(({ parts }) => parts.some(({ kind }) => kind === 'node-config' || kind === 'shell-script')))
          expect(isLost(document)).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });

  it('tells places and parts of the document', () => {
    fc.assert(
      fc.property(edits(4), (changes) => {
        const document = readUserData(SourceText.of(edited(GOOD, changes)));
        for (const defect of document.defects) {
          for (const { offset } of [defect, ...defect.related])
            expect(offset >= 0 && offset <= document.text.text.length).toBe(true);
          for (const part of defect.parts) expect(document.parts).toContain(part);
          expect(defect.message).toMatch(/\.$/);
          expect(defect.fix).toMatch(/\.$/);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});

describe('any text', () => {
  const fragment = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom(
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="B"',
      'Content-Type: multipart/mixed; boundary=',
      '--B',
      '--B--',
      'Content-Transfer-Encoding: base64',
      'Content-Transfer-Encoding: quoted-printable',
      '=',
      '\n',
      '\r\n',
      '\n\n',
      '\r',
      ' ',
      'kind: NodeConfig',
      'AAAA',
      '"',
      ';',
    ),
  );

  it('makes a document', () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 30 }), (fragments) => {
        const document = readUserData(SourceText.of(fragments.join('')));
        expect(document.parts.length).toBeGreaterThan(0);
        for (const part of document.parts) expect(part.headerOffset).toBeLessThanOrEqual(part.bodyOffset);
      }),
      { numRuns: runs(1000) },
    );
  });

  const HEAD = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="BOUNDARY"\n\n';
  it.each(
    share([
      ['boundaries', HEAD + '--BOUNDARY\n'.repeat(90_000)],
      ['boundaries that are nearly right', HEAD + '--BOUNDRY\nContent-Type: a/b\n'.repeat(10_000)],
      [
        'boundaries that are each misspelt in their own way',
        HEAD + Array.from({ length: 12_000 }, (_, i) => `--BOUND${i.toString(36)}\nX-A: b\n`).join(''),
      ],
      ['parts', HEAD + '--BOUNDARY\nContent-Type: application/node.eks.aws\n\nkind: NodeConfig\n'.repeat(5_000)],
      ['closing lines', HEAD + '--BOUNDARY--\n'.repeat(25_000)],
      ['glued closing lines', HEAD + '--BOUNDARY\n\n' + 'x--BOUNDARY--\n'.repeat(25_000)],
      [
        'multiparts within',
        HEAD +
          Array.from(
            { length: 4_000 },
            (_, i) => `--BOUNDARY\nContent-Type: multipart/mixed; boundary="N${i}"\n\n--N${i}\n\n--N${i}--\n`,
          ).join(''),
      ],
      [
        'multiparts within multiparts',
        Array.from(
          { length: 3_000 },
          (_, i) => `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="N${i}"\n\n--N${i}\n`,
        ).join(''),
      ],
      ['headers', 'MIME-Version: 1.0\n'.repeat(20_000)],
      ['folded headers', `MIME-Version: 1.0\n${' a\n'.repeat(100_000)}`],
      ['blanks', `Content-Type:${' '.repeat(1_000_000)}x`],
      ['base64', HEAD + '--BOUNDARY\nContent-Transfer-Encoding: base64\n\n' + 'QUFB\n'.repeat(70_000) + '--BOUNDARY--'],
      [
        'quoted-printable',
        HEAD + '--BOUNDARY\nContent-Transfer-Encoding: quoted-printable\n\n' + '=41=\n'.repeat(40_000) + '--BOUNDARY--',
      ],
      ['carriage returns', HEAD + '\r'.repeat(300_000)],
      ['blank lines', HEAD + '\n'.repeat(300_000)],
      ['braces', `{${'{ '.repeat(400_000)}`],
    ]),
  )('of many %s ends', (_, text) => {
    expect(readUserData(SourceText.of(text)).parts.length).toBeGreaterThan(0);
  });
});
