import fc from 'fast-check';
import { filesWrittenBy, isGuardedByExistence, mentionIn, readShell, unknownCommandsIn, type ShellScript } from '../../lib/user-data/shell';
import { SourceText, type TextPiece } from '../../lib/user-data/source-text';
import { nowhere, Unknown } from '../../lib/value';
import { cpuTime } from '../cpu-time';

const shell = (text: string): ShellScript => readShell(SourceText.of(text));

/** A text in which `${…}` stands for what a template fills in. */
function templated(text: string): SourceText {
  const pieces = text.split(/(\$\{\w+\})/).map((piece): TextPiece => (piece.startsWith('${') ? { unknown: new Unknown('it is a parameter', nowhere, piece) } : { text: piece, sourceAt: () => nowhere }));
  return SourceText.compose(pieces);
}

/** The words of every command, `?` in front of what isn't known. */
const wordsOf = (script: ShellScript): string[][] => script.commands.map(({ effective }) => effective.map((word) => word.text ?? `?${word.show()}`));

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
    ['cmd "$(cat <<X\nit\'s )\nX\n)" b', ['cmd', '?$(cat <<X\nit\'s )\nX\n)', 'b']],
    ['cmd ${A:-b} $1 "$@"', ['cmd', '?${A:-b}', '?$1', '?$@']],
    ['cmd $((1 + (2 << n) + 16#ff)) end', ['cmd', '?$((1 + (2 << n) + 16#ff))', 'end']],
    ['cmd <(sort a) b', ['cmd', '?<(sort a)', 'b']],
  ])('%s', (text, words) => {
    expect(wordsOf(shell(text))).toEqual([words]);
  });

  it('fills in variables that the script sets before', () => {
    const script = shell('A=main\nexport B="x y" C=\'$A\'\nD="$A-$B"\ncmd $A "$B" $B ${C} "$D" $E\n');
    expect(wordsOf(script).at(-1)).toEqual(['cmd', 'main', 'x y', 'x', 'y', '$A', 'main-x y', '?$E']);
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
    const bomb = `A=aaaaaaaaaa\n${'A=$A$A\n'.repeat(64)}cmd $A`;
    expect(wordsOf(shell(bomb)).at(-1)).toEqual(['cmd', '?$A']);
  });

  it('tells which unknown words may be several', () => {
    const [command] = readShell(templated('cmd ${A} "${B}" pre-${C} $D "$D" "$@" "${L[@]}"')).commands;
    expect(command?.words.map((word) => word.splits)).toEqual([false, true, false, true, true, false, true, true]);
    expect(command?.words.map((word) => word.isTemplated)).toEqual([false, true, true, true, false, false, false, false]);
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
  const conditions = (text: string): string[] => shell(text).commands.map(({ effective, condition }) => `${effective[0]?.text ?? ''} ${condition}`);

  it.each([
    ['a; b & c\nd', ['a always', 'b always', 'c always', 'd always']],
    ['a && b || c; d', ['a always', 'b conditional', 'c conditional', 'd always']],
    ['a &&\n  b\nc', ['a always', 'b conditional', 'c always']],
    ['a | b', ['a always', 'b always']],
    ['if a; then b; elif c; then d; else e; fi; f', ['a always', 'b conditional', 'c conditional', 'd conditional', 'e conditional', 'f always']],
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
  ])('%s', (text, expected) => {
    expect(conditions(text)).toEqual(expected);
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
    ].join('\n');
    const script = shell(text);
    expect(wordsOf(script)).toEqual(script.commands.map(() => ['/p', 'a']));
    expect(wordsOf(shell('bash -c "/p a"\ncommand -v /p\nexec > >(tee x) 2>&1'))).toEqual([['bash', '-c', '/p a'], ['command', '-v', '/p'], ['exec']]);
  });

  it('knows what follows the end of a script', () => {
    const reachable = (text: string): boolean | undefined => shell(text).commands.at(-1)?.reachable;
    expect(reachable('exit 0\na')).toBe(false);
    expect(reachable('exec /b\na')).toBe(false);
    expect(reachable('x || exit 1\na')).toBe(true);
    expect(reachable('if x; then exit; fi\na')).toBe(true);
    expect(reachable('f() { exit; }\na')).toBe(true);
    expect(reachable('(exit)\na')).toBe(true);
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
  ])('knows whether errors end the script: %s', (text, errexit) => {
    expect(shell(`${text}\na`).commands.at(-1)?.errexit).toBe(errexit);
  });

  it('takes what a template fills in alone on a line for any command', () => {
    const script = readShell(templated('a\n${commands}\n${program} b\n/bin/${x} c\nd ${e}'));
    expect(unknownCommandsIn(script).map(({ index }) => index)).toEqual([1, 2, 3]);
  });

  it('reads here-documents, and no commands in them', () => {
    const script = shell("N=main\ncat <<EOF > /etc/a\n/p $N $X \\$N\nEOF\ncat <<'EOF' | sudo tee -a /etc/b >/dev/null\n/p $N\nEOF\ncat <<-EOF\n\t\t/p\n\tEOF\nb");
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
    ["sed -i 's/a/b/' /f", ["edit s/a/b/ ", 'edit /f ']],
    ['sed s/a/b/ /f', []],
    ['jq .a /g > /f', ['replace /f ']],
    ['cp -f /a /f', ['replace /f ']],
    ['aws s3 cp s3://b/k /f', ['replace /f ']],
    ['curl -sSL https://x -o /f', ['replace /f ']],
  ])('%s', (text, expected) => {
    expect(filesWrittenBy(shell(text)).map(({ how, file, content }) => `${how} ${file.show()} ${content?.show() ?? ''}`)).toEqual(expected);
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
    ...['a', ' ', '\n', '\t', '"', "'", '`', '$', '$(', '${', '((', '(', ')', '))', '{', '}', '[[ ', ' ]]', ';', ';;', '&&', '||', '|', '&', '<', '>', '>>', '<<', '<<-E', '<<<', '\\', '\r\n', '#', '!', '=', 'A=', '$A', 'A=('],
    ...['if ', 'then ', 'else ', 'elif ', 'fi', 'for ', 'in ', 'do ', 'done', 'case ', 'esac', 'while ', 'function ', 'f()', 'E\n', '${X}', 'set -e', 'exit', 'sudo ', 'bash -x '],
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
          for (const word of command.words) expect(word.value.text.length).toBeGreaterThanOrEqual(word.text?.length ?? 0);
        }
        filesWrittenBy(script);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
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
  ])('reads many %s in time that grows with their number', (_, piece) => {
    const text = SourceText.of(piece.repeat(Math.ceil(1_000_000 / piece.length)));
    const elapsed = cpuTime();
    readShell(text);
    // Less than a second; minutes if the time grew faster than the text.
    expect(elapsed()).toBeLessThan(20_000);
  });
});
