import { dirname } from 'node:path';
import type { EksResource } from '../../eks';
import { parseDocument } from '../../languages';
import { otherContent } from '../../languages/other-content';
import type { Diagnostic } from '../../value';
import { ManifestReader } from '../kubernetes/reading';
import type { FrontEndResult, InputReader, ReadingRun, Refusal } from '../front-end';
import { someNames } from '../parts/some-names';
import { AnswerNode } from './answer-node';
import { answerIn, failureIn, isAnswer, OBJECTS } from './answers';
import { LIVE } from './dialects';
import { Dump, type Answer } from './dump';
import { missingAnswers } from './gaps';
import { objectsIn, secretsIn } from './objects';
import { resourcesOf } from './resources';
import { namelessPolicies } from './resources/policies';

/** An answer, and the file that it came in. */
interface AnswerFile {
  readonly answer: Answer;
  readonly text: string;
  readonly isNamed: boolean;
  readonly problems: readonly Diagnostic[];
}

/** Reads answers of AWS and Kubernetes; those of one folder are about one cluster. */
export class LiveReader implements InputReader {
  private readonly folders = new Map<string, AnswerFile[]>();
  private readonly counts = new Map<string, number>();

  constructor(private readonly run: ReadingRun) {}

  add(path: string, text: string, isNamed: boolean): Refusal | undefined {
    const { run } = this;
    const failure = failureIn(text);
    if (failure !== undefined) {
      run.tell(problem(path, `the call failed whose answer this file was to hold: ${failure}`));
      return undefined;
    }
    const key = answerIn(text);
    const document = parseDocument(text, path, false);
    const { root, diagnostics: problems } = document;
    if (key === undefined || root === undefined) {
      run.tell(...problems);
      return undefined;
    }
    if (!isAnswer(root, key))
      return () => {
        run.tell(problem(path, 'this is no answer of AWS or Kubernetes: what it looks like stands within it'));
      };
    if (key !== OBJECTS) run.tell(...otherContent(document, path, 'an answer of AWS'));
    const folder = dirname(path);
    const known = this.folders.get(folder);
    const file = { answer: { key, file: path, root: AnswerNode.root(document, path) }, text, isNamed, problems };
    if (known !== undefined) {
      known.push(file);
      return undefined;
    }
    this.folders.set(folder, [file]);
    run.list(() => {
      const resources = this.counts.get(folder);
      if (resources === undefined) return undefined;
      return { path: this.folders.get(folder)?.length === 1 ? path : folder, kind: 'live-cluster', resources };
    });
    return undefined;
  }

  read(before: readonly EksResource[]): FrontEndResult {
    const resources: EksResource[] = [];
    const diagnostics: Diagnostic[] = [];
    const secrets: string[] = [];
    // Where AWS has answered nothing, what kubectl lists is of the cluster of the run, as manifests are.
    const lists = new ManifestReader(this.run);
    for (const [folder, files] of this.folders) {
      const dump = new Dump(
        files.map(({ answer }) => answer),
        LIVE,
      );
      if (!dump.isOfAws) {
        for (const { answer, text, isNamed } of files) lists.add(answer.file, text, isNamed);
        continue;
      }
      const own = resourcesOf(dump);
      resources.push(...own);
      diagnostics.push(...files.flatMap(({ problems }) => problems), ...problemsOf(dump));
      const named = namesIn(dump);
      secrets.push(...secretsIn(objectsIn(dump), (text) => named.has(text)));
      this.counts.set(folder, own.filter(({ isImplied, partOf }) => isImplied !== true && partOf === undefined).length);
    }
    const listed = lists.read([...before, ...resources]);
    return {
      ...listed,
      resources: [...resources, ...listed.resources],
      diagnostics: [...diagnostics, ...listed.diagnostics],
      secrets: [...secrets, ...(listed.secrets ?? [])],
    };
  }
}

export function liveReader(run: ReadingRun): LiveReader {
  return new LiveReader(run);
}

/** What doesn't belong together, what failed, and what isn't there. */
function problemsOf(dump: Dump): readonly Diagnostic[] {
  const { clusterNames: names, folder } = dump;
  const problems: Diagnostic[] = [];
  const [place] = dump.answersOf('cluster').concat(dump.answers);
  const file = place?.file ?? folder;
  const clusters = new Set(dump.all('cluster').map((node) => node.child('arn').label));
  if (names.length > 1 || clusters.size > 1)
    problems.push(
      problem(
        file,
        `these answers are about several clusters (${(names.length > 1 ? names : [...clusters]).join(', ')}); give each a folder of its own`,
      ),
    );
  const accounts = accountsIn(dump);
  if (accounts.size > 1)
    problems.push(
      problem(
        file,
        `these answers are of several accounts (${[...accounts].map(([account, example]) => `${account} in ${example}`).join(', ')}), so that they can't be of one cluster`,
      ),
    );
  for (const name of namelessPolicies(dump))
    problems.push(
      warning(
        name,
        "this answer doesn't say which role or policy it is of, and neither does the name of the file: role-NAME.attached-policies.json, role-NAME.inline-policies.json or policy-NAME.json",
        1,
      ),
    );
  problems.push(...failedCalls(dump), ...lostAnswers(dump));
  const missing = missingAnswers(dump);
  if (missing.length > 0)
    problems.push(
      warning(
        file,
        `not known, because it isn't in ${folder}: ${someNames(missing)}; eks-guardrails collect asks for all of it`,
        missing.length,
      ),
    );
  return problems;
}

function failedCalls(dump: Dump): readonly Diagnostic[] {
  return dump.answersOf('eksGuardrailsDump').flatMap(({ root }) =>
    root.child('calls').items.flatMap((call) => {
      const failed = call.child('failed');
      if (!failed.isWritten) return [];
      const { file, line, column } = failed.locate();
      return [
        {
          ...warning(file, `${call.child('call').label} failed: ${failed.label.replaceAll(/\s+/g, ' ').trim()}`, 1),
          line,
          column,
        },
      ];
    }),
  );
}

/** Answers that `collect` has written, and that are gone or spoilt since. */
function lostAnswers(dump: Dump): readonly Diagnostic[] {
  const lost = dump.callsAnswered.filter(({ isHere }) => !isHere).map(({ call }) => call);
  const [first] = lost;
  if (first === undefined) return [];
  const { file, line, column } = first.locate();
  const names = someNames(lost.map((call) => call.child('file').label));
  return [{ ...warning(file, `${names}: not in ${dump.folder}, or not as it was printed`, lost.length), line, column }];
}

/** Accounts, each with an ARN of it. Roles and what EKS has are of the cluster's account; policies may be of AWS. */
function accountsIn(dump: Dump): ReadonlyMap<string, string> {
  const arns = [
    ...dump.all('cluster').map((node) => node.child('arn')),
    ...dump.all('nodegroup').flatMap((node) => [node.child('nodegroupArn'), node.child('nodeRole')]),
    ...dump.all('addon').map((node) => node.child('addonArn')),
    ...dump.all('association').map((node) => node.child('associationArn')),
    ...dump.all('Role').map((node) => node.child('Arn')),
  ];
  const found = new Map<string, string>();
  for (const { label } of arns) {
    const account = /^arn:[\w-]+:\w+:[\w-]*:(\d{12}):/.exec(label)?.[1];
    if (account !== undefined && !found.has(account)) found.set(account, label);
  }
  return found;
}

/** All texts of the answers of AWS, which nobody takes for secrets. */
function namesIn(dump: Dump): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') names.add(value);
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) collect(one);
  };
  for (const { key, root } of dump.answers) if (key !== OBJECTS) collect(root.raw);
  const { region } = dump.environment;
  if (region !== undefined) names.add(region);
  return names;
}

function problem(file: string, message: string): Diagnostic {
  return { severity: 'error', message, file, line: 1, column: 1 };
}

function warning(file: string, message: string, count: number): Diagnostic {
  return { ...problem(file, message), severity: 'warning', skipped: { what: 'answer', count } };
}
