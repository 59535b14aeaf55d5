import { LEVELS, type ArgumentWords, type Candidates, type CommandWords } from './candidates';

export function fishScript(commands: readonly CommandWords[], program: string): readonly string[] {
  const complete = `complete -c ${program}`;
  return [
    `# Completion for ${program}. Load it with: ${program} completion fish | source`,
    ...commands.map(
      ({ name, description }) => `${complete} -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
    ),
    `${complete} -n __fish_use_subcommand -f -s h -l help -d 'print this help'`,
    `${complete} -n __fish_use_subcommand -f -s V -l version -d 'print the version'`,
    ...commands.flatMap(({ name, options, arguments: args }) => {
      const seen = `__fish_seen_subcommand_from ${name}`;
      return [
        ...(args.some(({ candidates }) => candidates.kind === 'files') ? [] : [`${complete} -n '${seen}' -f`]),
        ...argumentLines(args).map(
          ([condition, list]) =>
            `${complete} -n '${[seen, condition].filter(Boolean).join('; and ')}' -a ${quoted(list)}`,
        ),
        ...options.map(({ flags, description, value }) => {
          const spelt = flags
            .map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`))
            .join(' ');
          return `${complete} -n '${seen}' ${spelt}${value === undefined ? '' : ` ${valueOf(value)}`} -d ${quoted(description)}`;
        }),
      ];
    }),
  ];
}

/** Lists of words for arguments, and when they are due: once the words of the place before have been seen. */
function argumentLines(args: readonly ArgumentWords[]): readonly (readonly [condition: string, list: string])[] {
  const lists = args.flatMap(({ candidates }) => (candidates.kind === 'words' ? [candidates.words.join(' ')] : []));
  return [...new Set(lists)].map((list, index, all) => [
    [
      ...(index === 0 ? [] : [`__fish_seen_subcommand_from ${all[index - 1] ?? ''}`]),
      ...(index === all.length - 1 ? [] : [`not __fish_seen_subcommand_from ${list}`]),
    ].join('; and '),
    list,
  ]);
}

function valueOf(candidates: Candidates): string {
  switch (candidates.kind) {
    case 'words':
      return `-x -a ${quoted(candidates.words.join(' '))}`;
    case 'files':
      return '-r -F';
    case 'revisions':
      return `-x -a ${quoted("HEAD (git for-each-ref '--format=%(refname:short)' refs/heads refs/remotes refs/tags 2>/dev/null)")}`;
    case 'levels':
      return `-x -a ${quoted(candidates.words.flatMap((id) => LEVELS.map((level) => `${id}=${level}`)).join(' '))}`;
    case 'text':
      return '-x';
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
