import { Absent, always, Choice, Known, nowhere, Unknown, type Plain, type Value } from '../../../lib/eks';
import { isText } from '../../../lib/eks/analysis/addon';

const known = (text: string): Known<string> => new Known(text, nowhere);
const unknown = (text?: string): Unknown => new Unknown('parameter X has no default', nowhere, text);
const either = (...values: readonly Plain<string>[]): Value<string> =>
  new Choice(values.map((value) => ({ when: always, value })));

describe('isText', () => {
  it.each<[string, Value<string>, string]>([
    ['the text', known('vpc-cni'), 'yes'],
    ['another text', known('coredns'), 'no'],
    ['none', new Absent(nowhere), 'no'],
    ['one that is not known', unknown(), 'maybe'],
    ['one of which nothing is known but that it is one', unknown('${Name}'), 'maybe'],
    ['one that begins like it', unknown('vpc-${Name}'), 'maybe'],
    ['one that begins otherwise', unknown('aws-${Name}'), 'no'],
    ['one that ends like it', unknown('${Name}-cni'), 'maybe'],
    ['one that ends otherwise', unknown('${Name}-csi'), 'no'],
    ['one that begins and ends like it', unknown('vpc${Sign}cni'), 'maybe'],
    ['one that begins like it and ends otherwise', unknown('vpc-${Name}-driver'), 'no'],
    ['one that begins otherwise and ends like it', unknown('aws-${Name}-cni'), 'no'],
    ['an empty text that is not known', unknown(''), 'maybe'],
    ['the text either way', either(known('vpc-cni'), known('vpc-cni')), 'yes'],
    ['the text one way', either(known('vpc-cni'), known('coredns')), 'maybe'],
    ['the text one way, and none the other', either(known('vpc-cni'), new Absent(nowhere)), 'maybe'],
    ['other texts', either(known('kube-proxy'), known('coredns')), 'no'],
    ['one that is not known, either way', either(unknown(), unknown()), 'maybe'],
  ])('of %s', (_, value, expected) => {
    expect(isText(value, 'vpc-cni')).toBe(expected);
  });
});
