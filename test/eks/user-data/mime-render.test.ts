import fc from 'fast-check';
import { runs } from '../../share';
import { MIME_TYPES, MimeError, renderMime, type MimePart } from '../../../lib/eks/user-data/mime/render';
import { readStrictMime } from './strict-mime';

const script: MimePart = { type: MIME_TYPES.shellScript, body: '#!/bin/bash\necho "hello"\n' };

describe('renderMime', () => {
  it('writes parts that a strict reader reads back', () => {
    const parts = readStrictMime(
      renderMime([{ type: MIME_TYPES.nodeConfig, body: 'apiVersion: node.eks.aws/v1alpha1\n' }, script]),
    );
    expect(parts.map((part) => [part.headers.get('content-type'), part.body])).toEqual([
      ['application/node.eks.aws', 'apiVersion: node.eks.aws/v1alpha1'],
      ['text/x-shellscript', '#!/bin/bash\necho "hello"'],
    ]);
  });

  it('closes the boundary once, after the last part', () => {
    const text = renderMime([script, script, script]);
    expect(text.split('\n').filter((line) => line === '--eks-guardrails--')).toHaveLength(1);
    expect(text.endsWith('\n--eks-guardrails--\n')).toBe(true);
  });

  it('is the same text for the same parts', () => {
    expect(renderMime([script])).toBe(renderMime([script]));
  });

  it('takes another boundary when a part has lines that begin with the usual one', () => {
    const body = '#!/bin/bash\ncat <<EOF\n--eks-guardrails\n--eks-guardrails-1 and more\n--eks-guardrails--\nEOF';
    const [part] = readStrictMime(renderMime([{ type: MIME_TYPES.shellScript, body }]));
    expect(part?.body).toBe(body);
  });

  it('normalises line ends, because nodeadm dies of mixed ones', () => {
    expect(renderMime([{ type: MIME_TYPES.shellScript, body: '#!/bin/bash\r\necho hello\r' }])).not.toContain('\r');
  });

  it('declares text beyond ASCII', () => {
    const [part] = readStrictMime(renderMime([{ type: MIME_TYPES.shellScript, body: '#!/bin/bash\necho "größer"' }]));
    expect(part?.headers.get('content-type')).toBe('text/x-shellscript; charset="utf-8"');
    expect(part?.headers.get('content-transfer-encoding')).toBe('8bit');
  });

  it.each([
    ['no parts', [], 'at least one part'],
    [
      'a shell part without #!',
      [{ type: MIME_TYPES.shellScript, body: 'set -ex\necho hello' }],
      'part 1 (text/x-shellscript) begins with "set -ex"',
    ],
    [
      'a shell part that begins with a blank line',
      [script, { type: MIME_TYPES.shellScript, body: '\n#!/bin/bash' }],
      'part 2 (text/x-shellscript) begins with ""',
    ],
    ['an empty part', [{ type: MIME_TYPES.nodeConfig, body: ' \n' }], 'is empty'],
    ['a media type with parameters', [{ type: 'text/plain; charset=utf-8', body: 'x' }], 'type/subtype'],
    ['a media type with a second slash', [{ type: 'application/node.eks.aws/v1alpha1', body: 'x' }], 'type/subtype'],
  ])('refuses %s', (_, parts, message) => {
    expect(() => renderMime(parts)).toThrow(MimeError);
    expect(() => renderMime(parts)).toThrow(message);
  });

  it('survives any text', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '',
        '--eks-guardrails',
        '--eks-guardrails--',
        '--eks-guardrails-1',
        '--',
        'Content-Type: text/plain',
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.array(line, { maxLength: 6 }), { minLength: 1, maxLength: 4 }), (bodies) => {
        const parts = bodies.map((lines) => ({
          type: MIME_TYPES.shellScript,
          body: ['#!/bin/sh', ...lines].join('\n'),
        }));
        const read = readStrictMime(renderMime(parts));
        expect(read.map((part) => part.body)).toEqual(
          parts.map((part) => part.body.replace(/\r\n?/g, '\n').replace(/\n+$/, '')),
        );
      }),
      { numRuns: runs(300) },
    );
  });
});
