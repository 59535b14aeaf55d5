import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkPaths, type CheckResult } from '../check';
import { configurationFileFor } from '../configuration/merge';
import { mergeConfigurations } from '../configuration/joined';
import type { Finding, Preset } from '../engine';
import { isWithin } from '../files/within';
import { Offers } from '../fixes/offers';
import { acceptFindings, fixFiles, type FixRequest } from '../fixes/run';
import type { RepairedFile } from '../fixes/repairs';
import { checkedWith } from '../front-ends/recognition';
import { LastReading, rereading } from '../languages/reread';
import { configurationFolderOf } from '../front-ends/terraform/near-configuration';
import { decisionOfToday } from './decision';
import { realPathOf, type Documents } from './documents';
import { mayBeUserData, UserDataCheck } from './user-data-check';

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

/** A file as a repair or a decision leaves it. */
export type ChangedFile = Pick<RepairedFile, 'path' | 'before' | 'after'>;

/** A check of what belongs together, as the editor has it. */
export interface Check {
  /** What was checked. */
  readonly paths: readonly string[];
  readonly result: Pick<CheckResult, 'findings' | 'diagnostics' | 'secrets'>;
  readonly offers: Pick<Offers, 'withEdits'>;
  /** Files as the safe repairs of all findings leave them. */
  repaired(): Promise<readonly ChangedFile[]>;
  /** Files as they are when a finding is accepted for the time that it takes to find a reason. */
  accepted(finding: Finding): Promise<readonly ChangedFile[]>;
}

/**
 * Checks what a document is part of; undefined for one that is nothing to check.
 * @param last of the same document, of which is taken over what stays
 * @throws ConfigurationFileError or ConfigurationError if the configuration can't be used
 */
export function checkAround(
  file: string,
  documents: Documents,
  settings: Settings,
  last = new LastReading(),
): Check | undefined {
  return rereading(last, () => checkFresh(file, documents, settings));
}

function checkFresh(file: string, documents: Documents, settings: Settings): Check | undefined {
  const content = documents.read(file);
  if (!('text' in content)) return undefined;
  const { text } = content;
  const named = (settings.paths ?? []).map((path) => resolve(path));
  const isNamed = named.some((path) => isWithin(file, path));
  const around = checkedWith(file, text);
  // One that isn't saved may have no folder.
  const own = around === undefined || existsSync(around) ? around : file;
  if (own !== undefined) return new PathsCheck(isNamed ? named : [own], documents, settings);
  const others = isNamed ? named : configurationAround(file, text);
  const check = others === undefined ? undefined : new PathsCheck(others, documents, settings);
  if (check?.files.has(file) === true) return check;
  // User data that nothing reads is judged by itself.
  const alone = mayBeUserData(file, text) ? UserDataCheck.of(file, text) : undefined;
  return alone ?? (isNamed ? check : undefined);
}

/** A file of user data says more beside the Terraform configuration that reads it, which is in its folder or above. */
function configurationAround(file: string, text: string): readonly string[] | undefined {
  const folder = mayBeUserData(file, text) ? configurationFolderOf(file, process.cwd()) : undefined;
  return folder === undefined ? undefined : [folder];
}

/** A check of files and folders, as `check` does it. */
class PathsCheck implements Check {
  readonly result: CheckResult;
  readonly offers: Offers;
  /** The real paths of what was read. */
  readonly files = new Set<string>();

  constructor(
    readonly paths: readonly string[],
    private readonly documents: Documents,
    private readonly settings: Settings,
  ) {
    this.result = this.run(documents.texts());
    this.offers = new Offers(this.result, { read: documents.read });
  }

  private run(texts: ReadonlyMap<string, string>): CheckResult {
    const { configCode = false, preset } = this.settings;
    const { configuration = {} } = configurationFileFor(undefined, { runsCode: configCode }) ?? {};
    return checkPaths(this.paths, mergeConfigurations(configuration, preset === undefined ? {} : { preset }), {
      texts,
      onFile: (file) => this.files.add(realPathOf(file)),
    });
  }

  async repaired(): Promise<readonly ChangedFile[]> {
    return (await fixFiles(this.result, this.request())).files;
  }

  async accepted(finding: Finding): Promise<readonly ChangedFile[]> {
    return (
      await acceptFindings(this.result, decisionOfToday(), {
        ...this.request(),
        isWanted: (one) => one === finding,
      })
    ).files;
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
