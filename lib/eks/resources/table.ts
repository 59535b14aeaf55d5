import type { Resource, Source, Value } from '../../value';
import type { Cluster, EksResource, Reference, Role, RouteTable, Subnet, Vpc } from '../model/resources';

/*
 * A table says once what the settings of a resource are called, where, and what they hold. Readers, the check of shapes and fixes go by it; the tests
 * translate templates by it. What has to be worked out from several values is read by code, and only its name and shape stand here.
 */

/** A resource, whatever it is written in. */
export interface ResourceTable {
  /** Its types; all of them have the same settings. */
  readonly cloudFormation: readonly string[];
  readonly terraform: readonly string[];
  /** The list of a ClusterConfig that holds them, or what of it. @default - eksctl makes none of its own accord */
  readonly eksctl?: readonly string[];
  /** Fixes don't edit it: each change makes a new one. @default false */
  readonly isUnchangeable?: true;
  /** The property that holds all settings. @default - they stand at the top */
  readonly root?: string;
  readonly settings: Readonly<Record<string, Setting>>;
}

/** A resource of which its table says all: no front end has code for it, and the settings are those that the model asks for. */
export interface WholeTable<R extends EksResource = EksResource> extends ResourceTable {
  readonly kind: R['kind'];
  readonly settings: {
    readonly [K in Exclude<keyof R, keyof Resource | 'kind'>]: PlainSetting & {
      readonly type: TypeFor<R[K]>;
      readonly cloudFormation: string;
      readonly terraform: string;
    };
  };
}

export function isWhole(table: ResourceTable): table is WholeTable {
  return 'kind' in table;
}

/** The inputs that have names for settings. */
export type Naming = 'cloudFormation' | 'terraform' | 'eksctl';

export type Setting = PlainSetting | BlockSetting;

interface Names {
  readonly cloudFormation?: Place;
  readonly terraform?: Place;
  readonly eksctl?: Place;
  /** CloudFormation has it beside the property that holds the others. */
  readonly isBesideRoot?: true;
}

export interface PlainSetting extends Names {
  readonly type: keyof PlainTypes;
  /** A repair is about the block around it. @default - about the setting itself */
  readonly repairsBlock?: true;
}

interface BlockSetting extends Names {
  /** `block`: one; `blocks`: a list; `each`: a list of which the items count, whatever their conditions. */
  readonly type: 'block' | 'blocks' | 'each';
  readonly settings: Readonly<Record<string, PlainSetting>>;
}

/** Names from the resource, or the block, down to the setting, with dots between them; in `code` if it isn't read by the table. */
export type Place = string | { readonly code: string };

/** What plain settings hold. */
interface PlainTypes {
  readonly text: Value<string>;
  /** A text that Terraform takes for written although it is empty. */
  readonly word: Value<string>;
  readonly boolean: Value<boolean>;
  readonly number: Value<number | string>;
  /** A number of which Terraform takes zero for not written. */
  readonly amount: Value<number | string>;
  readonly texts: Value<readonly Value<string>[]>;
  /** Security groups by id or name. */
  readonly securityGroups: Value<readonly Value<string>[]>;
  /** Whether a block is there. */
  readonly present: Value<true>;
  readonly cluster: Value<Reference<Cluster>>;
  readonly role: Value<Reference<Role>>;
  readonly subnet: Value<Reference<Subnet>>;
  readonly subnets: Value<readonly Value<Reference<Subnet>>[]>;
  readonly vpc: Value<Reference<Vpc>>;
  readonly routeTable: Value<Reference<RouteTable>>;
  readonly routeTables: Value<readonly Value<Reference<RouteTable>>[]>;
  /** Tags: a list of keys and values in CloudFormation, a map in Terraform; always read by code. */
  readonly tags: never;
  /** Anything with keys of the user's own choice; always read by code. */
  readonly map: never;
  /** Anything at all; always read by code. */
  readonly any: never;
}

/** Types that no table can read. */
export type ReadByCode = 'tags' | 'map' | 'any';

/** The types of settings that hold a value of the model. */
type TypeFor<V> = {
  readonly [T in Exclude<keyof PlainTypes, ReadByCode>]: PlainTypes[T] extends V ? T : never;
}[Exclude<keyof PlainTypes, ReadByCode>];

export function isReadByCode(type: PlainSetting['type']): type is ReadByCode {
  return type === 'tags' || type === 'map' || type === 'any';
}

type BlockOf<S extends BlockSetting> = {
  readonly [K in keyof S['settings']]: PlainTypes[S['settings'][K]['type']];
} & { readonly source: Source };

type ValueOf<S extends Setting> = S extends PlainSetting
  ? PlainTypes[S['type']]
  : S extends BlockSetting
    ? S['type'] extends 'block'
      ? Value<BlockOf<S>>
      : S['type'] extends 'blocks'
        ? Value<readonly BlockOf<S>[]>
        : readonly BlockOf<S>[]
    : never;

/** What is read of a resource by its table. */
export type ReadByTable<T extends ResourceTable, N extends Naming> = {
  readonly [K in keyof T['settings'] as T['settings'][K] extends { readonly [name in N]: string } ? K : never]: ValueOf<
    T['settings'][K]
  >;
};

/** Names of a place, from the outside in. */
export function stepsOf(place: Place): readonly string[] {
  return (typeof place === 'string' ? place : place.code).split('.');
}

/** The place of a setting where a table reads it; undefined where code does, or nothing. */
export function placeByTable(setting: Setting, naming: Naming): readonly string[] | undefined {
  const place = setting[naming];
  return typeof place === 'string' ? stepsOf(place) : undefined;
}

/** Names from a resource of CloudFormation's properties down. */
export function propertyPath(table: ResourceTable, setting: Setting): readonly string[] | undefined {
  const { cloudFormation: place, isBesideRoot } = setting;
  if (place === undefined) return undefined;
  return [...(table.root === undefined || isBesideRoot === true ? [] : [table.root]), ...stepsOf(place)];
}

/** The same settings as the arguments of the API call: the custom resources of CDK's `aws-eks` have them below `Config`, with small first letters. */
export function asArguments<T extends ResourceTable>(table: T, type: string): T {
  return { ...asAnswer(table, type), root: 'Config' };
}

/** The same settings as EKS answers them: `describe-nodegroup` has those of CloudFormation with small first letters. */
export function asAnswer<T extends ResourceTable>(table: T, type: string): T {
  return renamed(table, type, 'cloudFormation', lowerCase);
}

/**
 * The same settings as the specs of AWS Controllers for Kubernetes have them: those of the API, with acronyms in capitals.
 * Source: aws-controllers-k8s/pkg, names/names.go.
 */
export function asSpec<T extends ResourceTable>(table: T, type: string): T {
  return renamed(table, type, 'cloudFormation', (place) => withCapitals(lowerCase(place)));
}

/** The same settings as Crossplane's providers have them, which are made of Terraform's. Source: crossplane/upjet, pkg/types/name/name.go. */
export function asProvided<T extends ResourceTable>(table: T, type: string): T {
  return renamed(table, type, 'terraform', (place) =>
    place.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase()),
  );
}

function renamed<T extends ResourceTable>(
  table: T,
  type: string,
  naming: 'cloudFormation' | 'terraform',
  rename: (place: string) => string,
): T {
  const { root, ...others } = table;
  return {
    ...others,
    // Terraform has none.
    ...(naming === 'terraform' || root === undefined ? {} : { root }),
    cloudFormation: naming === 'cloudFormation' ? [type] : [],
    terraform: naming === 'terraform' ? [type] : [],
    eksctl: [],
    settings: withNames(table.settings, naming, rename),
  } as unknown as T;
}

function withNames(
  settings: Readonly<Record<string, Setting>>,
  naming: 'cloudFormation' | 'terraform',
  rename: (place: string) => string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => {
      const place = setting[naming];
      const inner = 'settings' in setting ? { settings: withNames(setting.settings, naming, rename) } : {};
      const own =
        typeof place === 'string' ? rename(place) : place === undefined ? undefined : { code: rename(place.code) };
      return [name, { ...setting, ...inner, [naming]: own }];
    }),
  );
}

function lowerCase(place: string): string {
  return place.replace(/(?<=^|\.)[A-Z]/g, (letter) => letter.toLowerCase());
}

function withCapitals(place: string): string {
  return place.replace(/(?<=[a-z\d])(?:Arn|Id|Vpc|Cidr|Ip(?=v\d))(?=s?(?:[A-Z.]|$)|v\d)/g, (word) =>
    word.toUpperCase(),
  );
}
