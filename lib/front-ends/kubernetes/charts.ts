import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Templates of a chart are in its folder or a few below it. */
const MOST_LEVELS = 8;

/** Finds the charts that files belong to. */
export class Charts {
  private readonly byFolder = new Map<string, string | undefined>();

  /** The folder of the chart that a file is in; of a chart within another the outer one, with which it is rendered. */
  of(file: string): string | undefined {
    let found: string | undefined;
    let folder = dirname(file);
    for (let level = 0; level < MOST_LEVELS; level++) {
      if (this.isChart(folder)) found = folder;
      const above = dirname(folder);
      if (above === folder || folder === '.' || folder.endsWith('..')) break;
      folder = above;
    }
    return found;
  }

  private isChart(folder: string): boolean {
    let found = this.byFolder.get(folder);
    if (!this.byFolder.has(folder))
      this.byFolder.set(folder, (found = existsSync(join(folder, 'Chart.yaml')) ? folder : undefined));
    return found !== undefined;
  }
}
