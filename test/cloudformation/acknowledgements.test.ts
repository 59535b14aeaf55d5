import { Acknowledgements } from '../../lib/cloudformation/acknowledgements';
import { nowhere, type Source } from '../../lib/value';

describe('an acknowledgement of an app', () => {
  const written: Source = { locate: () => ({ file: 'app.ts', line: 1, column: 1 }) };
  const acknowledgements = new Acknowledgements([
    { constructPath: '/Prod/Nodes/', rule: 'a', reason: 'r' },
    { constructPath: 'Prod/Nodes', rule: 'b', reason: 'r', until: '2027-01-01', source: written },
    { constructPath: '', rule: 'c', reason: 'r' },
  ]);
  const rules = (path: string | undefined) => acknowledgements.of(path, nowhere).map(({ rule }) => rule);

  it('holds for its construct and all below it, and that of the app for all', () => {
    expect(rules('Prod/Nodes')).toEqual(['a', 'b', 'c']);
    expect(rules('Prod/Nodes/Template/Resource')).toEqual(['a', 'b', 'c']);
    expect(rules('Prod/NodesOf')).toEqual(['c']);
    expect(rules('Prod')).toEqual(['c']);
    expect(rules('ProdNodes')).toEqual(['c']);
    expect(rules(undefined)).toEqual([]);
  });

  it('is one decision for all of them, with its end and place', () => {
    const [first, second] = acknowledgements.of('Prod/Nodes', nowhere);
    expect(acknowledgements.of('Prod/Nodes/Template', written)[0]).toBe(first);
    expect(first).toEqual({ rule: 'a', reason: 'r', source: nowhere });
    expect(second).toEqual({ rule: 'b', reason: 'r', until: '2027-01-01', source: written });
  });
});
