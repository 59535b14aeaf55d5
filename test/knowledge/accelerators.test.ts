import { acceleratorOf, amiType, amiTypeNames, hasDriver, instanceTypeNames } from '../../lib/knowledge';

describe('acceleratorOf', () => {
  it('knows the accelerated families of the instance type table', () => {
    const families: Record<string, Set<string>> = { nvidia: new Set(), neuron: new Set() };
    for (const name of instanceTypeNames()) families[acceleratorOf(name) ?? '']?.add(name.replace(/\..*/, ''));
    expect([...(families['neuron'] ?? [])].sort()).toEqual(['inf1', 'inf2', 'trn1', 'trn1n', 'trn2']);
    expect([...(families['nvidia'] ?? [])].sort()).toEqual([
      'g4dn',
      'g5',
      'g5g',
      'g6',
      'g6e',
      'g6f',
      'g7',
      'g7e',
      'gr6',
      'gr6f',
      'p3',
      'p3dn',
      'p4d',
      'p4de',
      'p5',
      'p5e',
      'p5en',
      'p6-b200',
      'p6-b300',
    ]);
  });

  it.each([
    'g4ad.xlarge',
    'dl1.24xlarge',
    'dl2q.24xlarge',
    'vt1.3xlarge',
    'f1.2xlarge',
    'f2.6xlarge',
    'm7g.large',
    'c6gn.large',
    'im4gn.large',
    '',
    'g',
    'infinity',
  ])('has none for %p', (name) => {
    expect(acceleratorOf(name)).toBeUndefined();
  });
});

describe('hasDriver', () => {
  const typesWith = (accelerator: 'nvidia' | 'neuron') =>
    amiTypeNames().filter((name) => {
      const type = amiType(name);
      return type !== undefined && hasDriver(type, accelerator);
    });

  it('finds the NVIDIA driver in the types that are called so', () => {
    expect(typesWith('nvidia')).toEqual(amiTypeNames().filter((name) => /_NVIDIA|_GPU/.test(name)));
  });

  it('finds the Neuron driver in the ordinary Bottlerocket types too', () => {
    expect(typesWith('neuron')).toEqual([
      'AL2_x86_64_GPU',
      'AL2023_x86_64_NEURON',
      'BOTTLEROCKET_x86_64',
      'BOTTLEROCKET_ARM_64',
      'BOTTLEROCKET_x86_64_FIPS',
      'BOTTLEROCKET_ARM_64_FIPS',
    ]);
  });
});
