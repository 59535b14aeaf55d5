/** Documents that the tests of MIME user data share. */

export const NODE_CONFIG = [
  'apiVersion: node.eks.aws/v1alpha1',
  'kind: NodeConfig',
  'spec:',
  '  cluster:',
  '    name: main',
].join('\n');
export const SCRIPT = ['#!/bin/bash', 'echo hello'].join('\n');

export interface PartText {
  /** Header lines; a bare media type stands for its Content-Type. */
  readonly headers: string | readonly string[];
  readonly body: string;
}

export const config: PartText = { headers: 'application/node.eks.aws', body: NODE_CONFIG };
export const second: PartText = {
  headers: 'application/node.eks.aws',
  body: NODE_CONFIG.replace('name: main', 'id: other'),
};
export const script: PartText = { headers: 'text/x-shellscript; charset="us-ascii"', body: SCRIPT };

export const HEADERS = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="B"'];

export interface Shape {
  readonly headers?: readonly string[];
  readonly open?: string;
  readonly close?: string;
  /** What stands between the top headers and the first boundary. */
  readonly blank?: string;
}

/** A document, correct but for what the shape says. */
export function mime(
  parts: readonly PartText[],
  { headers = HEADERS, open = '--B\n', close = '--B--\n', blank = '\n' }: Shape = {},
): string {
  const bodies = parts.map((part) => {
    const lines = typeof part.headers === 'string' ? [`Content-Type: ${part.headers}`] : part.headers;
    return `${open}${lines.map((line) => `${line}\n`).join('')}\n${part.body}\n`;
  });
  return headers.map((line) => `${line}\n`).join('') + blank + bodies.join('') + close;
}

export function indented(text: string, by = '    '): string {
  return text.replace(/^(?=.)/gm, by);
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
