import Sequencer from '@jest/test-sequencer';

/** What needs much memory at once; then subjects that take long, so that none of them is left for the end, when only one core would work. */
const SLOW = [
  'terraform-module-hostile',
  'cli',
  'constructs/aws-cdk',
  'package',
  'examples',
  'rules/node-bootstrap',
  'rules/vpc-cni',
  'constructs',
  'docs',
  'front-ends',
  'eks/user-data',
  'terraform',
  'rules',
  'fixes',
  'configuration',
  'aspects',
  'reports',
];

/** An order that needs no knowledge of earlier runs, which a fresh clone doesn't have. */
export default class SlowFirst extends Sequencer {
  sort(tests) {
    return super.sort([...tests]).sort((a, b) => rank(a) - rank(b));
  }
}

/** Of a test file, as of a suite of several (see scripts/suites.mjs). */
function rank({ path }) {
  const name = path.replaceAll(/[\\/]/g, '-');
  const found = SLOW.findIndex((subject) =>
    new RegExp(`-(?:test|all|cdktn)-${subject.replace('/', '-')}[-.]`).test(name),
  );
  return found < 0 ? SLOW.length : found;
}
