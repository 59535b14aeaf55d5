import { alternativesOf } from '../../lib';
import { checkAround } from '../../lib/engine/isolation';
import { EksModel, type Cluster } from '../../lib/eks';
import { readTemplates } from '../../lib/front-ends/cloudformation';

/** A model of clusters with these ids. */
function modelOf(...ids: readonly string[]): EksModel {
  const Resources = Object.fromEntries(
    ids.map((id) => [id, { Type: 'AWS::EKS::Cluster', Properties: { Name: id.toLowerCase(), Version: '1.34' } }]),
  );
  return new EksModel(readTemplates([{ file: 'template.json', content: { Resources } }]).resources);
}

/** A check that stops at some clusters once it has looked at their version. */
function stoppingAt(...ids: readonly string[]): (model: EksModel) => void {
  return (model) => {
    for (const { id, version } of model.clusters)
      if (ids.includes(id) && version.kind !== 'unknown') throw new Error(`stop at ${id}`);
  };
}

describe('a rule that stops', () => {
  it('at nothing is complete after one run', () => {
    let runs = 0;
    expect(
      checkAround(modelOf('A'), () => {
        runs++;
      }),
    ).toEqual({ crashes: [], isComplete: true });
    expect(runs).toBe(1);
  });

  it('at some resources goes on behind each', () => {
    const { crashes, isComplete } = checkAround(modelOf('A', 'B', 'C'), stoppingAt('A', 'C'));
    expect(crashes.map(({ error, resource }) => [String(error), resource?.id])).toEqual([
      ['Error: stop at A', 'A'],
      ['Error: stop at C', 'C'],
    ]);
    expect(isComplete).toBe(true);
  });

  it('whatever is known ends', () => {
    const { crashes, isComplete } = checkAround(modelOf('A', 'B'), (model) => {
      for (const { version } of model.clusters) throw new Error(`stop with ${version.kind}`);
    });
    expect(crashes.map(({ resource }) => resource?.id)).toEqual(['A']);
    expect(isComplete).toBe(false);
  });

  it('without a look at any resource ends', () => {
    expect(
      checkAround(modelOf('A'), () => {
        throw new Error('stop');
      }),
    ).toEqual({ crashes: [], isComplete: false });
    // What the last run looked at is forgotten.
    let runs = 0;
    const { crashes, isComplete } = checkAround(modelOf('A', 'B'), (model) => {
      runs++;
      if (runs === 1) stoppingAt('A')(model);
      throw new Error('stop');
    });
    expect([crashes.length, isComplete, runs]).toEqual([1, false, 2]);
  });

  it('at very many resources ends', () => {
    const ids = Array.from({ length: 30 }, (_, index) => `C${index}`);
    const { crashes, isComplete } = checkAround(modelOf(...ids), stoppingAt(...ids));
    expect([crashes.length, isComplete]).toEqual([25, false]);
    const few = ids.slice(0, 24);
    expect(checkAround(modelOf(...ids), stoppingAt(...few))).toMatchObject({ isComplete: true });
  });
});

describe('a resource at which it stopped', () => {
  it('is known by who it is and where it belongs alone', () => {
    const seen: unknown[] = [];
    checkAround(modelOf('A', 'B'), (model, isHidden) => {
      stoppingAt('A')(model);
      for (const cluster of model.clusters)
        seen.push([isHidden(cluster), cluster.id, cluster.kind, cluster.type, cluster.name.kind, cluster.version.kind]);
      const [first] = model.clusters;
      expect(first?.version).toMatchObject({ reason: 'the rule stopped at A' });
    });
    expect(seen).toEqual([
      [true, 'A', 'cluster', 'AWS::EKS::Cluster', 'known', 'unknown'],
      [false, 'B', 'cluster', 'AWS::EKS::Cluster', 'known', 'known'],
    ]);
  });

  it('has unknown values in its blocks, and else what is there', () => {
    const model = modelOf('A');
    const [cluster] = model.clusters as [Cluster];
    const { version } = cluster;
    const list = [version];
    const map = new Map([['a', version]]);
    const set = new Set([version]);
    const block = {
      version,
      inner: { version, text: 'text', kind: 'x' },
      list,
      map,
      set,
      nothing: null,
      count: 5,
      get broken(): never {
        throw new Error('no luck');
      },
    };
    Object.assign(cluster, { block });
    const results: unknown[] = [];
    checkAround(model, (seen) => {
      stoppingAt('A')(seen);
      const hidden = (seen.clusters[0] as unknown as { block: typeof block }).block;
      results.push(
        hidden.version.kind,
        hidden.inner.version.kind,
        hidden.inner.text,
        hidden.inner.kind,
        hidden.list === list,
        hidden.map === map,
        hidden.set === set,
        hidden.nothing,
        hidden.count,
        (hidden.broken as { kind: string }).kind,
      );
    });
    expect(results).toEqual(['unknown', 'unknown', 'text', 'x', true, true, true, null, 5, 'unknown']);
  });
});

describe('afterwards the model', () => {
  it('is what it was', () => {
    const model = modelOf('A');
    const [cluster] = model.clusters as [Cluster];
    let asked = 0;
    Object.defineProperty(cluster, 'computed', { configurable: true, enumerable: true, get: () => ++asked });
    Object.defineProperty(cluster, 'silent', { configurable: true, enumerable: false, writable: true, value: 1 });
    Object.defineProperty(cluster, 'fixed', { configurable: false, enumerable: true, writable: false, value: 2 });
    const before = Object.getOwnPropertyDescriptors(cluster);
    const keys = Object.keys(cluster);
    const during: unknown[] = [];
    checkAround(model, (seen) => {
      const own = seen.clusters[0] as unknown as Record<string, unknown>;
      during.push(Object.keys(own), own['computed'], own['fixed'], own['silent']);
    });
    expect(during).toEqual([keys, 1, 2, 1]);
    expect(Object.getOwnPropertyDescriptors(cluster)).toEqual(before);
    expect(asked).toBe(1);
    expect((cluster as unknown as { computed: number }).computed).toBe(2);
  });

  it('keeps what the rule has written', () => {
    const model = modelOf('A');
    const [cluster] = model.clusters as [Cluster & { kept?: unknown }];
    cluster.kept = 'first';
    checkAround(model, () => {
      cluster.kept = 'second';
      expect(cluster.kept).toBe('second');
    });
    expect(cluster.kept).toBe('second');
  });

  it('has its computed properties back where they are computed, the nearest of a name', () => {
    const model = modelOf('A');
    const [cluster] = model.clusters as [Cluster];
    const own = alternativesOf(cluster.version)[0]?.value;
    Object.setPrototypeOf(
      cluster,
      Object.create(Object.getPrototypeOf(cluster) as object, {
        name: { configurable: true, get: () => own },
      }) as object,
    );
    checkAround(model, () => {
      expect([cluster.name, Object.hasOwn(cluster, 'name'), Object.keys(cluster).includes('name')]).toEqual([
        own,
        true,
        false,
      ]);
    });
    expect([cluster.name, Object.hasOwn(cluster, 'name')]).toEqual([own, false]);
  });
});
