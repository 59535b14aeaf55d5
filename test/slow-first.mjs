import Sequencer from '@jest/test-sequencer';

/** Suites that take long, so that none of them is left for the end, when only one core would work. */
const SLOW = [
  'test/package/',
  'test/constructs/aws-cdk/option-combinations',
  'test/docs/',
  'test/examples/',
  'test/cli/',
  'test/readers/cloudformation/robustness',
  'test/user-data/mime-properties',
  'test/configuration/',
  'test/constructs/',
];

/** An order that needs no knowledge of earlier runs, which a fresh clone doesn't have. */
export default class SlowFirst extends Sequencer {
  sort(tests) {
    return super.sort([...tests]).sort((a, b) => rank(a) - rank(b));
  }
}

function rank({ path }) {
  const found = SLOW.findIndex((part) => path.replaceAll('\\', '/').includes(part));
  return found < 0 ? SLOW.length : found;
}
