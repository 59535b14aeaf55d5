import type { PlacedSuppression } from '../../value';
import type { EksResource } from '../../eks';
import type { FrontEndResult, InputReader, ReadingRun, Refusal } from '../front-end';
import { EKSCTL } from './dialects';
import { readConfig } from './read';

/** Reads ClusterConfigs, one by one; what belongs to one cluster is put together by its name. */
export class EksctlReader implements InputReader {
  private readonly resources: EksResource[] = [];
  private readonly suppressions: PlacedSuppression[] = [];

  constructor(private readonly run: ReadingRun) {}

  add(path: string, text: string, isNamed: boolean): Refusal | undefined {
    const { run } = this;
    const { resources, diagnostics, suppressions, count, isOther } = readConfig(text, path, EKSCTL, isNamed);
    if (isOther === true)
      return () => {
        run.tell(...diagnostics);
      };
    run.tell(...diagnostics);
    this.resources.push(...resources);
    this.suppressions.push(...suppressions);
    run.list(() => ({ path, kind: 'eksctl-config', resources: count }));
    return undefined;
  }

  read(): FrontEndResult {
    return { inputs: [], resources: this.resources, diagnostics: [], suppressions: this.suppressions };
  }
}

export function eksctlReader(run: ReadingRun): EksctlReader {
  return new EksctlReader(run);
}
