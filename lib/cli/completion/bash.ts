import { LEVELS, PROGRAM_OPTIONS, type Candidates, type CommandWords } from './candidates';

/**
 * Completion for bash from 3.2 on. Names of files are left to readline (`-o default`), which knows how to quote them; where none are meant,
 * bash 4 is told so.
 */
export function bashScript(commands: readonly CommandWords[], program: string): readonly string[] {
  return [
    `# Completion for ${program}. Load it with: source <(${program} completion bash)`,
    '',
    '# What can follow an option ("check --format") or stand in a place ("explain 0").',
    '_eks_guardrails_at() {',
    '  kind=words list=',
    '  case $1 in',
    ...places(commands).map(([patterns, candidates]) => `    ${patterns.join('|')}) ${assignment(candidates)} ;;`),
    '    *) kind=text; return 1 ;;',
    '  esac',
    '}',
    '',
    '_eks_guardrails() {',
    "  local IFS=$' \\t\\n' kind list word words=() glued= i flag= place=0 rest= head= broken=",
    '  COMPREPLY=()',
    '  # Bash may take "=" for a word of its own: --format = json.',
    '  for (( i = 1; i <= COMP_CWORD; i++ )); do',
    '    word=${COMP_WORDS[i]}',
    '    if [[ ${#words[@]} -gt 0 && ( $word == \'=\' || $glued ) ]]; then words[${#words[@]}-1]+=$word; else words+=("$word"); fi',
    "    glued=; if [[ $word == '=' ]]; then glued=1; fi",
    '  done',
    '  local last=$(( ${#words[@]} - 1 )) command=${words[0]} value=${words[${#words[@]}-1]}',
    '  local cur=$value',
    '  for (( i = 1; i < last; i++ )); do',
    '    word=${words[i]}',
    '    if [[ $flag ]]; then flag=',
    '    elif [[ ! $rest && $word == -- ]]; then rest=1',
    '    elif [[ ! $rest && $word == -?* ]]; then if [[ $word != *=* ]] && _eks_guardrails_at "$command $word"; then flag=$word; fi',
    '    else place=$(( place + 1 )); fi',
    '  done',
    '  if (( last == 0 )); then',
    `    kind=words list='${[...commands.map(({ name }) => name), ...PROGRAM_OPTIONS].join(' ')}'`,
    '  else',
    '    if [[ ! $flag && ! $rest && $cur == --*=* ]]; then flag=${cur%%=*} head=${cur%%=*}= value=${cur#*=}; fi',
    '    if [[ $flag ]]; then _eks_guardrails_at "$command $flag"',
    '    elif [[ ! $rest && $cur == -* ]]; then _eks_guardrails_at "$command -"',
    '    else _eks_guardrails_at "$command $place" || _eks_guardrails_at "$command -"; fi',
    '  fi',
    '  case $kind in',
    '    files) return ;;',
    // Other characters could be commands, once they are on the line.
    "    revisions) list=\"HEAD $(git for-each-ref --format='%(refname:short)' refs/heads refs/remotes refs/tags 2>/dev/null | LC_ALL=C grep -x '[A-Za-z0-9_][A-Za-z0-9._/+@-]*')\" ;;",
    `    levels) if [[ $value == *=* ]]; then list=; for word in ${LEVELS.join(' ')}; do list+=" \${value%%=*}=$word"; done; else list="\${list// /= }="; compopt -o nospace 2>/dev/null; fi ;;`,
    '  esac',
    '  compopt +o default 2>/dev/null',
    '  if [[ $COMP_WORDBREAKS == *=* && $cur == *=* ]]; then broken=${cur%=*}=; fi',
    '  for word in $list; do',
    '    if [[ $word == "$value"* ]]; then word=$head$word; COMPREPLY+=("${word#"$broken"}"); fi',
    '  done',
    '}',
    `complete -o default -F _eks_guardrails ${program}`,
  ];
}

/** Patterns of places, with what can stand there; places of the same candidates together. */
function places(
  commands: readonly CommandWords[],
): readonly (readonly [patterns: readonly string[], candidates: Candidates])[] {
  const all = commands.flatMap(({ name, options, arguments: args }): (readonly [string, Candidates])[] => [
    ...options.flatMap(({ flags, value }) =>
      value === undefined ? [] : flags.map((flag) => [`'${name} ${flag}'`, value] as const),
    ),
    ...args.map(
      ({ candidates, isVariadic }, place) =>
        [isVariadic ? `'${name} '[0-9]*` : `'${name} ${place}'`, candidates] as const,
    ),
    [`'${name} -'`, { kind: 'words', words: options.flatMap(({ flags }) => flags) }],
  ]);
  const merged = new Map<string, [string[], Candidates]>();
  for (const [pattern, candidates] of all) {
    const key = JSON.stringify(candidates);
    const [patterns] = merged.get(key) ?? [];
    if (patterns === undefined) merged.set(key, [[pattern], candidates]);
    else patterns.push(pattern);
  }
  return [...merged.values()];
}

function assignment(candidates: Candidates): string {
  const list = 'words' in candidates ? ` list='${candidates.words.join(' ')}'` : '';
  return `kind=${candidates.kind}${list}`;
}
