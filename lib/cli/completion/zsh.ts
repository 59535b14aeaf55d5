import { LEVELS, PROGRAM_OPTIONS, type Candidates, type CommandWords } from './candidates';

/** Completion for zsh, both as a file of `fpath` and when it is sourced. */
export function zshScript(commands: readonly CommandWords[], program: string): readonly string[] {
  return [
    `#compdef ${program}`,
    `# Completion for ${program}. Load it with: source <(${program} completion zsh), after compinit`,
    '',
    '_eks_guardrails_revisions() {',
    '  local -a revisions',
    '  revisions=(HEAD ${(f)"$(git for-each-ref --format=\'%(refname:short)\' refs/heads refs/remotes refs/tags 2>/dev/null)"})',
    '  compadd -a revisions',
    '}',
    '',
    '_eks_guardrails_levels() {',
    `  if compset -P '*='; then compadd -- ${LEVELS.join(' ')}; else compadd -S '=' -- "$@"; fi`,
    '}',
    '',
    '_eks-guardrails() {',
    '  local context curcontext="$curcontext" state line ret=1',
    '  typeset -A opt_args',
    "  _arguments -S -C ':command:->command' '*:: :->arguments' && ret=0",
    '  case $state in',
    '    command)',
    '      local -a commands',
    `      commands=(${commands.map(({ name, description }) => quoted(`${name}:${description}`)).join(' ')})`,
    '      _describe -t commands command commands && ret=0',
    `      compadd -- ${PROGRAM_OPTIONS.join(' ')} && ret=0 ;;`,
    '    arguments)',
    '      curcontext="${curcontext%:*:*}:eks-guardrails-$line[1]:"',
    '      case $line[1] in',
    ...commands.map(({ name, options, arguments: args }) =>
      [
        `        ${name}) _arguments -S \\`,
        ...options.flatMap(({ flags, description, value }) =>
          // Most options can be given again, and what is too often is told.
          flags.map(
            (flag) =>
              `          ${quoted(`*${flag}${value === undefined ? '' : flag.startsWith('--') ? '=' : '+'}[${escaped(description)}]${value === undefined ? '' : `:${flag.replace(/^-+/, '')}:${action(value)}`}`)} \\`,
          ),
        ),
        ...args.map(
          ({ name: argument, candidates, isVariadic }) =>
            `          ${quoted(`${isVariadic ? '*' : ''}:${argument}:${action(candidates)}`)} \\`,
        ),
        '          && ret=0 ;;',
      ].join('\n'),
    ),
    '      esac ;;',
    '  esac',
    '  return ret',
    '}',
    '',
    'if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _eks-guardrails "$@"',
    `elif (( $+functions[compdef] )); then compdef _eks-guardrails ${program}; fi`,
  ];
}

/** What `_arguments` does for a value; a blank is nothing but the message. */
function action(candidates: Candidates): string {
  switch (candidates.kind) {
    case 'words':
      return `(${candidates.words.join(' ')})`;
    case 'files':
      return '_files';
    case 'revisions':
      return '_eks_guardrails_revisions';
    case 'levels':
      return `{_eks_guardrails_levels ${candidates.words.join(' ')}}`;
    case 'text':
      return ' ';
  }
}

/** A description within a specification of `_arguments`. */
function escaped(text: string): string {
  return text.replaceAll(/[\\[\]:]/g, '\\$&');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
