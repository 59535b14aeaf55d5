import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../files/read';
import { readAssembly } from '../../front-ends/cdk-output/assembly';
import { printable, printableLine } from '../../reports/prose';
import { SynthesizedApp } from './app';
import { adoptedModule } from './module';
import { EXIT_CLEAN, EXIT_UNUSABLE } from '../parts/exit-code';
import { outputFolderOf } from '../init/apps';

/**
 * Prints the node groups of a CDK app as `ManagedNodeGroup` code, with what becomes of each; gives the exit code.
 *
 * @param given what `cdk synth` wrote; undefined for that of the app in the working folder
 */
export function adopt(given: string | undefined): number {
  const folder = given ?? outputFolderOf('.');
  if (!existsSync(join(folder, 'manifest.json'))) {
    process.stderr.write(
      `error: ${printableLine(folder)} holds nothing that cdk synth wrote; run "npx cdk synth" first, or name its output: eks-guardrails init --adopt cdk.out\n`,
    );
    return EXIT_UNUSABLE;
  }
  const { templates, diagnostics } = readAssembly(folder, readText);
  for (const { severity, message, file, line } of diagnostics)
    process.stderr.write(`${severity}: ${printable(`${file}:${line}: ${message}`)}\n`);
  if (diagnostics.some(({ severity }) => severity === 'error')) return EXIT_UNUSABLE;
  const { text, counts } = adoptedModule(new SynthesizedApp(templates));
  const { kept, replaced, left } = counts;
  if (kept + replaced + left === 0) {
    process.stderr.write(
      'error: the app has no node groups (AWS::EKS::Nodegroup) but those of ManagedNodeGroup, so there is nothing to adopt\n',
    );
    return EXIT_UNUSABLE;
  }
  process.stdout.write(text);
  process.stderr.write(`${kept} kept, ${replaced} replaced, ${left} not written\n`);
  return EXIT_CLEAN;
}
