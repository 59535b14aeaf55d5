import { compareVersions, isVpcCniBoolean, vpcCniVariable, vpcCni, type VpcCniVariable } from '../../knowledge';
import { dataAt, entriesOf, isDataMap, Unknown, type Data } from '../../value';
import { extraVariables, type ExtraVariables } from './cni-environment';
import { parseSwitch, type CniSettings } from './cni-settings';

/** A value in the configuration of a VPC CNI that the program that reads it can't use. */
export interface CniValueProblem {
  /** `env.ENABLE_POD_ENI`, `enableNetworkPolicy`. */
  readonly path: string;
  /** As it is written, in quotes, shortened. */
  readonly found: string;
  /** What is wrong with it, as the end of "which …". */
  readonly defect: string;
  /**
   * - `exits`: aws-node exits at start.
   * - `exits-later`: it will, as soon as security groups for pods are turned on.
   * - `stops`: ipamd does, for which aws-node then waits in vain.
   * - `ignored`: it goes on without the value, or without a part of it.
   */
  readonly effect: 'exits' | 'exits-later' | 'stops' | 'ignored';
  /** What the program does instead; for `ignored`. */
  readonly consequence: string;
  /** What it takes, as the end of "write …". */
  readonly allowed: string;
}

export interface CniValueReport {
  readonly problems: readonly CniValueProblem[];
  /** What can't be judged, and why. */
  readonly doubts: readonly string[];
  /** How many values there were to judge. */
  readonly judged: number;
}

/** How the configuration is to be read. */
export interface CniValueContext {
  /** IP family of the cluster; undefined when it isn't known. */
  readonly ipFamily: 'ipv4' | 'ipv6' | undefined;
  /**
   * Whether the EKS API checks the configuration against the schema of the add-on first. What that refuses (wrong types, its lists of
   * allowed values, keys that the version doesn't have) never reaches the programs and isn't told again.
   */
  readonly schemaFirst: boolean;
}

/** Before this version nothing checked the MTU at start. Source: aws/amazon-vpc-cni-k8s, `cmd/aws-vpc-cni/main.go` at v1.16.3 and v1.16.4. */
const MTU_CHECKED_SINCE = 'v1.16.4';
const MTU = 'AWS_VPC_ENI_MTU';

/** Part of tag keys that the CNI keeps for itself; the longest key and value that EC2 takes. */
const RESERVED_TAG = 'k8s.amazonaws.com';
const MAX_TAG_KEY = 128;
const MAX_TAG_VALUE = 256;

/** What the table says of variables with a wrong value of which aws-node exits. */
const EXITS = /^aws-node exits/;

const ENVIRONMENTS = [
  { container: 'aws-node', keys: ['env'] },
  { container: 'aws-vpc-cni-init', keys: ['init', 'env'] },
] as const;

/**
 * Reads the values of a VPC CNI's configuration as its programs do, by the table of its variables: which of them they can't use, and
 * what happens then. Sources: aws/amazon-vpc-cni-k8s, `cmd/aws-vpc-cni/main.go` (validateEnvVars), `utils/utils.go`, `pkg/ipamd/ipamd.go`.
 */
export function cniValueReport(settings: CniSettings, context: CniValueContext): CniValueReport {
  const { data } = settings;
  if (data instanceof Unknown)
    return { problems: [], doubts: [`the configuration values are not known (${data.reason})`], judged: 1 };
  const reading = new Reading(settings, context);
  for (const { container, keys } of ENVIRONMENTS) reading.environment(container, keys);
  reading.extra(extraVariables(settings));
  reading.switches();
  return reading;
}

class Reading implements CniValueReport {
  readonly problems: CniValueProblem[] = [];
  readonly doubts: string[] = [];
  judged = 0;

  constructor(
    private readonly settings: CniSettings,
    private readonly context: CniValueContext,
  ) {}

  environment(container: string, keys: readonly string[]): void {
    const map = dataAt(this.settings.data, ...keys);
    const place = keys.join('.');
    if (map instanceof Unknown) this.doubt(`${place} is not known (${map.reason})`);
    if (!isDataMap(map)) return;
    for (const [name, value] of entriesOf(map)) {
      const path = `${place}.${name}`;
      if (name.includes('${')) this.doubt(`the key ${path} is not known before deployment`);
      const variable = vpcCniVariable(name);
      if (variable?.containers.includes(container) === true && !this.isRefused(path)) this.value(variable, path, value);
    }
  }

  /** Variables that `env` can't set; of the others a second value is a defect by itself. */
  extra(variables: ExtraVariables): void {
    if (variables instanceof Unknown) return;
    for (const { name, value } of variables) {
      const variable = typeof name === 'string' ? vpcCniVariable(name) : undefined;
      if (variable?.containers.includes('aws-node') !== true || vpcCni.key(`env.${variable.name}`)?.since !== undefined)
        continue;
      this.value(variable, `extraEnv ${variable.name}`, value);
    }
  }

  /** Booleans that are text outside of the environment: `enableNetworkPolicy`. */
  switches(): void {
    for (const { path, format, type } of vpcCni.keys) {
      if (format !== 'boolean' || !type.includes('string') || /^(?:init\.)?env\./.test(path) || this.isRefused(path))
        continue;
      const value = dataAt(this.settings.data, ...path.split('.'));
      // Of a block that isn't known as a whole one key is enough.
      if (
        value === undefined ||
        (value instanceof Unknown && this.doubts.some((doubt) => doubt.includes(value.reason)))
      )
        continue;
      const text = this.textOf(path, value);
      if (text === undefined || text === '' || isVpcCniBoolean(text)) continue;
      this.problems.push({
        path,
        found: shown(text),
        defect: 'is no boolean',
        effect: 'ignored',
        consequence: 'what reads it knows true and false only, and stops or leaves the feature off',
        allowed: '`"true"` or `"false"`',
      });
    }
  }

  private value(variable: VpcCniVariable, path: string, value: Data | undefined): void {
    if (!isConstrained(variable)) return;
    const text = this.textOf(path, value);
    if (text === undefined || this.stopsIpv6(path, text)) return;
    const fault = faultOf(variable, text, this.context.ipFamily);
    if (fault === undefined) return;
    if ('doubt' in fault) {
      this.doubt(`${path} is ${shown(text)}, and ${fault.doubt}`);
      return;
    }
    this.problems.push({
      path,
      found: shown(text),
      defect: fault.defect,
      allowed: allowedOf(variable, this.context.ipFamily),
      ...this.outcome(variable, fault),
    });
  }

  /** IPv6 works with prefixes only; what can't be read counts as off. Whether there is nothing more to say. Source: pkg/ipamd/ipamd.go, isConfigValid. */
  private stopsIpv6(path: string, text: string): boolean {
    const { ipFamily } = this.context;
    if (path !== 'env.ENABLE_PREFIX_DELEGATION' || text === '' || ipFamily === 'ipv4' || parseSwitch(text) === true)
      return false;
    if (ipFamily === undefined) {
      if (parseSwitch(text) === false)
        this.doubt(`${path} is ${shown(text)}, and the IP family of the cluster is not known`);
      return false;
    }
    const defect =
      parseSwitch(text) === false
        ? 'turns off what an IPv6 cluster needs'
        : 'is no boolean and so turns off what an IPv6 cluster needs';
    this.problems.push({ path, found: shown(text), defect, effect: 'stops', consequence: '', allowed: '`"true"`' });
    return true;
  }

  /** The text that the program gets; undefined when there is none, when it isn't known, or when the schema has its say first. */
  private textOf(path: string, value: Data | undefined): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (value instanceof Unknown) {
      this.judged++;
      this.doubt(`${path} is not known (${value.reason})`);
      return undefined;
    }
    if (typeof value === 'object' || (typeof value !== 'string' && this.context.schemaFirst)) return undefined;
    this.judged++;
    return String(value);
  }

  private outcome(variable: VpcCniVariable, { consequence }: Fault): Pick<CniValueProblem, 'effect' | 'consequence'> {
    if (!EXITS.test(variable.invalid ?? ''))
      return { effect: 'ignored', consequence: consequence ?? withoutValue(variable) };
    const { version } = this.settings;
    if (variable.name === MTU && version !== undefined && compareVersions(version, MTU_CHECKED_SINCE) < 0) {
      return { effect: 'ignored', consequence: 'the CNI logs an error and uses the nearest MTU that it takes' };
    }
    const isOff =
      variable.name === 'POD_SECURITY_GROUP_ENFORCING_MODE' && this.settings.switch('env.ENABLE_POD_ENI').kind !== 'on';
    return { effect: isOff ? 'exits-later' : 'exits', consequence: '' };
  }

  /** Whether the EKS API judges the value by the schema alone: it has a list of allowed values, or doesn't have the key. */
  private isRefused(path: string): boolean {
    const key = vpcCni.key(path);
    // The chart passes everything on, and the schema's list of NETWORK_POLICY_ENFORCING_MODE is narrower than what the CNI takes.
    if (!this.context.schemaFirst) return key?.enum !== undefined && key.format !== 'boolean';
    if (key === undefined || key.enum !== undefined) return true;
    const { version } = this.settings;
    return version !== undefined && !vpcCni.accepts(key, version);
  }

  private doubt(reason: string): void {
    this.judged++;
    this.doubts.push(reason);
  }
}

interface Fault {
  readonly defect: string;
  /** What happens when it isn't what always happens with a wrong value of the variable. */
  readonly consequence?: string;
}

interface Doubt {
  readonly doubt: string;
}

function isConstrained({ type, enum: allowed, maxLength, forbidden, format }: VpcCniVariable): boolean {
  return (
    type !== 'string' ||
    allowed !== undefined ||
    maxLength !== undefined ||
    forbidden !== undefined ||
    FORMATS.has(format)
  );
}

function faultOf(
  variable: VpcCniVariable,
  text: string,
  family: CniValueContext['ipFamily'],
): Fault | Doubt | undefined {
  // An empty text is as good as none, unless something at start insists on a value.
  if (text === '' && !EXITS.test(variable.invalid ?? '')) return undefined;
  switch (variable.type) {
    case 'boolean':
      return isVpcCniBoolean(text) ? undefined : { defect: 'is no boolean' };
    case 'integer':
      return integerFault(variable, text, family);
    case 'string':
      return textFault(variable, text);
  }
}

function integerFault(
  { format, range, rangeIPv6, invalid = '' }: VpcCniVariable,
  text: string,
  family: CniValueContext['ipFamily'],
): Fault | Doubt | undefined {
  if (format !== undefined)
    return /^[+-]?(?:0x[\da-f]+|0b[01]+|0o?[0-7]*|[1-9]\d*)$/i.test(text) ? undefined : { defect: 'is no integer' };
  if (!isGoInteger(text)) return { defect: text === '' ? 'is empty' : 'is no integer' };
  // The README says of such variables that no number above 0 means "not set".
  if (Number(text) <= 0 && invalid.startsWith('<= 0')) return undefined;
  const inIPv4 = isWithin(text, range);
  const inIPv6 = isWithin(text, rangeIPv6 ?? range);
  const isRight = family === 'ipv6' ? inIPv6 : inIPv4;
  if (family !== undefined || inIPv4 === inIPv6)
    return isRight
      ? undefined
      : { defect: `is outside of ${rangeText(family === 'ipv6' ? (rangeIPv6 ?? range) : range)}` };
  return { doubt: 'the IP family of the cluster is not known' };
}

function textFault(variable: VpcCniVariable, text: string): Fault | undefined {
  const { enum: allowed, ignoreCase, maxLength, forbidden, format } = variable;
  if (allowed !== undefined) {
    const isAllowed =
      ignoreCase === true ? allowed.some((one) => one.toLowerCase() === text.toLowerCase()) : allowed.includes(text);
    return isAllowed ? undefined : { defect: text === '' ? 'is empty' : 'is none of its values' };
  }
  if (forbidden?.includes(text) === true) return { defect: 'is not allowed' };
  if (maxLength !== undefined && Buffer.byteLength(text) > maxLength)
    return { defect: `is longer than ${maxLength} characters` };
  return FORMATS.get(format)?.(text);
}

/** The formats of the table that can be wrong in a way that counts. */
const FORMATS: ReadonlyMap<string | undefined, (text: string) => Fault | undefined> = new Map([
  ['JSON object of string values', tagsFault],
  ['comma-separated IPv4 CIDRs', cidrsFault],
]);

function tagsFault(text: string): Fault | undefined {
  const consequence = 'the CNI adds no tags to its network interfaces';
  let tags: unknown;
  try {
    tags = JSON.parse(text);
  } catch {
    return { defect: 'is no JSON', consequence };
  }
  if (tags === null) return undefined;
  if (typeof tags !== 'object' || Array.isArray(tags)) return { defect: 'is no JSON object', consequence };
  const entries = Object.entries(tags);
  const noText = entries.find(([, value]) => typeof value !== 'string' && value !== null);
  if (noText !== undefined) return { defect: `has the tag ${shown(noText[0])}, whose value is no text`, consequence };
  const reserved = entries.find(([key]) => key.includes(RESERVED_TAG));
  if (reserved !== undefined)
    return {
      defect: `has the tag ${shown(reserved[0])}, whose key is reserved`,
      consequence: 'the CNI leaves that tag out',
    };
  const long = entries.find(
    ([key, value]) => key.length > MAX_TAG_KEY || (typeof value === 'string' && value.length > MAX_TAG_VALUE),
  );
  if (long === undefined) return undefined;
  return {
    defect: `has the tag ${shown(long[0])}, which is too long for EC2`,
    consequence: `EC2 takes ${MAX_TAG_KEY} characters as key and ${MAX_TAG_VALUE} as value, and refuses more`,
  };
}

function cidrsFault(text: string): Fault | undefined {
  const wrong = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '' && !isIpv4Cidr(item));
  if (wrong.length === 0) return undefined;
  const [first = ''] = wrong;
  const rest = wrong.length === 1 ? '' : ` and ${wrong.length - 1} more like it`;
  return {
    defect: `has the item ${shown(first)}${rest}, which is no IPv4 CIDR`,
    consequence: 'the CNI logs an error and leaves it out',
  };
}

function isIpv4Cidr(text: string): boolean {
  const [address = '', mask = '', ...rest] = text.split('/', 3);
  const octets = address.split('.', 5);
  // Go takes no leading zeros in an address.
  return (
    rest.length === 0 &&
    octets.length === 4 &&
    octets.every((octet) => /^(?:0|[1-9]\d{0,2})$/.test(octet) && Number(octet) <= 255) &&
    /^\d{1,2}$/.test(mask) &&
    Number(mask) <= 32
  );
}

/** What Go's `strconv.Atoi` reads. */
function isGoInteger(text: string): boolean {
  return /^[+-]?\d+$/.test(text) && BigInt.asIntN(64, magnitude(text)) === magnitude(text);
}

function magnitude(text: string): bigint {
  const digits = text.replace(/^[+-]/, '');
  // No number of that many digits fits, so its value doesn't matter.
  return digits.length > 1000 ? 1n << 64n : BigInt(digits);
}

function isWithin(text: string, range: VpcCniVariable['range']): boolean {
  const [min = null, max = null] = range ?? [];
  const value = Number(text);
  return (min === null || value >= min) && (max === null || value <= max);
}

function rangeText([min, max]: NonNullable<VpcCniVariable['range']> = [null, null]): string {
  if (max === null) return min === null ? 'any range' : `its range, which begins at ${min}`;
  return min === null ? `its range, which ends at ${max}` : `${min} to ${max}`;
}

function withoutValue({ type, default: byDefault }: VpcCniVariable): string {
  if (byDefault === null) return 'the CNI counts it as not set';
  return `the CNI ${type === 'boolean' ? 'logs an error and ' : ''}uses its default, "${byDefault}"`;
}

function allowedOf(
  { type, enum: allowed, range, rangeIPv6, maxLength, forbidden, format }: VpcCniVariable,
  family: CniValueContext['ipFamily'],
): string {
  if (type === 'boolean') return '`"true"` or `"false"`';
  if (type === 'integer') {
    const [min = null, max = null] = (family === 'ipv6' ? rangeIPv6 : undefined) ?? range ?? [];
    if (min === null) return 'an integer';
    return max === null ? `an integer from ${min} on` : `an integer from ${min} to ${max}`;
  }
  if (allowed !== undefined) return `one of ${allowed.map((one) => `\`"${one}"\``).join(', ')}`;
  const parts = [
    maxLength === undefined ? (format ?? 'another text') : `at most ${maxLength} characters`,
    ...(forbidden === undefined ? [] : [`other than ${forbidden.join(', ')}`]),
  ];
  return parts.join(', ');
}

const MAX_SHOWN = 60;

function shown(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
