import { isIP } from 'node:net';
import { dataAt, isDataMap, Unknown, type Data, type DataMap } from '../../../value';
import { judgeCertificateAuthority } from '../node-config/certificate-authority';
import { dotted, type BottlerocketProblemKind, type SettingCorrection, type SettingProblem } from './problem';
import { KUBERNETES_SETTINGS, TAINT_EFFECTS, type SettingType } from './schema';

type Path = readonly string[];

/** Tells numbers that are written as floats (`1.0`) from integers. */
export type IsFloat = (path: Path) => boolean;

const KUBERNETES: Path = ['settings', 'kubernetes'];

/**
 * What is wrong with the values of settings, whatever text they come from. Unknown values count as right.
 * @param data the whole document: a map with `settings`
 */
export function settingProblems(data: Data, isFloat: IsFloat = () => false): SettingProblem[] {
  const checker = new Checker(isFloat);
  checker.check(data);
  return checker.problems;
}

class Checker {
  readonly problems: SettingProblem[] = [];

  constructor(private readonly isFloat: IsFloat) {}

  check(data: Data): void {
    const settings = dataAt(data, 'settings');
    if (settings === undefined || settings instanceof Unknown) return;
    if (!isDataMap(settings)) {
      this.wrongType(['settings'], settings, 'a table');
      return;
    }
    if (Object.hasOwn(settings, 'metadata')) {
      this.add(
        'metadata',
        'warning',
        ['settings', 'metadata'],
        "is no section of Bottlerocket's settings",
        'Remove it; set metadata options, such as the hop limit, in the launch template.',
      );
    }
    const sysctl = dataAt(settings, 'kernel', 'sysctl');
    if (isDataMap(sysctl)) this.strings(sysctl, ['settings', 'kernel', 'sysctl']);
    const { kubernetes } = settings;
    if (kubernetes === undefined || kubernetes instanceof Unknown) return;
    if (isDataMap(kubernetes)) this.kubernetes(kubernetes);
    else this.wrongType(KUBERNETES, kubernetes, 'a table');
  }

  private kubernetes(kubernetes: DataMap): void {
    for (const [name, value] of Object.entries(kubernetes)) {
      const path = [...KUBERNETES, name];
      const type = KUBERNETES_SETTINGS.get(name);
      if (type !== undefined) {
        if (!(value instanceof Unknown)) this.typed(name, type, value, path);
        // A path that is written twice is reported as that; a name with `${` in it isn't known yet.
      } else if (name !== 'settings' && !name.includes('${')) {
        const near = nearest(name);
        const message = `is no setting that Bottlerocket documents (up to 1.51)`;
        this.add(
          'unknown-setting',
          'warning',
          path,
          message,
          near === undefined ? 'Remove it, or check its name.' : `Write \`${near}\`.`,
          near === undefined ? undefined : { key: near },
        );
      }
    }
  }

  private typed(name: string, type: SettingType, value: Exclude<Data, Unknown>, path: Path): void {
    switch (type) {
      case 'string':
        if (typeof value !== 'string') this.wrongType(path, value, 'a string');
        else if (name === 'cluster-certificate') this.certificate(value, path);
        return;
      case 'boolean':
        if (typeof value !== 'boolean') this.wrongType(path, value, 'true or false, without quotes,');
        return;
      case 'integer':
        if (name === 'max-pods') this.maxPods(value, path);
        else if (!this.isInteger(value, path)) this.wrongType(path, value, 'an integer, without quotes,');
        return;
      case 'integer-or-string':
        if (typeof value !== 'string' && !this.isInteger(value, path)) this.wrongType(path, value, 'an integer');
        return;
      case 'string-list':
        if (!isList(value)) this.wrongType(path, value, 'a list of strings');
        else
          this.items(value, path, (item, at) => {
            if (typeof item !== 'string') this.wrongType(at, item, 'a string');
          });
        return;
      case 'addresses':
        if (isList(value))
          this.items(value, path, (item, at) => {
            this.address(item, at);
          });
        else this.address(value, path);
        return;
      case 'strings':
      case 'labels':
      case 'taints':
      case 'blocks':
        if (!isDataMap(value))
          this.wrongType(path, value, 'a table', type === 'labels' || type === 'taints' ? 'error' : 'warning');
        else if (type === 'strings') this.strings(value, path);
        else if (type === 'labels') this.labels(value, path);
        else if (type === 'taints') this.taints(value, path);
        else this.blocks(value, path);
    }
  }

  private items(list: readonly Data[], path: Path, check: (item: Exclude<Data, Unknown>, at: Path) => void): void {
    list.forEach((item, index) => {
      if (!(item instanceof Unknown)) check(item, [...path, String(index)]);
    });
  }

  private isInteger(value: Data, path: Path): boolean {
    return typeof value === 'number' && Number.isInteger(value) && !this.isFloat(path);
  }

  private maxPods(value: Data, path: Path): void {
    if (typeof value === 'string') {
      // The model of the settings has an unsigned integer here; what becomes of a string isn't documented.
      const fix = /^\d+$/.test(value) ? `Write \`max-pods = ${value}\`.` : 'Write an integer, without quotes.';
      this.add('max-pods', 'warning', path, `is the string "${value}"; an integer is needed`, fix, asInteger(value));
    } else if (!this.isInteger(value, path) || (typeof value === 'number' && value < 0)) {
      this.add(
        'max-pods',
        'error',
        path,
        `is ${this.described(value, path)}; an integer from 0 on is needed`,
        'Write an integer from 0 on, without quotes.',
      );
    }
  }

  private certificate(value: string, path: Path): void {
    // An empty one counts as missing.
    if (value.trim() === '') return;
    const fix = 'Take the certificate authority data of the cluster as the EKS API gives it.';
    const add = (level: SettingProblem['level'], message: string): void => {
      this.add('cluster-certificate', level, path, message, fix);
    };
    if (value.includes('-----BEGIN')) add('error', 'is PEM text; its base64 is needed');
    // Unlike Go's decoders, Bottlerocket's takes no line breaks.
    else if (!/^[A-Za-z0-9+/]*={0,2}$/.test(value) || value.length % 4 !== 0)
      add('error', `is no valid base64${/\s/.test(value) ? ': white space stands in it' : ''}`);
    else {
      const problem = judgeCertificateAuthority(value);
      if (problem !== undefined) add(problem.kind === 'certificate-authority' ? 'error' : 'warning', problem.message);
    }
  }

  private address(value: Data, path: Path): void {
    if (typeof value !== 'string') this.wrongType(path, value, 'an IP address in quotes, or a list of them,');
    else if (isIP(value) === 0)
      this.add(
        'cluster-dns-ip',
        'error',
        path,
        `is "${value}", which is no IP address`,
        'Write the address of the cluster\'s DNS service, such as "172.20.0.10".',
      );
  }

  private strings(table: DataMap, path: Path): void {
    for (const [key, value] of Object.entries(table)) {
      if (value instanceof Unknown || typeof value === 'string') continue;
      if (isDataMap(value)) this.nested(value, [...path, key], path, 'warning');
      else this.wrongType([...path, key], value, 'a string');
    }
  }

  private labels(labels: DataMap, path: Path): void {
    for (const [key, value] of Object.entries(labels)) {
      const at = [...path, key];
      if (isDataMap(value)) {
        this.nested(value, at, path, 'error');
        continue;
      }
      this.labelKey(key, at);
      if (value instanceof Unknown) continue;
      if (typeof value !== 'string') {
        const fix = isList(value) ? 'Write one string.' : `Write "${String(value)}", in quotes.`;
        this.add('label', 'error', at, `is ${describe(value)}; values of labels must be strings`, fix, asString(value));
      } else if (value !== '' && !isLabelName(value)) {
        this.add(
          'label',
          'error',
          at,
          `is "${value}", which is no value of a label`,
          'Use up to 63 letters, digits, ".", "_" and "-", beginning and ending with a letter or digit.',
        );
      }
    }
  }

  private taints(taints: DataMap, path: Path): void {
    for (const [key, value] of Object.entries(taints)) {
      const at = [...path, key];
      if (isDataMap(value)) {
        this.nested(value, at, path, 'error');
        continue;
      }
      this.labelKey(key, at);
      if (value instanceof Unknown) continue;
      if (!isList(value)) this.taint(value, at);
      // "empty taint value": bottlerocket-os/bottlerocket, sources/models/src/de.rs, deserialize_node_taints.
      else if (value.length === 0)
        this.add('taint', 'error', at, 'is an empty list', 'Write at least one "value:Effect", or remove the taint.');
      else
        this.items(value, at, (item, place) => {
          this.taint(item, place);
        });
    }
  }

  private taint(value: Data, path: Path): void {
    const add = (
      message: string,
      fix: string,
      kind: 'taint' | 'taint-effect' = 'taint',
      instead?: SettingCorrection,
    ): void => {
      this.add(kind, 'error', path, message, fix, instead);
    };
    if (typeof value !== 'string') {
      add(`is ${describe(value)}; a string "value:Effect" is needed`, 'Write "value:Effect", in quotes.');
      return;
    }
    const colon = value.indexOf(':');
    const effect = value.slice(colon + 1);
    if (colon < 0) {
      const known = TAINT_EFFECTS.find((one) => one === value);
      add(
        `is "${value}", without an effect`,
        known === undefined
          ? `Write "${value}:NoSchedule", or another effect.`
          : `Write ":${known}", or "value:${known}".`,
      );
    } else if (!TAINT_EFFECTS.some((known) => known === effect)) {
      const near = TAINT_EFFECTS.find((known) => known.toLowerCase() === effect.toLowerCase());
      const instead = near === undefined ? undefined : { value: `"${value.slice(0, colon)}:${near}"` };
      const fix = `Write "${value.slice(0, colon)}:${near ?? 'NoSchedule'}"${near === undefined ? ', or another effect' : ''}.`;
      add(
        `has the effect "${effect}"; Kubernetes knows ${TAINT_EFFECTS.join(', ')}`,
        fix,
        /^[A-Za-z0-9]{1,253}$/.test(effect) ? 'taint-effect' : 'taint',
        instead,
      );
    } else if (colon > 0 && !isLabelName(value.slice(0, colon))) {
      add(
        `has the value "${value.slice(0, colon)}", which is no value of a taint`,
        'Use up to 63 letters, digits, ".", "_" and "-", beginning and ending with a letter or digit.',
      );
    }
  }

  private labelKey(key: string, path: Path): void {
    if (key.includes('${')) return;
    const slash = key.indexOf('/');
    const prefix = key.slice(0, slash);
    if (isLabelName(key.slice(slash + 1)) && (slash < 0 || /^[A-Za-z0-9.-]{1,253}$/.test(prefix))) return;
    this.add(
      'label',
      'error',
      path,
      'is no valid key',
      'Write prefix/name, the prefix being a DNS name and the name up to 63 letters, digits, ".", "_" and "-".',
    );
  }

  private blocks(table: DataMap, path: Path): void {
    for (const [key, value] of Object.entries(table)) {
      if (!(value instanceof Unknown) && !isDataMap(value)) this.wrongType([...path, key], value, 'a table');
    }
  }

  /** Dots without quotes: `a.b = "x"` is a table `a` with a key `b`. */
  private nested(table: DataMap, path: Path, parent: Path, level: SettingProblem['level']): void {
    const meant: string[] = [path.at(-1) ?? ''];
    let inner: Data = table;
    while (isDataMap(inner)) {
      const [first]: [string, Data][] = Object.entries(inner);
      if (first === undefined) break;
      meant.push(first[0]);
      inner = first[1];
    }
    const key = meant.join('.');
    this.add(
      'nested-key',
      level,
      path,
      `is a table, because dots without quotes nest; \`${dotted(parent)}\` takes strings only`,
      `Quote the key: "${key}".`,
      { key: `"${key}"` },
    );
  }

  private wrongType(path: Path, value: Data, needed: string, level: SettingProblem['level'] = 'warning'): void {
    this.add(
      'wrong-type',
      level,
      path,
      `is ${this.described(value, path)}; ${needed} is needed`,
      `Write ${needed.replace(/,$/, '')}.`,
      needed === 'a string'
        ? asString(value)
        : needed.startsWith('true or false')
          ? asBoolean(value)
          : needed.startsWith('an integer')
            ? asInteger(value)
            : undefined,
    );
  }

  /** A float of no fraction is a number like any other in JavaScript. */
  private described(value: Data, path: Path): string {
    return typeof value === 'number' && Number.isInteger(value) && this.isFloat(path)
      ? `the float ${value}.0`
      : describe(value);
  }

  private add(
    kind: BottlerocketProblemKind,
    level: SettingProblem['level'],
    path: Path,
    message: string,
    fix: string,
    instead?: SettingCorrection,
  ): void {
    this.problems.push({ kind, level, path, message, fix, ...(instead === undefined ? {} : { instead }) });
  }
}

function asString(value: Data): SettingCorrection | undefined {
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isSafeInteger(value))
    ? { value: `"${value}"` }
    : undefined;
}

function asInteger(value: Data): SettingCorrection | undefined {
  return typeof value === 'string' && /^(?:0|[1-9]\d{0,14})$/.test(value) ? { value } : undefined;
}

function asBoolean(value: Data): SettingCorrection | undefined {
  return value === 'true' || value === 'false' ? { value } : undefined;
}

function isList(value: Data | undefined): value is readonly Data[] {
  return Array.isArray(value);
}

/** What Kubernetes takes as the name of a label and, unless empty, as its value. */
function isLabelName(text: string): boolean {
  return text.length <= 63 && /^[A-Za-z0-9._-]+$/.test(text) && /^[A-Za-z0-9]/.test(text) && /[A-Za-z0-9]$/.test(text);
}

/** The setting that is meant by a misspelt name: same letters, or with `-` for `_` and capitals. */
function nearest(name: string): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  return [...KUBERNETES_SETTINGS.keys()].find((known) => plain(known) === plain(name));
}

function describe(value: Data): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return `the string "${value.length > 60 ? `${value.slice(0, 60)}…` : value}"`;
  if (typeof value === 'number') return `the number ${value}`;
  return typeof value === 'boolean' ? `${value}, a boolean` : 'a table';
}
