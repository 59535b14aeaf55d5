import { resolve } from 'node:path';
import { checkPaths, type CheckResult } from '../check';
import { configurationFileFor, mergeConfigurations } from '../configuration/merge';
import type { Finding, Preset } from '../engine';
import { isWithin } from '../files/within';
import { Offers } from '../fixes/offers';
import { acceptFindings, fixFiles, type FixRequest } from '../fixes/run';
import type { RepairedFile } from '../fixes/repairs';
import { checkedWith } from '../front-ends/recognition';
import { addDays, today } from '../text/day';
import type { Documents } from './documents';

/** What an editor may set. */
export interface Settings {
  /** Paths from the root of the workspace that are judged together, such as infrastructure and manifests of one cluster. @default - each file, or folder of Terraform, by itself */
  readonly paths?: readonly string[];
  /** Goes before the preset of the configuration file. @default - that of the file, or `recommended` */
  readonly preset?: Preset;
  /** Whether a configuration file that is a program is run. @default false */
  readonly configCode?: boolean;
  /** Whether what can't be known before deployment is shown. @default false */
  readonly unverifiable?: boolean;
}

/** How long a decision holds that was made in an editor, where nobody was asked for the reason. */
const DAYS_TO_GIVE_A_REASON = 30;

/** A check of what belongs together, as the editor has it. */
export class Check {
  readonly result: CheckResult;
  readonly offers: Offers;

  private constructor(
    /** What was checked. */
    readonly paths: readonly string[],
    private readonly documents: Documents,
    private readonly settings: Settings,
  ) {
    this.result = this.run(documents.texts());
    this.offers = new Offers(this.result, { read: documents.read });
  }

  /**
   * Checks what a document is part of; undefined for one that is nothing to check.
   * @throws ConfigurationFileError or ConfigurationError if the configuration can't be used
   */
  static around(file: string, documents: Documents, settings: Settings): Check | undefined {
    const named = (settings.paths ?? []).map((path) => resolve(path));
    if (named.some((path) => isWithin(file, path))) return new Check(named, documents, settings);
    const content = documents.read(file);
    const path = 'text' in content ? checkedWith(file, content.text) : undefined;
    return path === undefined ? undefined : new Check([path], documents, settings);
  }

  private run(texts: ReadonlyMap<string, string>): CheckResult {
    const { configCode = false, preset } = this.settings;
    const { configuration = {} } = configurationFileFor(undefined, { runsCode: configCode }) ?? {};
    return checkPaths(this.paths, mergeConfigurations(configuration, preset === undefined ? {} : { preset }), {
      texts,
    });
  }

  /** Files as the safe repairs of all findings leave them. */
  async repaired(): Promise<readonly RepairedFile[]> {
    return (await fixFiles(this.result, this.request())).files;
  }

  /** Files as they are when a finding is accepted for the time that it takes to find a reason. */
  async accepted(finding: Finding): Promise<readonly RepairedFile[]> {
    const decision = {
      reason: 'accepted in the editor, the reason is to be written',
      until: addDays(today(), DAYS_TO_GIVE_A_REASON),
    };
    return (await acceptFindings(this.result, decision, { ...this.request(), isWanted: (one) => one === finding }))
      .files;
  }

  private request(): FixRequest {
    return {
      check: (texts) => Promise.resolve(this.run(new Map([...this.documents.texts(), ...texts]))),
      read: this.documents.read,
      write: () => Promise.resolve(),
      whyNotWritten: () => undefined,
      isDryRun: true,
    };
  }
}
