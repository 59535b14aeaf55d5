import { join } from 'node:path';
import * as ts from 'typescript';

/*
 * What an editor shows of the options: each has a meaning, and those that can be left out their default. What nodeadm and the add-on do without a setting of theirs is
 * theirs to say.
 */

const root = join(__dirname, '../..');
const engines = ['aws-cdk', 'cdktf'].map((engine) => join(root, `constructs/${engine}/index.ts`));
const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
  config: { compilerOptions: object };
};
const NOT_FOUND: ts.ResolvedModuleWithFailedLookupLocations = { resolvedModule: undefined };
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
// Without the libraries, whose thousands of declarations nothing here asks for.
const host: ts.CompilerHost = {
  ...ts.createCompilerHost(options),
  resolveModuleNameLiterals: (names, file) =>
    names.map(({ text }) => (text.startsWith('.') ? ts.resolveModuleName(text, file, options, ts.sys) : NOT_FOUND)),
};
const program = ts.createProgram(engines, { ...options, types: [], noEmit: true, skipLibCheck: true }, host);
const checker = program.getTypeChecker();

/** The options and members of what a module exports, of this library. */
function membersOf(file: string): { readonly name: string; readonly symbol: ts.Symbol; readonly isOption: boolean }[] {
  const source = program.getSourceFile(file);
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} is no module`);
  return checker.getExportsOfModule(module).flatMap((exported) => {
    const symbol = (exported.flags & ts.SymbolFlags.Alias) === 0 ? exported : checker.getAliasedSymbol(exported);
    const isInterface = (symbol.flags & ts.SymbolFlags.Interface) !== 0;
    if (!isInterface && (symbol.flags & ts.SymbolFlags.Class) === 0) return [];
    return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).flatMap((member) => {
      const declaration = member.declarations?.[0];
      if (declaration === undefined || !isOwn(declaration)) return [];
      const isHidden =
        (ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0;
      if (SETTINGS_OF_OTHERS.test(declaration.getSourceFile().fileName)) return [];
      return isHidden ? [] : [{ name: `${symbol.name}.${member.name}`, symbol: member, isOption: isInterface }];
    });
  });
}

/** The types of what nodeadm and the add-on read. */
const SETTINGS_OF_OTHERS = /node-config\/types\.ts$|\.generated\.ts$/;

function isOwn(declaration: ts.Declaration): boolean {
  const { fileName } = declaration.getSourceFile();
  return fileName.startsWith(`${root}/constructs/`) || fileName.startsWith(`${root}/lib/`);
}

/** Options without which people leave the constructs. */
const NODE_OPTIONS = [
  'securityGroups',
  'clusterSecurityGroup',
  'volume',
  'additionalVolumes',
  'instanceStore',
  'remoteAccess',
  'managedPolicies',
  'permissionsBoundary',
  'detailedMonitoring',
  'placementGroup',
  'efa',
  'capacityReservation',
  'role',
  'tags',
] as const;
const WANTED: Readonly<Record<string, readonly string[]>> = {
  ManagedNodeGroupProps: [...NODE_OPTIONS, 'capacityType', 'nodeRepair', 'updateStrategy', 'warmPool'],
  SelfManagedNodeGroupProps: [...NODE_OPTIONS, 'accessEntry'],
  ClusterNetworkAddonsProps: ['vpcCni', 'kubeProxy', 'coreDns', 'podIdentityAgent'],
  LoadBalancerControllerRoleProps: ['vpcId', 'identity'],
  KarpenterRolesProps: ['accessEntry'],
};

describe.each(engines)('the public options of %s', (file) => {
  const members = membersOf(file);

  it('are many', () => {
    expect(members.filter(({ isOption }) => isOption).length).toBeGreaterThan(150);
  });

  it('each say what they mean', () => {
    const silent = members.filter(
      ({ symbol, isOption }) => isOption && ts.displayPartsToString(symbol.getDocumentationComment(checker)) === '',
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('say what holds without them', () => {
    const silent = members.filter(
      ({ symbol, isOption }) =>
        isOption &&
        (symbol.flags & ts.SymbolFlags.Optional) !== 0 &&
        !symbol.getJsDocTags(checker).some(({ name }) => name === 'default'),
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it.each(Object.entries(WANTED))('%s have what people move to them for, each with its source', (name, options) => {
    const own = new Map(members.map((one) => [one.name, one.symbol]));
    const has = (option: string): boolean => own.has(`${name}.${option}`);
    expect(options.filter((option) => !has(option))).toEqual([]);
    const isSourced = (option: string): boolean =>
      own
        .get(`${name}.${option}`)
        ?.getJsDocTags(checker)
        .some((tag) => tag.name === 'see') === true;
    expect(options.filter((option) => !isSourced(option))).toEqual([]);
  });
});

/** What one engine has by itself, and why. */
const OWN: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  'aws-cdk': {
    'a hook of CloudFormation': /^(?:Guardrails)?Hook/,
    'injectors of properties, which the CDK alone has': /^(?:SafeDefault|Repairs$)/,
    'interfaces of the CDK': /\.(?:connections|nodegroupRef)$/,
    'a KeyPair of the CDK': /^RemoteAccessOptions\.keyPair$/,
    // The AWS provider has a mode for creation alone, which the constructs set.
    'one mode for creation and updates': /^(?:ClusterNetworkAddons|CoreDnsAddon)Props\.takeOver$/,
    'the name in CloudFormation': /^AddonRoleSettings\.podIdentityAssociations$/,
  },
  cdktf: {
    'resources have no dependencies of a scope': /\.dependencies$/,
    'what a cluster of elsewhere tells': /^ClusterAttributes/,
    'what stands for constructs of the CDK': /^(?:I[A-Z]|SecurityGroupResource|SubnetResource)/,
    'a provider that no cluster brings': /\.openIdConnectProvider$/,
    'the name of a key pair': /^RemoteAccessOptions\.keyName$/,
    'an attachment is a resource': /^VpcCniRole\.attachment$/,
    'there is no construct for kubectl': /^SecurityGroupPolicyManifest/,
    'the name in Terraform': /^AddonRoleSettings\.podIdentityAssociation$/,
  },
};

it('options and members have the same names in the CDK and in CDKTF', () => {
  const [cdk = [], terraform = []] = engines.map((file) => [...new Set(membersOf(file).map(({ name }) => name))]);
  const ownTo = (engine: string, names: readonly string[], others: readonly string[]): string[] =>
    names.filter(
      (name) => !others.includes(name) && !Object.values(OWN[engine] ?? {}).some((pattern) => pattern.test(name)),
    );
  expect(ownTo('aws-cdk', cdk, terraform)).toEqual([]);
  expect(ownTo('cdktf', terraform, cdk)).toEqual([]);
  expect(cdk.filter((name) => terraform.includes(name)).length).toBeGreaterThan(200);
});

it('options can be left out in both, but for the subnets, which the CDK takes from the cluster', () => {
  const [cdk = [], terraform = []] = engines.map((file) => membersOf(file).filter(({ isOption }) => isOption));
  const isOptional = (symbol: ts.Symbol): boolean => (symbol.flags & ts.SymbolFlags.Optional) !== 0;
  const inCdk = new Map(cdk.map(({ name, symbol }) => [name, isOptional(symbol)]));
  const different = terraform.filter(({ name, symbol }) => inCdk.has(name) && inCdk.get(name) !== isOptional(symbol));
  expect(new Set(different.map(({ name }) => name.split('.')[1]))).toEqual(new Set(['subnets']));
});
