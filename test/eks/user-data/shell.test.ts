import fc from 'fast-check';
import {
  filesWrittenBy,
  isGuardedByExistence,
  mentionIn,
  readShell,
  unknownCommandsIn,
  type ShellScript,
} from '../../../lib/eks/user-data/shell';
import { SourceText, type TextPiece } from '../../../lib/eks/user-data/source-text';
import { nowhere, Unknown } from '../../../lib/value';
import { cpuTime } from '../../cpu-time';
import { runs, share } from '../../share';

const shell = (text: string): ShellScript => readShell(SourceText.of(text));

/** A text in which `${…}` stands for what a template fills in. */
function templated(text: string): SourceText {
  const pieces = text
    .split(/(\$\{\w+\})/)
    .map(
      (piece): TextPiece =>
        piece.startsWith('${')
          ? { unknown: new Unknown('it is a parameter', nowhere, piece) }
          : { text: piece, sourceAt: () => nowhere },
    );
  return SourceText.compose(pieces);
}

/** The words of every command, `?` in front of what isn't known. */
const wordsOf = (script: ShellScript): string[][] =>
  script.commands.map(({ effective }) => effective.map((word) => word.text ?? `?${word.show()}`));

describe('readShell: words', () => {
  it.each([
    [`cmd 'a b' "c d" e\\ f`, ['cmd', 'a b', 'c d', 'e f']],
    [`cmd a'b'"c"d`, ['cmd', 'abcd']],
    [`cmd "a \\"b\\" \\$c \\\\ \\d" 'e\\'`, ['cmd', 'a "b" $c \\ \\d', 'e\\']],
    [`cmd $'a\\tb\\'c\\x41\\101'`, ['cmd', "a\tb'cAA"]],
    [`cmd '' ""`, ['cmd', '', '']],
    ['cmd a \\\n  b', ['cmd', 'a', 'b']],
    ['cmd a \\\r\n  b', ['cmd', 'a', 'b']],
    ['cmd a#b # c', ['cmd', 'a#b']],
    ['cmd $(date) "x$(echo ")" )y" `ls`', ['cmd', '?$(date)', '?x$(echo ")" )y', '?`ls`']],
    ['cmd "$(cat <<X\nit\'s )\nX\n)" b', ['cmd', "?$(cat <<X\nit's )\nX\n)", 'b']],
    ['cmd ${A:-b} $1 "$@"', ['cmd', '?${A:-b}', '?$1', '?$@']],
    ['cmd $((1 + (2 << n) + 16#ff)) end', ['cmd', '?$((1 + (2 << n) + 16#ff))', 'end']],
    ['cmd <(sort a) b', ['cmd', '?<(sort a)', 'b']],
    ['cmd "${A:-"b }"}" c', ['cmd', '?${A:-"b }"}', 'c']],
    ["cmd $(a $'b\\')' '(' # )\n) c", ['cmd', "?$(a $'b\\')' '(' # )\n)", 'c']],
    ['cmd $(a <<<b <<"E O"\n)\nE O\n) c', ['cmd', '?$(a <<<b <<"E O"\n)\nE O\n)', 'c']],
    ['cmd $(a <<-\\E\n)\n\tE\n) b', ['cmd', '?$(a <<-\\E\n)\n\tE\n)', 'b']],
    ['cmd $((1 # 2)) ${#A} ${A#(} $(a#b) c', ['cmd', '?$((1 # 2))', '?${#A}', '?${A#(}', '?$(a#b)', 'c']],
    ['cmd $(a (b) `c )` "d )" \\)) e', ['cmd', '?$(a (b) `c )` "d )" \\))', 'e']],
  ])('%s', (text, words) => {
    expect(wordsOf(shell(text))).toEqual([words]);
  });

  it('fills in variables that the script sets before', () => {
    const script = shell('A=main\nexport B="x y" C=\'$A\'\nD="$A-$B"\ncmd $A "$B" $B ${C} "$D" $E\n');
    expect(wordsOf(script).at(-1)).toEqual(['cmd', 'main', 'x y', 'x', 'y', '$A', 'main-x y', '?$E']);
    expect(wordsOf(shell('export "A"=b"c d" E\ncmd "$A" $E')).at(-1)).toEqual(['cmd', 'bc d', '?$E']);
  });

  it.each([
    ['set in an if', 'if x; then A=1; fi'],
    ['set on a condition', 'x && A=1'],
    ['read', 'read -r A'],
    ['unset', 'unset A'],
    ['set to a list', 'A=(1 2)'],
    ['declared as a list', 'declare -a A=(1 2)'],
    ['maybe set by a sourced file', '. /etc/environment'],
    ['maybe set by a template', '${setup}'],
    ['set in a subshell', '(A=1)'],
    ['set in a pipe', 'x | A=1'],
    ['read by another builtin', 'mapfile -t A'],
    ['set by eval', 'eval "$(x)"'],
    ['declared from something unknown', 'declare "$X=1"'],
    ['maybe set by a command of a template', '${setup} -x'],
    ['an element of a list', 'A[0]=1'],
    ['appended to on a condition', 'x || A+=1'],
  ])('does not know a variable that is %s', (_, line) => {
    const script = readShell(templated(`A=0\n${line}\ncmd $A`));
    expect(wordsOf(script).at(-1)).toEqual(['cmd', '?$A']);
  });

  it('does not know a variable of a loop that is set again behind its use', () => {
    expect(wordsOf(shell('A=0\nfor i in 1 2; do cmd $A; A=1; done'))[1]).toEqual(['cmd', '?$A']);
    expect(wordsOf(shell('A=0\nfor i in 1 2; do cmd $A; done'))[1]).toEqual(['cmd', '0']);
  });

  it('appends, and stops before a script grows without end', () => {
    expect(wordsOf(shell('A=a\nA+=b\ncmd $A')).at(-1)).toEqual(['cmd', 'ab']);
    expect(wordsOf(shell('A+=b\ncmd $A')).at(-1)).toEqual(['cmd', '?$A']);
    expect(wordsOf(shell('A=a\nexport A+=b\n$X y\nprogram A\ncmd $A')).at(-1)).toEqual(['cmd', 'ab']);
    expect([16, 17].map((count) => wordsOf(shell(`A="${'$x'.repeat(count)}"\ncmd "$A"`)).at(-1))).toEqual([
      ['cmd', `?${'$x'.repeat(16)}`],
      ['cmd', '?$A'],
    ]);
    expect([16384, 16385].map((count) => wordsOf(shell(`A=${'a'.repeat(count)}\ncmd $A`)).at(-1)?.[1]?.length)).toEqual(
      [16384, 3],
    );
    const bomb = `A=aaaaaaaaaa\n${'A=$A$A\n'.repeat(64)}cmd $A`;
    expect(wordsOf(shell(bomb)).at(-1)).toEqual(['cmd', '?$A']);
  });

  it('tells which unknown words may be several', () => {
    const [command] = readShell(templated('cmd ${A} "${B}" pre-${C} $D "$D" "$@" "${L[@]}"')).commands;
    expect(command?.words.map((word) => word.splits)).toEqual([false, true, false, true, true, false, true, true]);
    expect(command?.words.map((word) => word.isTemplated)).toEqual([
      false,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(command?.words[3]?.prefix).toBe('pre-');
  });

  it('keeps the way back to the text, through quotes and variables', () => {
    const text = 'L="a=b"\ncmd --labels="x,$L"';
    const word = shell(text).commands.at(-1)?.words[1];
    expect(word?.text).toBe('--labels=x,a=b');
    expect(word?.start).toBe(text.indexOf('--labels'));
    expect(word?.offsetAt(9)).toBe(text.indexOf('x,'));
    expect(word?.offsetAt(11)).toBe(text.indexOf('a=b'));
    expect(word?.value.positionAt(11)).toEqual({ line: 1, column: 4 });
  });
});

describe('readShell: commands', () => {
  const conditions = (text: string): string[] =>
    shell(text).commands.map(({ effective, condition }) => `${effective[0]?.text ?? ''} ${condition}`);

  it.each([
    ['a; b & c\nd', ['a always', 'b always', 'c always', 'd always']],
    ['a && b || c; d', ['a always', 'b conditional', 'c conditional', 'd always']],
    ['a &&\n  b\nc', ['a always', 'b conditional', 'c always']],
    ['a | b', ['a always', 'b always']],
    [
      'if a; then b; elif c; then d; else e; fi; f',
      ['a always', 'b conditional', 'c conditional', 'd conditional', 'e conditional', 'f always'],
    ],
    ['while a; do b; done < x\nc', ['a always', 'b conditional', ' always', 'c always']],
    ['for i in if do "$x"; do b; done; c', ['b conditional', 'c always']],
    ['((a = 1 << b))\nc', ['c always']],
    ['for ((i=0; i<3; i++)); do b; done; c', ['b conditional', 'c always']],
    ['case $x in\n a|b) c ;;\n (*) d; e;;\nesac\nf', ['c conditional', 'd conditional', 'e conditional', 'f always']],
    ['f() { a; }\ng', ['a function', 'g always']],
    ['function f {\n a\n}\nfunction g() (\n b\n)\nh', ['a function', 'b function', 'h always']],
    ['{ a; b; } && { c; }; d', ['a always', 'b always', 'c conditional', 'd always']],
    ['( a; b ); c', ['a always', 'b always', 'c always']],
    ['[[ a && ( b || c ) ]] && d; e', ['[[ always', 'd conditional', 'e always']],
    ['echo if then fi; a', ['echo always', 'a always']],
    ['a;(b)&(c)|(d)', ['a always', 'b always', 'c always', 'd always']],
    ['if a; then }; done; esac; b; fi; c', ['a always', 'b conditional', 'c always']],
    ['while a; do fi; esac; }; b; done; c', ['a always', 'b conditional', 'c always']],
    ['case x in a) fi; done; }; b;; esac; c', ['b conditional', 'c always']],
    ['{ fi; done; esac; a; }; b', ['a always', 'b always']],
    ['f() { fi; a; }; b', ['a function', 'b always']],
    ['while a; then b; else c; do d; done; e', ['a always', 'b always', 'c always', 'd conditional', 'e always']],
    ['if a; do b; then c; fi; d', ['a always', 'b always', 'c conditional', 'd always']],
    ['until a; do b; done; select x in a; do c; done; d', ['a always', 'b conditional', 'c conditional', 'd always']],
    ['case x in a) b;;& c) d;& e) f; esac; g', ['b conditional', 'd conditional', 'f conditional', 'g always']],
    ['case in in in) a;; esac; b', ['a conditional', 'b always']],
    ['a &&\n\n  b; c ||\\\n d\ne', ['a always', 'b conditional', 'c always', 'd conditional', 'e always']],
    ['a |\n b |& c\nd', ['a always', 'b always', 'c always', 'd always']],
    ['a && { b; c; }; d', ['a always', 'b conditional', 'c conditional', 'd always']],
    ['f () { a; }; function g () { b; }; c', ['a function', 'b function', 'c always']],
    ['f() { if a; then b; fi; }; c', ['a function', 'b function', 'c always']],
    ['a "fi"; if b; then "fi"; c; fi; d', ['a always', 'b always', 'fi conditional', 'c conditional', 'd always']],
  ])('%s', (text, expected) => {
    expect(conditions(text)).toEqual(expected);
  });

  it.each<[string, string[]]>([
    [
      'if a; then b; elif c; then d; else e; fi && f || g',
      [
        'a:',
        'b: a;',
        'c: !a;',
        'd: !a; c;',
        'e: !a; !c;',
        'f: a; then b; elif c; then d; else e; fi',
        'g: !a; then b; elif c; then d; else e; fi && f',
      ],
    ],
    ['a && b || c; d', ['a:', 'b: a', 'c: !a && b', 'd:']],
    ['a && { b; c || d; }', ['a:', 'b: a', 'c: a', 'd: a !c']],
    ['while a; do b; done', ['a:', 'b: a;']],
    ['case x in p) a;; q|r) b && c;; esac', ['a: p', 'b: q|r', 'c: q|r b']],
    ['if a; then if b; then c; else d; fi; else e; fi', ['a:', 'b: a;', 'c: a; b;', 'd: a; !b;', 'e: !a;']],
    ['for i in 1; do a; done', ['a:']],
    ['a | b && c', ['a:', 'b:', 'c: a | b']],
  ])('tells what guards the commands of %s', (text, expected) => {
    const { commands } = shell(text);
    const shown = commands.map(({ words, guards }) =>
      `${words[0]?.text ?? ''}: ${guards.map(({ start, end, negated }) => `${negated ? '!' : ''}${text.slice(start, end).trim()}`).join(' ')}`.trim(),
    );
    expect(shown).toEqual(expected);
  });

  it('tells what is piped where, in which function, and what is redirected', () => {
    const text = 'a 2>&1 >"/f g" | b <<< "x $y" | c\nd > /h && e | f\ng() { h; }\ni';
    const { commands } = shell(text);
    expect(commands.map(({ words, pipedFrom, functionName }) => [words[0]?.text, pipedFrom, functionName])).toEqual([
      ['a', undefined, undefined],
      ['b', 0, undefined],
      ['c', 1, undefined],
      ['d', undefined, undefined],
      ['e', undefined, undefined],
      ['f', 4, undefined],
      ['h', undefined, 'g'],
      ['i', undefined, undefined],
    ]);
    expect(
      commands.flatMap(({ redirections }) =>
        redirections.map(({ operator, descriptor, target, offset }) => [operator, descriptor, target?.show(), offset]),
      ),
    ).toEqual([
      ['>&', 2, '1', text.indexOf('2>')],
      ['>', undefined, '/f g', text.indexOf('>"')],
      ['<<<', undefined, 'x $y', text.indexOf('<<<')],
      ['>', undefined, '/h', text.indexOf('> /h')],
    ]);
    expect(shell('exec > >(tee x) 2> /g').commands[0]?.redirections.map(({ target }) => target?.show())).toEqual([
      '>(tee x)',
      '/g',
    ]);
    expect(commands.map(({ offset, end }) => text.slice(offset, end))).toEqual([
      'a 2>&1 >"/f g"',
      'b <<< "x $y"',
      'c',
      'd > /h',
      'e',
      'f',
      'h',
      'i',
    ]);
  });

  it('finds the program behind prefixes', () => {
    const text = [
      'sudo -E -u root /p a',
      'A=b C="d" /p a',
      'env -i A=b /p a',
      'nohup /p a &',
      'time nice -n 5 /p a',
      'bash -x /p a',
      '/bin/sh -o errexit /p a',
      '. /p a',
      'source /p a',
      'timeout 300 /p a',
      'exec /p a',
      'exec -a name /p a',
      'sudo -- /p a',
      'sudo --user root A=b /p a',
      '/usr/bin/env -u X /p a',
      'timeout -k 5 300 /p a',
      'flock -w 5 /lock /p a',
      'ionice -c 2 -n 7 stdbuf -oL /p a',
      '! eval builtin setsid /p a',
      'command -p /p a',
      'doas -u root ksh -e /p a',
    ].join('\n');
    const script = shell(text);
    expect(wordsOf(script)).toEqual(script.commands.map(() => ['/p', 'a']));
    expect(wordsOf(shell('bash -c "/p a"\ncommand -v /p\nexec > >(tee x) 2>&1'))).toEqual([
      ['bash', '-c', '/p a'],
      ['command', '-v', '/p'],
      ['exec'],
    ]);
    const alone = [
      'sudo -l /p',
      'sudo -nv',
      'env -S "/p a"',
      'flock -c "/p a"',
      'bash -xc "/p a"',
      'sudo $X /p',
      'timeout 5',
      '/opt/bin/sudo /p',
      'nice -n 5',
      'toString /p',
    ];
    expect(wordsOf(shell(alone.join('\n'))).map(([program]) => program)).toEqual([
      'sudo',
      'sudo',
      'env',
      'flock',
      'bash',
      '?$X',
      'timeout',
      '/opt/bin/sudo',
      'nice',
      'toString',
    ]);
  });

  it('knows what follows the end of a script', () => {
    const reachable = (text: string): boolean | undefined => shell(text).commands.at(-1)?.reachable;
    expect(reachable('exit 0\na')).toBe(false);
    expect(reachable('exec /b\na')).toBe(false);
    expect(reachable('x || exit 1\na')).toBe(true);
    expect(reachable('if x; then exit; fi\na')).toBe(true);
    expect(reachable('f() { exit; }\na')).toBe(true);
    expect(reachable('(exit)\na')).toBe(true);
    expect(reachable('x | exit\na')).toBe(true);
    expect(reachable('exec\na')).toBe(true);
    expect(reachable('executor exit\na')).toBe(true);
    expect(reachable('exec > >(tee /var/log/x | logger) 2>&1\na')).toBe(true);
  });

  it.each([
    ['set -e', true],
    ['set -euxo pipefail', true],
    ['set -o errexit', true],
    ['set -eux\nset +e', false],
    ['set -x', false],
    ['if x; then set -e; fi', false],
    ['#!/bin/bash -xe', true],
    ['#!/bin/bash -x', false],
    ['set -e\nset +o errexit', false],
    ['set -uo errexit', true],
    ['set -e\nset +x', true],
    ['set -o pipefail', false],
    ['(set -e)', false],
    ['set -- -o x errexit', false],
    ['set', false],
  ])('knows whether errors end the script: %s', (text, errexit) => {
    expect(shell(`${text}\na`).commands.at(-1)?.errexit).toBe(errexit);
  });

  it('takes what a template fills in alone on a line for any command', () => {
    const script = readShell(templated('a\n${commands}\n${program} b\n/bin/${x} c\nd ${e}'));
    expect(unknownCommandsIn(script).map(({ index }) => index)).toEqual([1, 2, 3]);
  });

  it('reads here-documents, and no commands in them', () => {
    const script = shell(
      "N=main\ncat <<EOF > /etc/a\n/p $N $X \\$N\nEOF\ncat <<'EOF' | sudo tee -a /etc/b >/dev/null\n/p $N\nEOF\ncat <<-EOF\n\t\t/p\n\tEOF\nb",
    );
    expect(wordsOf(script).map(([program]) => program)).toEqual([undefined, 'cat', 'cat', 'tee', 'cat', 'b']);
    const bodies = script.commands.flatMap(({ heredocs }) => heredocs.map(({ body }) => body.show()));
    expect(bodies).toEqual(['/p main $X $N\n', '/p $N\n', '/p\n']);
    expect(script.commands[1]?.heredocs[0]?.body.isKnown).toBe(false);
    expect(script.commands[2]?.heredocs[0]?.body.positionAt(0)).toEqual({ line: 6, column: 1 });
  });

  it('tells what is never closed', () => {
    expect(shell('a "b').unclosed).toBe(2);
    expect(shell('a <<X\nb').unclosed).toBe(2);
    expect(shell('a "b" <<X\nb\nX\n').unclosed).toBeUndefined();
  });

  it('finds mentions outside of comments', () => {
    expect(mentionIn(shell('# /p\na "x /p"'), '/p')).toBe(10);
    expect(mentionIn(shell('# /p\na # /p'), '/p')).toBeUndefined();
    expect(mentionIn(shell('# a\n# b /p\n/p # /p'), '/p')).toBe(11);
    expect(mentionIn(shell('a /p # b'), '/p')).toBe(2);
  });
});

describe('filesWrittenBy', () => {
  it.each([
    ['echo "a b" > /f', ['replace /f a b']],
    ['echo a >> /f 2>&1', ['append /f a']],
    ["printf '%s\\n' a > /f", ['replace /f a']],
    ['a 2> /f < /g', []],
    ['cat <<X > /f\na\nX', ['replace /f a\n']],
    ['cat <<X | sudo tee /f >/dev/null\na\nX', ['replace /dev/null a\n', 'replace /f a\n']],
    ['sudo tee -a /f <<X\na\nX', ['append /f a\n']],
    ["sed -i 's/a/b/' /f", ['edit s/a/b/ ', 'edit /f ']],
    ['sed s/a/b/ /f', []],
    ['jq .a /g > /f', ['replace /f ']],
    ['cp -f /a /f', ['replace /f ']],
    ['aws s3 cp s3://b/k /f', ['replace /f ']],
    ['curl -sSL https://x -o /f', ['replace /f ']],
    ['curl -sSLo /f https://x', ['replace /f ']],
    ['wget --output-document /f https://x', ['replace /f ']],
    ['curl https://x/a-o /g --output', []],
    ['install -m 644 /a /f', ['replace /f ']],
    ['ln -s /a /f', ['replace /f ']],
    ['mv /a /f', ['replace /f ']],
    ['aws s3 sync s3://b /f', []],
    ['aws ec2 cp s3://b/k /f', []],
    ['perl -pi -e s/a/b/ /f', ['edit s/a/b/ ', 'edit /f ']],
    ['yq --inplace .a /f', ['edit .a ', 'edit /f ']],
    ['perl -e x /f', []],
    ['$TEE /f', []],
    ['echo -ne a > /f', ['replace /f a']],
    ['echo a b > /f', ['replace /f ']],
    ["printf 'a b' > /f", ['replace /f a b']],
    ["printf '%s' a b > /f", ['replace /f ']],
    ["printf '%d' a > /f", ['replace /f ']],
    ["printf 'a%%' > /f", ['replace /f ']],
    ['printf "$A" > /f', ['replace /f ']],
    ['cat /g > /f', ['replace /f ']],
    ['cat - <<X > /f\na\nX', ['replace /f a\n']],
    ['cat <<< "a b" > /f', ['replace /f a b']],
    ['echo a | cat > /f', ['replace /f a']],
    ['echo a | sudo tee --append /f /g > /h', ['replace /h a', 'append /f a', 'append /g a']],
    ['echo a | cat | tee /f', ['replace /f ']],
    ['echo a | tee /g | tee /f', ['replace /g a', 'replace /f ']],
    ['tee /f', ['replace /f ']],
    ['a >| /f &> /g; b &>> /h 3> /i 1> /j', ['replace /f ', 'replace /g ', 'append /h ', 'replace /j ']],
  ])('%s', (text, expected) => {
    expect(
      filesWrittenBy(shell(text)).map(({ how, file, content }) => `${how} ${file.show()} ${content?.show() ?? ''}`),
    ).toEqual(expected);
  });
});

describe('isGuardedByExistence', () => {
  it.each([
    ['[ -x /p ] && /p', true],
    ['if [[ -f "/p" && -n x ]]; then /p; fi', true],
    ['P=/p\nif test -e $P; then $P; fi', true],
    ['[ ! -f /p ] || /p', true],
    ['if [ ! -f /p ]; then a; else /p; fi', true],
    ['command -v /p && /p', true],
    ['if [ -x /p ]; then { for i in 1 2; do /p; done; }; fi', true],
    ['test ! -e /p || /p', true],
    ['! [ -e /p ] || /p', true],
    ['! [ ! -e /p ] && /p', true],
    ['which /p && /p', true],
    ['if ! command -v /p; then a; else /p; fi', true],
    ['a; b && [ -x /p ] && /p', true],
    ['[ -d /p ] && /p', false],
    ['test /p && /p', false],
    ['! ls /p && /p', false],
    ['[ -x /p ] || a && /p', true],
    ['[ -x /p ]; a && /p', false],
    ['a && [ -x /q ]; if b; then /p; fi; [ -x /p ]', false],
    ['[ ! -f /p ] && /p', false],
    ['! [ -f /p ] && /p', false],
    ['[ -x /q ] && /p', false],
    ['[ -x /p ]; /p', false],
    ['if [ -x /p ]; then a; else /p; fi', false],
    ['a /p && /p', false],
  ])('%s: %p', (text, expected) => {
    const script = shell(text);
    const calls = script.commands.filter(({ effective: [name] }) => name?.text === '/p');
    expect(calls).toHaveLength(1);
    expect(calls.map((call) => isGuardedByExistence(script, call, '/p'))).toEqual([expected]);
  });
});

describe('readShell: any text', () => {
  const token = fc.constantFrom(
    ...[
      'a',
      ' ',
      '\n',
      '\t',
      '"',
      "'",
      '`',
      '$',
      '$(',
      '${',
      '((',
      '(',
      ')',
      '))',
      '{',
      '}',
      '[[ ',
      ' ]]',
      ';',
      ';;',
      '&&',
      '||',
      '|',
      '&',
      '<',
      '>',
      '>>',
      '<<',
      '<<-E',
      '<<<',
      '\\',
      '\r\n',
      '#',
      '!',
      '=',
      'A=',
      '$A',
      'A=(',
    ],
    ...[
      'if ',
      'then ',
      'else ',
      'elif ',
      'fi',
      'for ',
      'in ',
      'do ',
      'done',
      'case ',
      'esac',
      'while ',
      'function ',
      'f()',
      'E\n',
      '${X}',
      'set -e',
      'exit',
      'sudo ',
      'bash -x ',
    ],
  );

  it('never throws, and every offset lies in the text', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 9, arbitrary: token }, fc.string()), { maxLength: 60 }), (tokens) => {
        const body = templated(tokens.join(''));
        const script = readShell(body);
        for (const command of script.commands) {
          expect(command.offset).toBeLessThanOrEqual(command.end);
          expect(command.end).toBeLessThanOrEqual(body.text.length);
          for (const guard of command.guards) expect(guard.start).toBeLessThanOrEqual(guard.end);
          for (const word of command.words)
            expect(word.value.text.length).toBeGreaterThanOrEqual(word.text?.length ?? 0);
        }
        filesWrittenBy(script);
      }),
      { numRuns: runs(500) },
    );
  });

  it.each(
    share([
      ['words', 'word '],
      ['quotes', '"a" \'b\' '],
      ['open quotes', 'a "'],
      ['substitutions that never end', 'a $('],
      ['brackets', '('],
      ['conditions', 'if a; then '],
      ['lists', 'a && '],
      ['here-documents', 'a <<E\n'],
      ['here-documents on one line', 'a <<E '],
      ['variables', 'A=$A$A; b $A;'],
      ['indexes', 'a[ '],
      ['functions', 'f() { '],
      ['one word', 'a'],
      ['comments', '#\n'],
    ]),
  )('reads many %s in time that grows with their number', (_, piece) => {
    const text = SourceText.of(piece.repeat(Math.ceil(1_000_000 / piece.length)));
    const elapsed = cpuTime();
    readShell(text);
    // Less than a second; minutes if the time grew faster than the text.
    expect(elapsed()).toBeLessThan(20_000);
  });
});
