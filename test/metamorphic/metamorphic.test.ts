import fc from 'fast-check';
import { runs } from '../share';
import { comparisons } from './relations';
import { templateVectors } from './vectors';

describe('a verdict', () => {
  const vectors = templateVectors();

  // All vectors with all changes: npm run fuzz.
  it('depends neither on order and names, nor on the language and what else there is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...vectors), fc.nat(), (vector, seed) => {
        for (const { relation, before, after } of comparisons(vector, seed))
          expect([relation, vector.name, after]).toEqual([relation, vector.name, before]);
      }),
      { numRuns: runs(100) },
    );
  });
});
