import { LEVELS, type CommandWords, type OptionWords, type Shell } from './candidates';

const PROGRAM = 'eks-guardrails';

/** A script that makes a shell complete the command line. */
export function completionScript(shell: Shell, commands: readonly CommandWords[]): string {
  const lines = SCRIPTS[shell](commands);
  return `${lines.join('\n')}\n`;
}

const SCRIPTS: Readonly<Record<Shell, (commands: readonly CommandWords[]) => readonly string[]>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

/** Commands, and how to load the script at the start of a shell. */
function header(how: string): readonly string[] {
  return [`# Completion for ${PROGRAM}. ${how}`];
}

function bashScript(commands: readonly CommandWords[]): readonly string[] {
  return [
    ...header(`Load it with: source <(${PROGRAM} completion bash)`),
    '_eks_guardrails() {',
    '  local cur=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD-1)) command=${COMP_WORDS[1]} flag head= words',
    '  COMPREPLY=()',
    // Bash takes "=" for a word of its own: --format = json, --rule imds-v1 = off.
    "  if [[ $cur == '=' ]]; then cur=; elif [[ ${COMP_WORDS[at]} == '=' ]]; then at=$((at-1)); else at=-1; fi",
    '  if (( at < 0 )); then flag=${COMP_WORDS[COMP_CWORD-1]}',
    '  elif [[ ${COMP_WORDS[at]} == -* ]]; then flag=${COMP_WORDS[at]}',
    '  else',
    '    head=${COMP_WORDS[at]}= flag=${COMP_WORDS[at-1]}',
    "    if [[ $flag == '=' ]]; then flag=${COMP_WORDS[at-2]}; fi",
    '  fi',
    '  if (( COMP_CWORD == 1 )); then',
    `    COMPREPLY=( $(compgen -W '${[...commands.map(({ name }) => name), '--help', '--version'].join(' ')}' -- "$cur") )`,
    '    return',
    '  fi',
    '  case "$command $flag" in',
    ...commands.flatMap(({ name, options }) => options.filter(takesValue).map((option) => `    ${option.flags.map((flag) => `'${name} ${flag}'`).join('|')}) ${bashValues(option)} ;;`)),
    '  esac',
    '  case $command in',
    ...commands.map(({ name, options, values, takesFiles }) =>
      [
        `    ${name}) words='${[...options.flatMap(({ flags }) => flags), ...values].join(' ')}'`,
        `      COMPREPLY=( $(compgen -W "$words" -- "$cur") )`,
        ...(takesFiles ? [`      [[ $cur == -?* ]] || { compopt -o filenames 2>/dev/null; COMPREPLY=( $(compgen -f -- "$cur") ); }`] : []),
        '      ;;',
      ].join('\n'),
    ),
    '  esac',
    '}',
    `complete -F _eks_guardrails ${PROGRAM}`,
  ];
}

function bashValues({ values = [], isPrefix }: OptionWords): string {
  if (values.length === 0) return `compopt -o filenames 2>/dev/null; COMPREPLY=( $(compgen -f -- "$cur") ); return`;
  if (!isPrefix) return `COMPREPLY=( $(compgen -W '${values.join(' ')}' -- "$head$cur") ); COMPREPLY=( "\${COMPREPLY[@]#"$head"}" ); return`;
  return `if [[ $head ]]; then COMPREPLY=( $(compgen -W '${LEVELS.join(' ')}' -- "$cur") ); else compopt -o nospace 2>/dev/null; COMPREPLY=( $(compgen -W '${values.join(' ')}' -- "$cur") ); fi; return`;
}

function zshScript(commands: readonly CommandWords[]): readonly string[] {
  return [
    `#compdef ${PROGRAM}`,
    ...header(`Load it with: source <(${PROGRAM} completion zsh), after compinit`),
    '_eks_guardrails() {',
    '  local cur=${words[CURRENT]} prev=${words[CURRENT-1]} command=${words[2]}',
    '  local -a candidates',
    '  if (( CURRENT == 2 )); then',
    `    candidates=(${commands.map(({ name, description }) => zshQuote(`${name}:${description}`)).join(' ')})`,
    "    _describe 'command' candidates",
    '    return',
    '  fi',
    `  if [[ $prev == --rule && $cur == *=* ]]; then compset -P '*='; compadd -- ${LEVELS.join(' ')}; return; fi`,
    '  case "$command $prev" in',
    ...commands.flatMap(({ name, options }) => options.filter(takesValue).map((option) => `    ${option.flags.map((flag) => `'${name} ${flag}'`).join('|')}) ${zshValues(option)}; return ;;`)),
    '  esac',
    '  case $command in',
    ...commands.map(
      ({ name, options, values, takesFiles }) =>
        `    ${name})\n      if [[ $cur == -* ]]; then candidates=(${options.flatMap((option) => option.flags.map((flag) => zshQuote(`${flag}:${option.description}`))).join(' ')}); _describe 'option' candidates\n      else ${takesFiles ? '_files' : values.length === 0 ? ':' : `compadd -- ${values.join(' ')}`}; fi ;;`,
    ),
    '  esac',
    '}',
    `(( $+functions[compdef] )) && compdef _eks_guardrails ${PROGRAM}`,
  ];
}

function zshValues({ values = [], isPrefix }: OptionWords): string {
  if (values.length === 0) return '_files';
  return `compadd ${isPrefix ? "-S '' " : ''}-- ${values.join(' ')}`;
}

/** Colons part a word from its description. */
function zshQuote(text: string): string {
  const [word = '', ...description] = text.split(':');
  return `'${word}:${description.join('\\:').replaceAll("'", "'\\''")}'`;
}

function fishScript(commands: readonly CommandWords[]): readonly string[] {
  const complete = `complete -c ${PROGRAM}`;
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  return [
    ...header(`Load it with: ${PROGRAM} completion fish | source`),
    ...commands.map(({ name, description }) => `${complete} -n __fish_use_subcommand -f -a ${name} -d ${quote(description)}`),
    ...commands.flatMap(({ name, options, values, takesFiles }) => {
      const when = `-n '__fish_seen_subcommand_from ${name}'`;
      return [
        ...(takesFiles ? [] : [`${complete} ${when} -f${values.length === 0 ? '' : ` -a ${quote(values.join(' '))}`}`]),
        ...options.map(({ flags, description, values: own, isPrefix }) => {
          const spelt = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(' ');
          const all = isPrefix ? (own ?? []).flatMap((id) => LEVELS.map((level) => id + level)) : (own ?? []);
          const value = own === undefined ? '' : own.length === 0 ? ' -r -F' : ` -x -a ${quote(all.join(' '))}`;
          return `${complete} ${when} ${spelt}${value} -d ${quote(description)}`;
        }),
      ];
    }),
  ];
}

function powershellScript(commands: readonly CommandWords[]): readonly string[] {
  const list = (words: readonly string[]) => `@(${words.map((word) => `'${word.replaceAll("'", "''")}'`).join(', ')})`;
  return [
    ...header(`Load it with: ${PROGRAM} completion powershell | Out-String | Invoke-Expression`),
    `Register-ArgumentCompleter -Native -CommandName '${PROGRAM}' -ScriptBlock {`,
    '  param($wordToComplete, $commandAst, $cursorPosition)',
    '  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })',
    "  $command = if ($words.Count -gt 1) { $words[1] } else { '' }",
    "  $previous = if ($words.Count -gt 0) { $words[-1] } else { '' }",
    '  $candidates = switch ("$command $previous") {',
    ...commands.flatMap(({ name, options }) =>
      options.filter(takesValue).flatMap(({ flags, values = [], isPrefix }) =>
        values.length === 0 ? flags.map((flag) => `    '${name} ${flag}' { $null; break }`) : flags.map((flag) => `    '${name} ${flag}' { ${list(isPrefix ? values.flatMap((id) => LEVELS.map((level) => id + level)) : values)}; break }`),
      ),
    ),
    '    default {',
    '      switch ($command) {',
    ...commands.map(({ name, options, values }) => `        '${name}' { ${list([...options.flatMap(({ flags }) => flags), ...values])} }`),
    `        default { ${list([...commands.map(({ name }) => name), '--help', '--version'])} }`,
    '      }',
    '    }',
    '  }',
    // Without candidates of ours, PowerShell completes files.
    '  $candidates | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, \'ParameterValue\', $_) }',
    '}',
  ];
}

function takesValue({ values }: OptionWords): boolean {
  return values !== undefined;
}
