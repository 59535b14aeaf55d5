import { decode } from '../../files/read';
import { FRONT_ENDS } from '../../front-ends/registry';
import type { StandardInput } from '../../front-ends/input-files';

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

/** Some front ends know their files by name. */
function nameFor(text: string): string {
  return FRONT_ENDS.flatMap(({ detection }) => detection?.inPipe?.(text)?.name ?? [])[0] ?? 'standard input';
}
