import { KarpenterDefinitions } from '../../lib/knowledge/karpenter-fields';

const at = (version: string) => new KarpenterDefinitions('EC2NodeClass', { from: version, to: version });

describe('the definitions of Karpenter', () => {
  it('name the fields at a place, and no others', () => {
    const nodeClass = new KarpenterDefinitions('EC2NodeClass');
    expect(nodeClass.namesIn('metadataOptions').toSorted()).toEqual([
      'httpEndpoint',
      'httpProtocolIPv6',
      'httpPutResponseHopLimit',
      'httpTokens',
    ]);
    const top = nodeClass.namesIn('');
    expect(top).toEqual(expect.arrayContaining(['amiFamily', 'metadataOptions', 'role']));
    expect(top).not.toContain('httpTokens');
    expect(new KarpenterDefinitions('NodePool').namesIn('disruption').toSorted()).toEqual([
      'budgets',
      'consolidateAfter',
      'consolidationPolicy',
    ]);
  });

  it('find the places of a name', () => {
    expect(new KarpenterDefinitions('EC2NodeClass').placesOf('httpTokens')).toEqual(['metadataOptions.httpTokens']);
    expect(new KarpenterDefinitions('EC2NodeClass').placesOf('gone')).toEqual([]);
  });

  it('know a field, and what is required', () => {
    const nodeClass = new KarpenterDefinitions('EC2NodeClass');
    expect(nodeClass.field('')?.required).toContain('amiSelectorTerms');
    expect(nodeClass.field('metadataOptions')).toMatchObject({ type: 'object' });
    expect(nodeClass.field('toString')).toBeUndefined();
  });

  it.each<[string, { from?: string; to?: string }, { isOne: boolean; isCertain: boolean; called: RegExp }]>([
    ['a version', { from: '1.5.2', to: '1.5.2' }, { isOne: true, isCertain: true, called: /^Karpenter 1\.5\.2$/ }],
    ['a range', { from: '1.2.0', to: '1.6.0' }, { isOne: false, isCertain: false, called: /from 1\.2\.0 to 1\.6\.0$/ }],
    ['any', {}, { isOne: false, isCertain: false, called: /^Karpenter from 1\.0 to 1\.\d+$/ }],
    ['one that is newer', { from: '1.99.0', to: '1.99.0' }, { isOne: true, isCertain: false, called: / 1\.99\.0$/ }],
    ['at least', { from: '1.3.0' }, { isOne: false, isCertain: false, called: /from 1\.3\.0 to 1\.\d+$/ }],
  ])('are those of %s', (_, range, { isOne, isCertain, called }) => {
    const definitions = new KarpenterDefinitions('NodePool', range);
    expect({ isOne: definitions.isOne, isCertain: definitions.isCertain }).toEqual({ isOne, isCertain });
    expect(definitions.called).toMatch(called);
  });

  it('have what one of the versions has', () => {
    expect(['1.4', '1.5', '1.6', undefined].map((since) => at('1.5.0').has(since))).toEqual([true, true, false, true]);
    const range = new KarpenterDefinitions('EC2NodeClass', { from: '1.2.0', to: '1.5.0' });
    expect(['1.0', '1.4', '1.6'].map((since) => range.has(since))).toEqual([true, true, false]);
    // One that the table doesn't reach counts as the last that it does.
    expect(at('1.99.0').has('1.8')).toBe(true);
  });

  it.each<[string, string, string | undefined]>([
    ['1.5.0', 'karpenter.sh/nodepool', 'all'],
    ['1.5.0', 'karpenter.sh/custom', 'all'],
    ['1.5.0', 'karpenter.sh/capacity-type', undefined],
    ['1.5.0', 'acme.example/team', undefined],
    // A domain is the end of a name.
    ['1.5.0', 'kubernetes.io.acme.example/team', undefined],
    ['1.5.0', 'team.kubernetes.io/name', 'all'],
    ['1.5.0', 'node-restriction.kubernetes.io/team', undefined],
    ['1.5.0', 'team.node.kubernetes.io/name', undefined],
    ['1.5.0', 'topology.kubernetes.io/zone', undefined],
    ['1.5.0', 'kubernetes.io/hostname', 'all'],
    // Since 1.9 all of Kubernetes are taken.
    ['1.9.0', 'team.kubernetes.io/name', undefined],
    // Allowed later than others.
    ['1.0.0', 'karpenter.k8s.aws/capacity-reservation-id', 'all'],
    ['1.3.0', 'karpenter.k8s.aws/capacity-reservation-id', undefined],
  ])('of %s as a label: %s', (version, key, refusal) => {
    const pool = new KarpenterDefinitions('NodePool', { from: version, to: version });
    expect(pool.refusesKey('template.metadata.labels', key)).toBe(refusal);
  });

  it('refuse a label at a place for labels', () => {
    expect(new KarpenterDefinitions('NodePool').refusesKey('toString', 'karpenter.sh/nodepool')).toBeUndefined();
  });

  it('refuse what the newest refuses, and say whether all do', () => {
    const refused = (from: string, to: string, text: string) =>
      new KarpenterDefinitions('EC2NodeClass', { from, to }).refusals('amiSelectorTerms[].alias', ({ rule }) =>
        rule.includes(text),
      );
    // What is about Windows 2025 began with 1.9, and what lacks it ended.
    expect(refused('1.8.0', '1.8.0', "'windows2025'")).toBeUndefined();
    expect(refused('1.9.0', '1.9.0', "'windows2025'")).toMatchObject({ in: 'all', by: [{}, {}] });
    expect(refused('1.8.0', '1.9.0', "'windows2025'")).toMatchObject({ in: 'newest', by: [{}, {}] });
    expect(refused('1.8.0', '1.9.0', "'windows2022'] ?")).toBeUndefined();
    expect(refused('1.8.0', '1.9.0', "'windows2022'")).toMatchObject({ in: 'all' });
  });

  it('remember what had a field that v1 lacks', () => {
    const pool = new KarpenterDefinitions('NodePool');
    expect(pool.lastVersionOf('ttlSecondsAfterEmpty')).toBe('v1alpha');
    expect(pool.lastVersionOf('toString')).toBeUndefined();
  });
});
