import type { ShellWord } from '../shell';
import type { BootstrapCall } from './read';

/** `maybe`: it may come from the environment, by a word that isn't known, or have an empty value. */
export type Certainty = 'yes' | 'maybe' | 'no';

/** The options of a call, with "given" told from "has this value". */
export class CallOptions {
  constructor(private readonly call: BootstrapCall) {}

  /** Given, or possibly given, with a value that isn't known to be empty: the script treats an empty one as none. */
  has(name: string): boolean {
    return this.given(name) !== 'no';
  }

  given(name: string): Certainty {
    const value = this.call.options.get(name)?.value;
    if (value === undefined) return this.call.possibleOptions.has(name) ? 'maybe' : 'no';
    if (value.text === undefined) return value.prefix === '' && value.suffix === '' ? 'maybe' : 'yes';
    return value.text === '' ? 'no' : 'yes';
  }

  /** Written in the call, with a value that isn't known to be empty. */
  isWritten(name: string): boolean {
    const value = this.call.options.get(name)?.value;
    return value !== undefined && value.text !== '';
  }

  /** The value in lower case; undefined if it isn't given or known. */
  lower(name: string): string | undefined {
    return this.call.options.get(name)?.value?.text?.toLowerCase();
  }

  word(name: string): ShellWord | undefined {
    return this.call.options.get(name)?.value;
  }

  text(name: string): string | undefined {
    return this.call.options.get(name)?.value?.text;
  }

  /** Given, or possibly given, but its value isn't known. */
  isUnknown(name: string): boolean {
    const value = this.call.options.get(name)?.value;
    return value === undefined ? this.call.possibleOptions.has(name) : !value.isKnown;
  }

  offset(name: string): number {
    return this.call.options.get(name)?.value?.start ?? this.call.offset;
  }

  /** With both of these the script asks the EKS API for nothing. A template that writes them out means them to be there. */
  get skipsLookup(): Certainty {
    const names = ['--apiserver-endpoint', '--b64-cluster-ca'];
    if (names.every((name) => this.isWritten(name))) return 'yes';
    return names.every((name) => this.has(name)) ? 'maybe' : 'no';
  }
}
