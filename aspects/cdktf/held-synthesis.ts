import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Manifest, type App, type TerraformStack } from 'cdktf';
import { fileText } from '../../lib/files/read';
import type { TerraformStackInput } from '../../lib/front-ends/terraform/stack-input';
import { stackInput, stacksIn } from './stack-inputs';

/** A stack as a synthesis wrote it. */
export interface SynthesizedStack {
  readonly stack: TerraformStack;
  readonly input: TerraformStackInput;
}

/**
 * Holds what `app.synth()` writes until all stacks are written and judged.
 *
 * CDKTF writes one stack before it looks at the next, and what it wrote stays when a later one fails. Here all stacks are written to a temporary
 * folder; after the last one, and before the manifest, `judge` sees them, and when it doesn't throw they go to the folder of the app. So that folder
 * holds one whole synthesis that passed, or is as it was.
 *
 * Aspects run once, as always: the stacks' own synthesizers do the work, only with another folder to write to.
 * @param judge throws if nothing may be written
 */
export function holdSynthesis(app: App, judge: (stacks: readonly SynthesizedStack[]) => void): void {
  const synth = app.synth.bind(app);
  app.synth = () => {
    const held = mkdtempSync(join(tmpdir(), 'eks-guardrails-synth-'));
    const stacks = stacksIn(app);
    const release = redirect(app, stacks, held);
    const { manifest } = app;
    const writeManifest = manifest.writeToFile.bind(manifest);
    const progress = { isJudged: false };
    const pass = (): void => {
      progress.isJudged = true;
      judge(stacks.map((stack) => ({ stack, input: synthesized(stack, manifest, held) })));
      moveAll(held, app.outdir);
    };
    // The last step of a synthesis, with validation and without.
    manifest.writeToFile = () => {
      pass();
      writeManifest();
    };
    try {
      synth();
      // An app with a `synth` of its own may write no manifest.
      if (!progress.isJudged) pass();
    } finally {
      Reflect.deleteProperty(manifest, 'writeToFile');
      release();
      rmSync(held, { recursive: true, force: true });
    }
  };
}

/** Lets the synthesizers of stacks write to another folder; the function it returns undoes that. */
function redirect({ manifest }: App, stacks: readonly TerraformStack[], folder: string): () => void {
  mkdirSync(join(folder, Manifest.stacksFolder));
  // The same manifest, but whoever asks it for the folder, as assets do, gets the temporary one.
  const elsewhere = Object.create(manifest, { outdir: { value: folder } }) as Manifest;
  const own = stacks.map((stack) => [stack, stack.synthesizer] as const);
  for (const [stack, synthesizer] of own) {
    stack.synthesizer = {
      synthesize: (session) => {
        synthesizer.synthesize({ ...session, outdir: folder, manifest: elsewhere });
      },
    };
  }
  return () => {
    for (const [stack, synthesizer] of own) stack.synthesizer = synthesizer;
  };
}

/** The configuration that was written; for HCL, what the constructs render, which says the same. */
function synthesized(stack: TerraformStack, manifest: Manifest, folder: string): TerraformStackInput {
  const { synthesizedStackPath } = manifest.forStack(stack);
  let content: unknown;
  try {
    content = JSON.parse(fileText(join(folder, synthesizedStackPath)));
  } catch {
    content = stack.toTerraform();
  }
  return {
    ...stackInput(stack, join(manifest.outdir, synthesizedStackPath), content),
    writtenTo: dirname(join(folder, synthesizedStackPath)),
  };
}

/** Like CDKTF itself: other files of a stack's folder stay, such as `.terraform`; of an asset only the new version does. */
function moveAll(from: string, to: string): void {
  const stacks = join(from, Manifest.stacksFolder);
  for (const stack of readdirSync(stacks)) {
    const assets = join(stacks, stack, 'assets');
    if (!existsSync(assets)) continue;
    for (const asset of readdirSync(assets))
      rmSync(join(to, Manifest.stacksFolder, stack, 'assets', asset), { recursive: true, force: true });
  }
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}
