import { vpcCniVariable, vpcCni } from '../../knowledge';
import { dataAt, entriesOf, isDataMap, nowhere, Unknown, type Data } from '../../value';

/** One setting of the VPC CNI as its programs see it. */
export type CniSetting =
  /** Written in the configuration values. */
  | { readonly kind: 'configured'; readonly text: string }
  /** Not written: what EKS puts on the DaemonSet, else what the program does by itself; undefined: off, or nothing. */
  | { readonly kind: 'default'; readonly text: string | undefined }
  | { readonly kind: 'unknown'; readonly unknown: Unknown };

/** A switch, read as the CNI reads it. */
export type CniSwitch =
  | { readonly kind: 'on' | 'off'; readonly isConfigured: boolean }
  | { readonly kind: 'unknown'; readonly unknown: Unknown };

/** A number, read as the CNI reads it: a text that is none counts as not set. */
export type CniNumber =
  | { readonly kind: 'number'; readonly value: number; readonly isConfigured: boolean }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly unknown: Unknown };

/**
 * The effective settings of a VPC CNI: what its configuration values say, and the defaults of its version for everything else. Paths
 * are those of the add-on's schema: `env.ENABLE_POD_ENI`, `init.env.DISABLE_TCP_EARLY_DEMUX`, `enableNetworkPolicy`.
 *
 * Settings made by hand (`kubectl set env`) aren't in the configuration values and so aren't seen.
 */
export class CniSettings {
  /**
   * @param data the parsed configuration values; undefined when there are none
   * @param version the add-on's version (`v1.19.0-eksbuild.1`), for defaults that changed; undefined when it isn't known
   * @param runs `by itself` where nothing puts defaults on the DaemonSet, so that the program's own count
   */
  constructor(
    readonly data: Data | undefined,
    readonly version: string | undefined,
    private readonly runs: 'rendered' | 'by itself' = 'rendered',
  ) {}

  /** Many rules ask for the same few settings. */
  setting(path: string): CniSetting {
    let setting = this.settings.get(path);
    if (setting === undefined) this.settings.set(path, (setting = this.read(path)));
    return setting;
  }

  private readonly settings = new Map<string, CniSetting>();

  private read(path: string): CniSetting {
    const keys = path.split('.');
    const written = dataAt(this.data, ...keys);
    if (written instanceof Unknown) return { kind: 'unknown', unknown: written };
    if (written === undefined || written === null) {
      const hidden = this.hiddenAt(keys);
      return hidden === undefined
        ? { kind: 'default', text: this.defaultOf(path) }
        : { kind: 'unknown', unknown: hidden };
    }
    // A map or a list is no value of a variable; the schema check says so.
    return { kind: 'configured', text: typeof written === 'object' ? JSON.stringify(written) : String(written) };
  }

  /** Whether a switch is on. For a text that is no boolean the CNI logs an error and uses the default. */
  switch(path: string): CniSwitch {
    const setting = this.setting(path);
    if (setting.kind === 'unknown') return setting;
    const written = setting.kind === 'configured' ? parseSwitch(setting.text) : undefined;
    if (written !== undefined) return { kind: written ? 'on' : 'off', isConfigured: true };
    return { kind: parseSwitch(this.defaultOf(path) ?? '') === true ? 'on' : 'off', isConfigured: false };
  }

  number(path: string): CniNumber {
    const setting = this.setting(path);
    if (setting.kind === 'unknown') return setting;
    const { text } = setting;
    return text !== undefined && /^[+-]?\d+$/.test(text)
      ? { kind: 'number', value: Number(text), isConfigured: setting.kind === 'configured' }
      : { kind: 'none' };
  }

  /** A key that isn't known (`${Name}`) on the way to a setting may be just that one. */
  private hiddenAt(keys: readonly string[]): Unknown | undefined {
    for (let depth = 0; depth < keys.length; depth++) {
      const map = dataAt(this.data, ...keys.slice(0, depth));
      if (!isDataMap(map)) return undefined;
      const hidden = entriesOf(map).find(([key]) => key.includes('${'));
      // What stands for all settings that nobody has seen tells why by itself.
      if (hidden?.[1] instanceof Unknown && hidden[1].text === hidden[0]) return hidden[1];
      if (hidden !== undefined)
        return new Unknown(
          `the key ${hidden[0]} is decided at deployment`,
          hidden[1] instanceof Unknown ? hidden[1].source : nowhere,
        );
    }
    return undefined;
  }

  private defaultOf(path: string): string | undefined {
    const key = vpcCni.key(path);
    const variable = /^(?:init\.)?env\./.test(path) ? vpcCniVariable(path.slice(path.lastIndexOf('.') + 1)) : undefined;
    if (this.runs === 'by itself') return variable?.default ?? undefined;
    const value =
      (key === undefined ? undefined : vpcCni.defaultOf(key, this.version)) ??
      variable?.managedDefault ??
      variable?.default ??
      undefined;
    if (value === undefined) return undefined;
    return typeof value === 'string' ? value : JSON.stringify(value);
  }
}

const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/** A boolean as Go's `strconv.ParseBool` reads it; undefined for any other text. */
export function parseSwitch(text: string): boolean | undefined {
  return SWITCHES.get(text);
}
