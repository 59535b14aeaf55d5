import type { Acknowledgement, Source, Suppression } from '../value';

/** The acknowledgements of an app, found by construct path. One suppression object covers all resources below its construct. */
export class Acknowledgements {
  private readonly byPath = new Map<string, Acknowledgement[]>();
  private readonly suppressions = new Map<Acknowledgement, Suppression>();

  constructor(acknowledgements: readonly Acknowledgement[]) {
    for (const acknowledgement of acknowledgements) {
      const path = acknowledgement.constructPath.replace(/^\/|\/$/g, '');
      const list = this.byPath.get(path);
      if (list === undefined) this.byPath.set(path, [acknowledgement]);
      else list.push(acknowledgement);
    }
  }

  /** Those that hold for the resource of a construct path. */
  of(path: string | undefined, resource: Source): readonly Suppression[] {
    if (path === undefined) return [];
    const found: Suppression[] = [];
    for (let end = path.length; ; end = path.lastIndexOf('/', end - 1)) {
      const prefix = end < 0 ? '' : path.slice(0, end);
      for (const acknowledgement of this.byPath.get(prefix) ?? [])
        found.push(this.suppression(acknowledgement, resource));
      if (end <= 0) return found;
    }
  }

  private suppression(acknowledgement: Acknowledgement, resource: Source): Suppression {
    let suppression = this.suppressions.get(acknowledgement);
    if (suppression === undefined) {
      const { rule, reason, until, source = resource } = acknowledgement;
      suppression = { rule, reason, source, ...(until === undefined ? {} : { until }) };
      this.suppressions.set(acknowledgement, suppression);
    }
    return suppression;
  }
}
