import { Aspects } from 'cdktf';
import type { IConstruct } from 'constructs';

/** Runs an action once, when aspects are called: by then the app has added everything. */
export function onceComplete(scope: IConstruct, action: () => void): void {
  let done = false;
  Aspects.of(scope).add({
    visit: (visited: IConstruct) => {
      if (visited !== scope || done) return;
      done = true;
      action();
    },
  });
}
