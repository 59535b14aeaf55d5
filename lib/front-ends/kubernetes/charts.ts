import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Templates of a chart are in its folder or a few below it. */
const MOST_LEVELS = 8;

/** Folders of a chart of whose files Helm applies none as it is: templates read those of `files`; the others are for those who work on the chart, or read of it. */
const BESIDE_TEMPLATES: ReadonlySet<string> = new Set([
  'files',
  'ci',
  'test',
  'tests',
  'support',
  'scripts',
  'docs',
  'example',
  'examples',
]);

/** Finds the charts whose templates files are: Helm fills in what is in the folder `templates` of a chart, and nothing else. */
export class Charts {
  private readonly byFolder = new Map<string, boolean>();

  /** The folder of the chart beside whose templates a file lies, for something else than to be applied as it is. */
  beside(file: string): string | undefined {
    let folder = dirname(file);
    for (let level = 0; level < MOST_LEVELS; level++) {
      const above = dirname(folder);
      if (above === folder || folder === '.' || folder.endsWith('..')) return undefined;
      if (BESIDE_TEMPLATES.has(basename(folder)) && this.isChart(above)) return above;
      folder = above;
    }
    return undefined;
  }

  /** The folder of the chart of which a file is a template; of a chart within another the outer one, with which it is rendered. */
  of(file: string): string | undefined {
    let found: string | undefined;
    let folder = dirname(file);
    let isTemplate = false;
    for (let level = 0; level < MOST_LEVELS; level++) {
      if (isTemplate && this.isChart(folder)) found = folder;
      isTemplate ||= basename(folder) === 'templates';
      const above = dirname(folder);
      if (above === folder || folder === '.' || folder.endsWith('..')) break;
      folder = above;
    }
    return found;
  }

  private isChart(folder: string): boolean {
    let found = this.byFolder.get(folder);
    if (found === undefined) this.byFolder.set(folder, (found = existsSync(join(folder, 'Chart.yaml'))));
    return found;
  }
}
