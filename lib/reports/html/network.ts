import { resourceName, type EksModel, type Reference, type Subnet } from '../../eks';
import { count } from '../prose';
import { OUTSIDE, rowsOf, type Beside } from './beside';
import { cardOf } from './card';
import { subnetsOf, subnetText } from './describe';
import type { Marks } from './marks';

/** The subnets of a model, as cards: those with the same users are one. */
export class Network {
  /** By subnet, or by the name of one that isn't part of the input: equal for those with the same users. */
  private readonly keys: ReadonlyMap<Subnet | string, string>;
  private readonly sets = new Map<string, (Subnet | string)[]>();
  private readonly cards = new Map<string, Beside>();

  constructor(
    private readonly model: EksModel,
    private readonly marks: Marks,
  ) {
    this.keys = this.usersOfSubnets();
    for (const [subnet, key] of this.keys) {
      const known = this.sets.get(key);
      if (known === undefined) this.sets.set(key, [subnet]);
      else known.push(subnet);
    }
  }

  all(): readonly Beside[] {
    return [...this.sets.keys()].map((key) => this.subnets(key));
  }

  of({ target, text }: Reference<Subnet>): Beside {
    return this.subnets(this.keys.get(target ?? text) ?? '');
  }

  private subnets(key: string): Beside {
    let beside = this.cards.get(key);
    if (beside === undefined) this.cards.set(key, (beside = this.subnetCard(key)));
    return beside;
  }

  private subnetCard(key: string): Beside {
    const all = this.sets.get(key) ?? [];
    const resources = all.filter((subnet) => typeof subnet !== 'string');
    const card = () => {
      const isOutside = resources.length === 0;
      const rows = rowsOf(
        all.map((subnet) =>
          typeof subnet === 'string'
            ? { text: subnet, mark: undefined }
            : { text: subnetText(subnet), name: resourceName(subnet), mark: this.marks.of([subnet]) },
        ),
      );
      return cardOf({
        kind: 'subnets',
        type: 'Network',
        title: count(all.length, 'subnet'),
        lines: isOutside ? [OUTSIDE] : [],
        rows,
        isOutside,
        count: all.length,
      });
    };
    return { key: `subnets ${key}`, resources, card };
  }

  private usersOfSubnets(): ReadonlyMap<Subnet | string, string> {
    const users = new Map<Subnet | string, number[]>();
    for (const resource of this.model.resources) if (resource.kind === 'subnet') users.set(resource, []);
    [...this.model.nodeGroups, ...this.model.selfManagedNodeGroups].forEach((group, index) => {
      for (const { target, text } of subnetsOf(group.subnets)) {
        const known = users.get(target ?? text);
        if (known === undefined) users.set(target ?? text, [index]);
        else if (known.at(-1) !== index) known.push(index);
      }
    });
    return new Map(
      [...users].map(([subnet, groups]) => [
        subnet,
        `${typeof subnet === 'string' ? 'outside ' : ''}${groups.join(' ')}`,
      ]),
    );
  }
}
