import type { ScriptProblemLevel } from '../bootstrap-script';
import type { TextCorrection } from '../correction';
import type { SourceText } from '../source-text';
import { RUNNING, type WindowsBlock, type WindowsUserData } from './blocks';
import type { EksBootstrapCall } from './read';

export type WindowsProblemKind =
  | 'no-block'
  | 'block-not-closed'
  | 'closing-without-block'
  | 'tag-case'
  | 'several-blocks'
  | 'text-outside'
  | 'cluster-name-missing'
  | 'endpoint-and-certificate-authority'
  | 'parameter-without-value'
  | 'unknown-parameter'
  | 'unknown-arguments';

/** Something wrong with Windows user data or with its call of `Start-EKSBootstrap.ps1`. */
export interface WindowsProblem {
  readonly kind: WindowsProblemKind;
  readonly level: ScriptProblemLevel;
  /** Offset in the user data of what causes it. */
  readonly offset: number;
  /** A sentence without the full stop: what is wrong and what it does. */
  readonly message: string;
  /** What to write instead, as an imperative sentence. */
  readonly fix: string;
  /** The same as changes of the user data, in their order. @default - somebody has to decide */
  readonly corrections?: readonly TextCorrection[];
}

function problem(
  kind: WindowsProblemKind,
  level: ScriptProblemLevel,
  offset: number,
  message: string,
  fix: string,
  ...corrections: readonly TextCorrection[]
): WindowsProblem {
  return { kind, level, offset, message, fix, ...(corrections.length === 0 ? {} : { corrections }) };
}

function behind({ text }: SourceText, added: string): TextCorrection {
  const end = text.trimEnd().length;
  return { start: end, end, text: `\n${added}` };
}

/** What is wrong with the elements of user data, whatever they hold. Empty user data is right: nothing needs to run. */
export function windowsProblems(data: WindowsUserData): readonly WindowsProblem[] {
  const problems =
    data.format === 'none'
      ? [noBlock(data)]
      : [
          ...data.blocks.flatMap((block) => blockProblems(data, block)),
          ...stray(data),
          ...several(data),
          ...outside(data),
        ];
  return problems.sort((one, other) => one.offset - other.offset);
}

const WRAP = 'Put the script between <powershell> and </powershell>.';

function noBlock({ text, outside: [first] }: WindowsUserData): WindowsProblem {
  const offset = first?.start ?? 0;
  if (mayHoldTags(text, 0))
    return problem(
      'no-block',
      'unverifiable',
      offset,
      "It can't be seen whether the user data has a <powershell> or <script> block",
      WRAP,
    );
  return problem(
    'no-block',
    'error',
    offset,
    'EC2Launch runs only what stands in a <powershell> or <script> block, so nothing of this runs',
    WRAP,
    // Something else would run as PowerShell then.
    ...(/start-eksbootstrap/i.test(text.text)
      ? [{ start: 0, end: 0, text: '<powershell>\n' }, behind(text, '</powershell>')]
      : []),
  );
}

/** Whether a template may fill in elements from an offset on: a line that is unknown as a whole, unlike the name of a cluster in a command. */
function mayHoldTags(text: SourceText, start: number): boolean {
  return text.unknownParts.some((part) => {
    if (part.start < start) return false;
    const before =
      /(?<![^\n])[^\n]*$/.exec(text.text.slice(Math.max(0, part.start - LONGEST_MARGIN), part.start))?.[0] ?? '';
    const behind = /^[^\n]*/.exec(text.text.slice(part.end, part.end + LONGEST_MARGIN))?.[0] ?? '';
    return ONLY_UNKNOWN.test(before) && ONLY_UNKNOWN.test(behind);
  });
}

const LONGEST_MARGIN = 200;
/** Blanks, and what stands for other unknown parts. */
const ONLY_UNKNOWN = /^(?:\d{8}|\s)*$/;

function blockProblems({ text }: WindowsUserData, block: WindowsBlock): WindowsProblem[] {
  const { tag, start, bodyStart, isClosed, hasExactCase } = block;
  const close = `Add </${tag}> behind the block.`;
  if (!isClosed && !RUNNING.has(tag))
    return [problem('block-not-closed', 'warning', start, `<${tag}> isn't closed, so EC2Launch passes over it`, close)];
  if (!isClosed && mayHoldTags(text, bodyStart))
    return [problem('block-not-closed', 'unverifiable', start, `It can't be seen whether <${tag}> is closed`, close)];
  if (!isClosed)
    return [
      problem(
        'block-not-closed',
        'error',
        start,
        `<${tag}> isn't closed, and EC2Launch runs nothing of it`,
        close,
        ...(isMistyped(text.text.slice(bodyStart)) ? [] : [behind(text, `</${tag}>`)]),
      ),
    ];
  if (hasExactCase) return [];
  // EC2Launch v1 ignores the case (its Invoke-Userdata.ps1); of v2 it isn't known.
  return [
    problem(
      'tag-case',
      'info',
      start,
      `The tag is documented as <${tag}> only, and whether EC2Launch v2 takes it in another case isn't known`,
      `Write <${tag}> and </${tag}>.`,
      { start, end: bodyStart, text: `<${tag}>` },
      { start: block.bodyEnd, end: block.end, text: `</${tag}>` },
    ),
  ];
}

/** Whether something like a tag stands behind one that isn't closed: it may be the end, misspelt. */
function isMistyped(text: string): boolean {
  return text.split('\n').some((line) => /^<[^<>$]*>?$/.test(line.trim()));
}

function stray(data: WindowsUserData): WindowsProblem[] {
  return data.strayClosings.map((offset) =>
    problem(
      'closing-without-block',
      'warning',
      offset,
      'The closing tag closes nothing',
      'Remove it, or write the opening tag where the block begins.',
    ),
  );
}

/** EC2Launch (v1, Windows Server 2019) takes an element only if there is one of it; what v2 does isn't documented. */
function several(data: WindowsUserData): WindowsProblem[] {
  return (['powershell', 'script'] as const).flatMap((tag) => {
    const [, second] = data.blocks.filter((block) => block.tag === tag && block.isClosed);
    if (second === undefined) return [];
    return [
      problem(
        'several-blocks',
        'warning',
        second.start,
        `There is more than one <${tag}> block; EC2Launch of Windows Server 2019 then runs none of them`,
        `Put everything into one <${tag}> block.`,
      ),
    ];
  });
}

function outside(data: WindowsUserData): WindowsProblem[] {
  return data.outside
    .filter(({ start, end }) => data.format === 'blocks' && data.text.unknownIn(start, end) === undefined)
    .map(({ start, end }) => {
      const bootstraps = /start-eksbootstrap/i.test(data.text.text.slice(start, end));
      return problem(
        'text-outside',
        bootstraps ? 'warning' : 'info',
        start,
        "EC2Launch doesn't run text outside of the blocks",
        'Move it into the <powershell> block, or remove it.',
      );
    });
}

/** What is wrong with a call of `Start-EKSBootstrap.ps1`, as PowerShell and the script see it. */
export function eksBootstrapProblems(call: EksBootstrapCall): readonly WindowsProblem[] {
  return [...parameterProblems(call), ...name(call), ...endpoint(call), ...unknown(call)].sort(
    (one, other) => one.offset - other.offset,
  );
}

function parameterProblems(call: EksBootstrapCall): WindowsProblem[] {
  const empty = [...call.parameters].filter(([, { value }]) => value === undefined);
  return [
    ...empty.map(([parameter, { offset }]) =>
      problem(
        'parameter-without-value',
        'error',
        offset,
        `-${parameter} has no value, and PowerShell doesn't start the script`,
        `Give -${parameter} a value, or remove it.`,
      ),
    ),
    ...call.unknownParameters.map(({ name: parameter, offset }) =>
      problem(
        'unknown-parameter',
        'warning',
        offset,
        `Start-EKSBootstrap.ps1 documents no parameter ${parameter}; PowerShell doesn't start a script with one that it doesn't have`,
        'Correct its name, or remove it.',
      ),
    ),
  ];
}

/** Given with a value that isn't known to be empty. */
function isGiven(call: EksBootstrapCall, parameter: string): boolean {
  const given = call.parameters.get(parameter);
  return given !== undefined && given.value?.text !== '';
}

function name(call: EksBootstrapCall): WindowsProblem[] {
  if (isGiven(call, 'EKSClusterName')) return [];
  const offset = call.parameters.get('EKSClusterName')?.offset ?? call.offset;
  return [
    problem(
      'cluster-name-missing',
      call.hasUnknownWords ? 'unverifiable' : 'error',
      offset,
      'Start-EKSBootstrap.ps1 gets no cluster name, so the node never joins',
      'Add -EKSClusterName with the name of the cluster.',
    ),
  ];
}

function endpoint(call: EksBootstrapCall): WindowsProblem[] {
  const names = ['APIServerEndpoint', 'Base64ClusterCA'];
  const given = names.find((one) => isGiven(call, one));
  const missing = names.find((one) => !isGiven(call, one));
  if (given === undefined || missing === undefined) return [];
  const offset = call.parameters.get(given)?.offset ?? call.offset;
  // AWS documents the pair as belonging together; versions of the script that could be read ask the EKS API for both if one is missing.
  const level = call.hasUnknownWords ? 'unverifiable' : 'warning';
  return [
    problem(
      'endpoint-and-certificate-authority',
      level,
      offset,
      `-${given} is only valid together with -${missing}: with one alone Start-EKSBootstrap.ps1 asks the EKS API for both`,
      `Add -${missing}, or remove -${given}.`,
    ),
  ];
}

function unknown(call: EksBootstrapCall): WindowsProblem[] {
  if (!call.hasUnknownWords) return [];
  return [
    problem(
      'unknown-arguments',
      'unverifiable',
      call.offset,
      "Some of the parameters of Start-EKSBootstrap.ps1 can't be seen here",
      'Write the parameters out.',
    ),
  ];
}
