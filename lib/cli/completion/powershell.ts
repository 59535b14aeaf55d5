import { LEVELS, PROGRAM_OPTIONS, type Candidates, type CommandWords } from './candidates';

/** Completion for PowerShell. Where it proposes nothing, PowerShell completes names of files itself. */
export function powershellScript(commands: readonly CommandWords[], program: string): readonly string[] {
  return [
    `# Completion for ${program}. Load it with: ${program} completion powershell | Out-String | Invoke-Expression`,
    `Register-ArgumentCompleter -Native -CommandName '${program}' -ScriptBlock {`,
    '  param($wordToComplete, $commandAst, $cursorPosition)',
    '  $values = @{',
    ...commands.flatMap(({ name, options }) =>
      options.flatMap(({ flags, value }) =>
        value === undefined ? [] : flags.map((flag) => `    '${name} ${flag}' = { ${list(value)} }`),
      ),
    ),
    '  }',
    '  $places = @{',
    ...commands.flatMap(({ name, arguments: args }) =>
      args.map(
        ({ candidates, isVariadic }, place) => `    '${name} ${isVariadic ? 'all' : place}' = { ${list(candidates)} }`,
      ),
    ),
    '  }',
    '  $options = @{',
    ...commands.map(({ name, options }) => `    '${name}' = ${literal(options.flatMap(({ flags }) => flags))}`),
    '  }',
    '  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })',
    "  $head = ''",
    '  $value = "$wordToComplete"',
    '  if ($words.Count -eq 0) {',
    `    $candidates = ${literal([...commands.map(({ name }) => name), ...PROGRAM_OPTIONS])}`,
    '  } else {',
    '    $command = $words[0]',
    "    $flag = ''",
    '    $place = 0',
    '    foreach ($word in @($words | Select-Object -Skip 1)) {',
    "      if ($flag) { $flag = '' }",
    '      elseif ($values.ContainsKey("$command $word")) { $flag = $word }',
    "      elseif (-not $word.StartsWith('-')) { $place++ }",
    '    }',
    `    if ($places.ContainsKey("$command all")) { $place = 'all' }`,
    "    if (-not $flag -and $value -match '^(--[a-z-]+)=(.*)$') {",
    '      $flag = $Matches[1]',
    '      $head = "$flag="',
    '      $value = $Matches[2]',
    '    }',
    '    $candidates = if ($flag) { if ($values.ContainsKey("$command $flag")) { & $values["$command $flag"] } }',
    `    elseif (-not $value.StartsWith('-') -and $places.ContainsKey("$command $place")) { & $places["$command $place"] }`,
    '    else { $options[$command] }',
    '  }',
    '  foreach ($candidate in @($candidates)) {',
    '    if ($candidate -and $candidate.StartsWith($value, [System.StringComparison]::OrdinalIgnoreCase)) {',
    '      [System.Management.Automation.CompletionResult]::new("$head$candidate", $candidate, \'ParameterValue\', $candidate)',
    '    }',
    '  }',
    '}',
  ];
}

function list(candidates: Candidates): string {
  switch (candidates.kind) {
    case 'words':
      return literal(candidates.words);
    case 'levels':
      return literal(candidates.words.flatMap((id) => LEVELS.map((level) => `${id}=${level}`)));
    case 'revisions':
      // Other characters could be commands, once they are on the line.
      return "@('HEAD') + @(git for-each-ref '--format=%(refname:short)' refs/heads refs/remotes refs/tags 2>$null | Where-Object { $_ -match '^[A-Za-z0-9_][A-Za-z0-9._/+@-]*$' })";
    case 'files':
    case 'text':
      return '@()';
  }
}

function literal(words: readonly string[]): string {
  return `@(${words.map((word) => `'${word.replaceAll("'", "''")}'`).join(', ')})`;
}
