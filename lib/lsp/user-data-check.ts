import { relative } from 'node:path';
import type { Finding } from '../engine';
import { isUserData } from '../front-ends/not-read';
import { directiveText } from '../languages/comments/directive';
import { Secrets } from '../text/secrets';
import { withComment } from '../user-data/decisions';
import { findingsOf } from '../user-data/findings';
import { loneUserData } from '../user-data/input';
import type { ChangedFile, Check } from './check';
import { decisionOfToday } from './decision';

/** Nobody says in an editor what launches with it. */
const QUESTION = { id: undefined, family: undefined, bootstrapBy: 'unknown', kubernetesVersion: undefined } as const;

/** What joins a node to a cluster. Scripts without it are of all kinds. */
const BOOTSTRAP = /\/etc\/eks\/|\bnodeadm\b|node\.eks\.aws|EKSBootstrap/i;

/** Whether a text may be user data of a node, or the template of one. */
export function mayBeUserData(file: string, text: string): boolean {
  return isUserData(text) ? /^\s*MIME-Version/i.test(text) || BOOTSTRAP.test(text) : /\.(?:tftpl|tpl)$/.test(file);
}

/** A file of user data by itself, as the command `user-data` judges it. */
export class UserDataCheck implements Check {
  readonly offers = { withEdits: () => undefined };

  private constructor(
    readonly paths: readonly [string],
    readonly result: Check['result'],
    private readonly text: string,
    /** How many characters stand before the first part. */
    private readonly begin: number,
  ) {}

  static of(file: string, text: string): UserDataCheck | undefined {
    if (!isUserData(text)) return undefined;
    const { inputs, diagnostics } = loneUserData(Buffer.from(text), relative(process.cwd(), file), QUESTION);
    const findings = inputs.flatMap(findingsOf);
    const begin = inputs[0]?.document.parts[0]?.bodyOffset ?? 0;
    return new UserDataCheck([file], { findings, diagnostics, secrets: new Secrets() }, text, begin);
  }

  repaired(): Promise<readonly ChangedFile[]> {
    return Promise.resolve([]);
  }

  accepted({ rule }: Finding): Promise<readonly ChangedFile[]> {
    const { text, begin } = this;
    const [path] = this.paths;
    const { reason, until } = decisionOfToday();
    const after = withComment(text, begin, `# ${directiveText([rule], reason, until)}`);
    const isAccepted = UserDataCheck.of(path, after)?.result.findings.every(
      (one) => one.rule !== rule || one.verdict !== 'fail' || one.suppressed !== undefined,
    );
    return Promise.resolve(isAccepted === true ? [{ path, before: text, after }] : []);
  }
}
