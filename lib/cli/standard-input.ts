import { decode } from '../files/read';
import { configurationSyntax } from '../front-ends/configuration-text';
import type { StandardInput } from '../front-ends/input-files';

/** All that comes through the standard input, whose name on the command line is `-`. */
export async function readStandardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/**
 * A template, a plan or a configuration of Terraform that comes through the standard input, told by its content.
 * @param name what reports call it, and the file whose place it takes
 */
export async function standardInput(name: string | undefined): Promise<StandardInput> {
  const text = decode(await readStandardInput());
  return { text, name: name ?? nameFor(text) };
}

/** Files of a configuration are known by their names, so it gets one that says so. */
function nameFor(text: string): string {
  switch (configurationSyntax(text)) {
    case 'hcl':
      return 'stdin.tf';
    case 'json':
      return 'stdin.tf.json';
    case undefined:
      return 'standard input';
  }
}
