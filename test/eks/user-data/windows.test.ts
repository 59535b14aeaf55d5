import fc from 'fast-check';
import { BootstrapScriptError } from '../../../lib/eks/user-data/bootstrap-script';
import { SourceText, type TextPiece } from '../../../lib/eks/user-data/source-text';
import {
  eksBootstrapCallsIn,
  eksBootstrapProblems,
  mentionsEksBootstrap,
  readPowerShell,
  readWindows,
  renderWindowsBootstrap,
  renderWindowsScripts,
  windowsProblems,
  type EksBootstrapCall,
  type WindowsBootstrapOptions,
  type WindowsUserData,
} from '../../../lib/eks/user-data/windows';
import { nowhere, Unknown } from '../../../lib/value';
import { cpuTime } from '../../cpu-time';
import { expectTold } from './told';
import { runs, share } from '../../share';

const CA = Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64');

/** User data in which `«…»` stands for what a template fills in. */
function windows(text: string): WindowsUserData {
  const pieces = text
    .split(/(«\w+»)/)
    .map(
      (piece): TextPiece =>
        piece.startsWith('«')
          ? { unknown: new Unknown('it is a parameter', nowhere, piece) }
          : { text: piece, sourceAt: () => nowhere },
    );
  return readWindows(SourceText.compose(pieces));
}

const powershell = (script: string): WindowsUserData => windows(`<powershell>\n${script}\n</powershell>\n`);
const kinds = (text: string): string[] => windowsProblems(windows(text)).map(({ kind, level }) => `${kind} ${level}`);

describe('readWindows', () => {
  it('takes elements apart', () => {
    const text =
      '<script>dir</script>\n<powershell>\nGet-Date\n</powershell>\n<persist>true</persist><powershellArguments>-NoProfile</powershellArguments>';
    const { blocks, format, outside } = windows(text);
    expect(format).toBe('blocks');
    expect(outside).toEqual([]);
    expect(
      blocks.map(({ tag, bodyStart, bodyEnd, isClosed }) => [tag, text.slice(bodyStart, bodyEnd), isClosed]),
    ).toEqual([
      ['script', 'dir', true],
      ['powershell', '\nGet-Date\n', true],
      ['persist', 'true', true],
      ['powershellArguments', '-NoProfile', true],
    ]);
    expect(text.slice(blocks[1]?.start, blocks[1]?.end)).toBe('<powershell>\nGet-Date\n</powershell>');
  });

  it.each([
    ['', 'empty'],
    [' \n', 'empty'],
    ['#!/bin/bash\necho', 'none'],
    ['<persist>true</persist>', 'none'],
    ['version: 1.1\ntasks:\n- task: executeScript', 'yaml'],
    ['<powershell>a</powershell>', 'blocks'],
  ])('tells what it is: %j', (text, format) => {
    expect(windows(text).format).toBe(format);
  });

  it.each([
    [''],
    ['<powershell>\nGet-Date\n</powershell>\n'],
    ['\uFEFF  <powershell>a</powershell>\n<persist>true</persist>'],
    ['<script>a</script><powershell>b</powershell>'],
    ['version: 1.0\ntasks:\n- task: executeScript\n'],
    ['<powershell>Write-Output "<script>"</powershell>'],
  ])('finds nothing wrong with %j', (text) => {
    expect(kinds(text)).toEqual([]);
  });

  const WRONG: readonly (readonly [text: string, ...expected: string[]])[] = [
    ['#!/bin/bash\necho', 'no-block error'],
    ['Start-Service x', 'no-block error'],
    ['<persist>true</persist>', 'no-block error'],
    ['«Script»', 'no-block unverifiable'],
    ['<powershell>\na', 'block-not-closed error'],
    ['<powershell>\na\n<powershell>', 'block-not-closed error'],
    ['<powershell>\na «Name»', 'block-not-closed error'],
    ['<powershell>\n  «Script»\n', 'block-not-closed unverifiable'],
    ['<powershell>\na\n«More»«Script»', 'block-not-closed unverifiable'],
    ['<powershell>a</powershell><persist>true', 'block-not-closed warning'],
    ['<persist>true\n<powershell>a</powershell>', 'block-not-closed warning'],
    ['& x -Name «Name»', 'no-block error'],
    ['«Command» -Name x', 'no-block error'],
    [`& x -Name «Name»\n${'y'.repeat(300)}`, 'no-block error'],
    ['«Script»\n<powershell>\na', 'block-not-closed error'],
    ['Get-Date\n«Script»', 'no-block unverifiable'],
    ['a\n</powershell>', 'no-block error'],
    ['<powershell>a</powershell></script>', 'closing-without-block warning'],
    [
      'a</script>b<powershell>c</powershell>',
      'text-outside info',
      'closing-without-block warning',
      'text-outside info',
    ],
    [`${'x'.repeat(300)} «Name» y\n${'z'.repeat(300)}`, 'no-block error'],
    [`${'x'.repeat(300)}\n${' '.repeat(100)}«Script»${' '.repeat(100)}\n${'x'.repeat(300)}`, 'no-block unverifiable'],
    ['<PowerShell>a</PowerShell>', 'tag-case info'],
    ['<powershell>a</Powershell>', 'tag-case info'],
    ['<powershell>a</powershell><powershell>b</powershell>', 'several-blocks warning'],
    ['<script>a</script>\n<powershell>b</powershell>\n<script>c</script>', 'several-blocks warning'],
    ['<powershell>a</powershell>\n<powershell>b', 'block-not-closed error'],
    [
      'Get-Date\n<PowerShell>a</PowerShell>\n</script>\n<powershell>b</powershell>\n<persist>true',
      'text-outside info',
      'tag-case info',
      'closing-without-block warning',
      'several-blocks warning',
      'block-not-closed warning',
    ],
    ['Get-Date\n<powershell>a</powershell>', 'text-outside info'],
    ['<powershell>a</powershell>\n& Start-EKSBootstrap.ps1', 'text-outside warning'],
  ];

  it.each(WRONG)('tells of %j', (text, ...expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  it('tells all of it as the golden file does', () => {
    expectTold(
      'windows-problems.txt',
      WRONG.map(([text]) => [windows(text).text.text, windowsProblems(windows(text))]),
    );
  });

  it('leaves it open what a template puts outside of the blocks', () => {
    expect(kinds('«More»\n<powershell>a</powershell>')).toEqual([]);
  });
});

describe('readPowerShell', () => {
  const wordsOf = (text: string): string[][] =>
    readPowerShell(SourceText.of(text)).map(({ words }) => words.map((word) => word.text ?? `?${word.show()}`));

  it.each([
    [`cmd 'a ''b'' $c' "d ""e"" \`"f\` g"`, ['cmd', `a 'b' $c`, 'd "e" "f g']],
    ['cmd a `\n  b `\r\n c', ['cmd', 'a', 'b', 'c']],
    ['cmd a#b # c', ['cmd', 'a#b']],
    ['cmd <# a\nb #> c', ['cmd', 'c']],
    ['cmd "$(Get-X "a)")" b', ['cmd', '?$(Get-X "a)")', 'b']],
    ['cmd $env:Path $x.Name "$x.Name"', ['cmd', '?$env:Path', '?$x.Name', '?$x.Name']],
    ['cmd "a","b", "c" d', ['cmd', 'a,b,c', 'd']],
    ['cmd a 3>&1 2>$null > out.txt b', ['cmd', 'a', 'b']],
    ["cmd @'\na 'b'\n'@ c", ['cmd', "a 'b'", 'c']],
    ['cmd @parameters @(1, 2)', ['cmd', '?@parameters', '?@(1, 2)']],
    ['cmd @{ a = "}" } a@b', ['cmd', '?@{ a = "}" }', 'a@b']],
    ['cmd a"b c"d e', ['cmd', 'ab cd', 'e']],
    ['cmd "a`nb`tc`$d`"" e', ['cmd', 'a\nb\tc$d"', 'e']],
    ['cmd *>&1 2>> "a log" b', ['cmd', 'b']],
    ["cmd @'\r\na\r\n'@ c", ['cmd', 'a\r', 'c']],
    ['cmd $(a (b {c} \'}\' "`")" `) <# ) #>)) d', ['cmd', '?$(a (b {c} \'}\' "`")" `) <# ) #>))', 'd']],
    ['cmd "$ ${a b} $?" c', ['cmd', '?$ ${a b} $?', 'c']],
    ['cmd $x[0].Y[$i]z "$x[0]" c', ['cmd', '?$x[0].Y[$i]z', '?$x[0]', 'c']],
    ["cmd 'a b", ['cmd', 'a b']],
    ['cmd a <b c#>', ['cmd', 'a', '<b', 'c#>']],
    ['cmd "a b', ['cmd', 'a b']],
    ['cmd a `', ['cmd', 'a', '']],
    ['cmd <# a', ['cmd']],
  ])('%s', (text, words) => {
    expect(wordsOf(text)).toEqual([words]);
  });

  it('fills in variables', () => {
    expect(
      wordsOf('$a = "x"\n[string]$B = \'y z\'\n$c = Get-C\n$d = "$a-${b}"\n$e = $a + "1"\ncmd $A "$b" $c $d $e').at(-1),
    ).toEqual(['cmd', 'x', 'y z', '?$c', 'x-y z', '?$e']);
    expect(wordsOf('$a = "x"\nif ($y) { $a = "z" }\ncmd $a').at(-1)).toEqual(['cmd', '?$a']);
    expect(wordsOf('$a = "x"\n$a += "y"\ncmd $a').at(-1)).toEqual(['cmd', '?$a']);
    expect(wordsOf('$a = "x" # why\n$b = "y" ; $c = \'z\'\ncmd $a $b $c').at(-1)).toEqual(['cmd', 'x', 'y', 'z']);
    expect(wordsOf('$script:a = "x"\n$env:B = "y"\n$c = 7\ncmd $global:a $env:b $b $c').at(-1)).toEqual([
      'cmd',
      'x',
      'y',
      '?$b',
      '7',
    ]);
    expect(wordsOf('$n = "x"\ncmd @"\na $n "b"\n"@ c').at(-1)).toEqual(['cmd', 'a x "b"', 'c']);
    expect(wordsOf('try { $a = "x" } catch { }\ncmd $a').at(-1)).toEqual(['cmd', 'x']);
    expect(wordsOf('$a = "x y"\ncmd -Name $a z').at(-1)).toEqual(['cmd', '-Name', 'x y', 'z']);
    expect(wordsOf('cmd $a = "x"').at(-1)).toEqual(['cmd', '?$a', '=', 'x']);
    expect([32, 33].map((count) => wordsOf(`$a = "${'$x'.repeat(count)}"\ncmd $a`).at(-1))).toEqual([
      ['cmd', `?${'$x'.repeat(32)}`],
      ['cmd', '?$a'],
    ]);
    expect(
      wordsOf(`$a = "xxxxxxxxxxxxxxxx"\n${'$a = "$a$a"\n'.repeat(40)}cmd $a`)
        .at(-1)?.[1]
        ?.slice(0, 3),
    ).toBe('?$a');
  });

  it('tells conditions', () => {
    const text =
      'a\nif ($x) { b } else { c }\ntry { d } catch { e }\nfunction F { g }\nh | i; & j\nforeach ($k in $l) { m }\nn';
    expect(
      readPowerShell(SourceText.of(text)).flatMap(({ words: [word], condition }) =>
        word?.text?.length === 1 ? [`${word.text} ${condition}`] : [],
      ),
    ).toEqual([
      'a always',
      'b conditional',
      'c conditional',
      'd always',
      'e conditional',
      'g function',
      'h always',
      'i always',
      'j always',
      'm conditional',
      'n always',
    ]);
    const nested =
      'filter F { if ($x) { a } }\nb\nif ($x) { try { c } finally { d } } elseif ($y) { e }\ndo { f } while ($x)\ntry { g } finally { h }\n} i';
    expect(
      readPowerShell(SourceText.of(nested)).flatMap(({ words: [word], condition }) =>
        word?.text?.length === 1 ? [`${word.text} ${condition}`] : [],
      ),
    ).toEqual([
      'a function',
      'b always',
      'c conditional',
      'd conditional',
      'e conditional',
      'f always',
      'g always',
      'h always',
      'i always',
    ]);
  });

  it('tells where commands begin and end, and which are calls', () => {
    const text = ' & "a b" c # d\n\n;. e f 3>&1 | g 2>&1\n.\\h & i';
    expect(
      readPowerShell(SourceText.of(text)).map(({ offset, end, isCall }) => [text.slice(offset, end), isCall]),
    ).toEqual([
      ['& "a b" c', true],
      ['. e f', true],
      ['g', false],
      ['.\\h & i', false],
    ]);
  });
});

describe('eksBootstrapCallsIn', () => {
  const shown = (data: WindowsUserData): unknown[] =>
    eksBootstrapCallsIn(data).map(({ parameters }) =>
      Object.fromEntries([...parameters].map(([name, { value }]) => [name, value?.show()])),
    );

  it.each([
    '[string]$EKSBootstrapScriptFile = "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1"\n& $EKSBootstrapScriptFile -EKSClusterName main 3>&1 4>&1 5>&1 6>&1',
    '[string]$EKSBinDir = "$env:ProgramFiles\\Amazon\\EKS"\n[string]$EKSBootstrapScriptName = \'Start-EKSBootstrap.ps1\'\n[string]$EKSBootstrapScriptFile = "$EKSBinDir\\$EKSBootstrapScriptName"\n& $EKSBootstrapScriptFile -EKSClusterName "main"',
    '& "C:\\Program Files\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName \'main\'',
    '. "C:\\Program Files\\Amazon\\EKS\\start-eksbootstrap.ps1" `\n  -eksclustername:main',
    "$file = Join-Path $env:ProgramFiles 'Amazon\\EKS\\Start-EKSBootstrap.ps1'\n& $file -EKSClusterName main",
    '.\\Start-EKSBootstrap.ps1 -EKSC main',
    '& "$x\\Start-EKSBootstrap.ps1" main',
    'powershell.exe -ExecutionPolicy Bypass -File "C:\\Start-EKSBootstrap.ps1" -EKSClusterName main',
    '$out = & "C:\\Start-EKSBootstrap.ps1" -EKSClusterName main',
    'try { & "C:\\Start-EKSBootstrap.ps1" -EKSClusterName main } catch { exit 1 }',
    '& "C:\\Start-EKSBootstrap.ps1" -EKSClusterName main | Out-File c:\\log.txt',
    '& "C:\\Start-EKSBootstrap.ps1" -EKSClusterName: main',
    'pwsh -NoProfile -f C:/Start-EKSBootstrap.ps1 -EKSClusterName main',
    'powershell -FI C:/Start-EKSBootstrap.ps1 main',
    'powershell.exe -fil C:/Start-EKSBootstrap.ps1 main',
    'powershell -File C:\\Start-EKSBootstrap -EKSClusterName main',
  ])('sees the call in %s', (script) => {
    expect(shown(powershell(script))).toEqual([{ EKSClusterName: 'main' }]);
  });

  it.each([
    '# & "C:\\Start-EKSBootstrap.ps1" -EKSClusterName main',
    '<#\n& "C:\\Start-EKSBootstrap.ps1" -EKSClusterName main\n#>',
    'Write-Output "C:\\Start-EKSBootstrap.ps1"',
    '$file = "C:\\Start-EKSBootstrap.ps1"',
    '& $other -Name main',
    'Test-Path "C:\\Start-EKSBootstrap.ps1"',
    '"C:\\Start-EKSBootstrap.ps1" -EKSClusterName main',
    '& "C:\\Other.ps1" -EKSClusterName main',
    'Set-Item $other -EKSClusterName main',
    '& $other "-EKSClusterName main"',
    '& "C:\\Start-EKSBootstrap.ps1.bak" -EKSClusterName main',
    '& "C:\\Re-Start-EKSBootstrap.ps1" -EKSClusterName main',
    'powershell -Command "C:\\Start-EKSBootstrap.ps1" -EKSClusterName main',
    'powershell "C:\\Start-EKSBootstrap.ps1" -EKSClusterName main',
    'powershell -File C:\\Other.ps1 -EKSClusterName main',
    'Start-Process powershell -File C:\\Start-EKSBootstrap.ps1 main',
  ])('sees no call in %s', (script) => {
    expect(shown(powershell(script))).toEqual([]);
  });

  it('reads no call outside of PowerShell, but tells of mentions that may be calls', () => {
    const batch = windows('<script>powershell -File "C:\\Start-EKSBootstrap.ps1"</script>');
    expect(eksBootstrapCallsIn(batch)).toEqual([]);
    expect(mentionsEksBootstrap(batch)).toBe(29);
    expect(mentionsEksBootstrap(powershell('# Start-EKSBootstrap.ps1\n<# Start-EKSBootstrap.ps1 #>'))).toBeUndefined();
    expect(
      mentionsEksBootstrap(powershell('# x\nInvoke-Expression "Start-EKSBootstrap.ps1 -EKSClusterName main"')),
    ).toBeDefined();
    expect(mentionsEksBootstrap(windows('Start-EKSBootstrap.ps1'))).toBeUndefined();
  });

  it.each([
    ['Start-EKSBootstrap\n<powershell>\nGet-Date\n</powershell>\nStart-EKSBootstrap', undefined],
    [
      '<powershell>a</powershell>\nStart-EKSBootstrap\n<script>echo 1 & Start-EKSBootstrap</script>',
      'Start-EKSBootstrap</script>',
    ],
    ['<script># Start-EKSBootstrap</script>', 'Start-EKSBootstrap</script>'],
    ['<powershell>\na#b Start-EKSBootstrap\n</powershell>', 'Start-EKSBootstrap\n</powershell>'],
    ['<powershell>\n<# Start-EKSBootstrap #> x Start-EKSBootstrap\n</powershell>', 'Start-EKSBootstrap\n</powershell>'],
    [
      '<powershell>\na<# Start-EKSBootstrap #>\nif ($x) {# Start-EKSBootstrap\n}# Start-EKSBootstrap\n;# Start-EKSBootstrap\n</powershell>',
      undefined,
    ],
    ['<powershell># Start-EKSBootstrap\n</powershell>', undefined],
    ['<powershell>\n# Start-EKSBootstrap, Start-EKSBootstrap\n</powershell>', undefined],
    [
      '<powershell>a</powershell><powershell># Start-EKSBootstrap\n$x = "Start-EKSBootstrap"</powershell>',
      'Start-EKSBootstrap"</powershell>',
    ],
    ['<powershell># a\n</powershell><persist>Start-EKSBootstrap</persist>', undefined],
  ])('finds the first mention that may run in %j', (text, from) => {
    const offset = mentionsEksBootstrap(windows(text));
    expect(offset === undefined ? undefined : text.slice(offset)).toBe(from);
  });

  it.each<[string, Record<string, string | undefined>, string[]]>([
    [
      'main "--max-pods=3" "--v=1"',
      { EKSClusterName: 'main', KubeletExtraArgs: '--max-pods=3', KubeProxyExtraArgs: '--v=1' },
      [],
    ],
    [
      '-KubeletExtraArgs "--max-pods=3" main "--v=1"',
      { KubeletExtraArgs: '--max-pods=3', EKSClusterName: 'main', KubeProxyExtraArgs: '--v=1' },
      [],
    ],
    ['-EKSClusterName:main x', { EKSClusterName: 'main', KubeletExtraArgs: 'x' }, []],
    ['-EKSClusterName: main x', { EKSClusterName: 'main', KubeletExtraArgs: 'x' }, []],
    ['-EKSClusterName "-main" -DNSClusterIP -1', { EKSClusterName: '-main', DNSClusterIP: '-1' }, []],
    ['-Verbose main -Debug', { EKSClusterName: 'main' }, []],
    ['-EKSClusterName -Debug main', { EKSClusterName: undefined, KubeletExtraArgs: 'main' }, []],
    ['-Error Stop main', { EKSClusterName: 'main' }, ['-Error']],
    ['-ErrorA Stop main', { EKSClusterName: 'main' }, []],
    ['-EKSClusterName main -DNSClusterIP', { EKSClusterName: 'main', DNSClusterIP: undefined }, []],
    ['-EKSClusterName', { EKSClusterName: undefined }, []],
  ])('gives each parameter of %s its value', (args, parameters, unknownNames) => {
    const data = powershell(`& "C:\\Start-EKSBootstrap.ps1" ${args}`);
    expect(shown(data)).toEqual([parameters]);
    expect(
      eksBootstrapCallsIn(data).flatMap(({ unknownParameters }) => unknownParameters.map(({ name }) => name)),
    ).toEqual(unknownNames);
  });

  it('takes parameters as PowerShell does', () => {
    const data = powershell(
      '& "C:\\Start-EKSBootstrap.ps1" -apis https://x -Base64 «Ca» -KubeletExtraArgs "--node-labels=a=«Label»" -Excl "10.0.0.0/8","11.0.0.0/8" -Verbose -ErrorAction Stop main',
    );
    expect(shown(data)).toEqual([
      {
        EKSClusterName: 'main',
        APIServerEndpoint: 'https://x',
        Base64ClusterCA: '«Ca»',
        KubeletExtraArgs: '--node-labels=a=«Label»',
        ExcludedSnatCIDRs: '10.0.0.0/8,11.0.0.0/8',
      },
    ]);
  });

  it('gives offsets in the user data', () => {
    const text = '<powershell>\n  & "C:\\Start-EKSBootstrap.ps1" -EKSClusterName "main"\n</powershell>';
    const [call] = eksBootstrapCallsIn(windows(text));
    expect(call?.offset).toBe(text.indexOf('&'));
    expect(call?.parameters.get('EKSClusterName')).toMatchObject({
      offset: text.indexOf('-EKSC'),
      value: { start: text.indexOf('"main"') },
    });
  });
});

describe('eksBootstrapProblems', () => {
  function problems(args: string): string[] {
    const [call] = eksBootstrapCallsIn(powershell(`& "C:\\Start-EKSBootstrap.ps1" ${args}`));
    if (call === undefined) throw new Error('no call');
    return eksBootstrapProblems(call).map(({ kind, level }) => `${kind} ${level}`);
  }

  it.each([
    ['main'],
    ['-EKSClusterName main'],
    ['-EKSClusterName «Name»'],
    ['-EKSClusterName $name -APIServerEndpoint $endpoint -Base64ClusterCA $ca'],
    ['-EKSClusterName main -APIServerEndpoint "" -Base64ClusterCA ""'],
    ['-EKSClusterName main -Verbose -ErrorAction Stop'],
    [
      '-EKSClusterName main -KubeletExtraArgs "--node-labels=a=b --max-pods=3" -DNSClusterIP 10.0.0.10 -ServiceCIDR 10.0.0.0/16',
    ],
    ['-EKSClusterName main -ContainerRuntime containerd 3>&1 4>&1'],
  ])('finds nothing wrong with %s', (args) => {
    expect(problems(args)).toEqual([]);
  });

  const WRONG: readonly (readonly [args: string, ...expected: string[]])[] = [
    ['', 'cluster-name-missing error'],
    ['-EKSClusterName ""', 'cluster-name-missing error'],
    ['-EKSClusterName main -APIServerEndpoint https://x', 'endpoint-and-certificate-authority warning'],
    [`-EKSClusterName main -Base64ClusterCA ${CA}`, 'endpoint-and-certificate-authority warning'],
    ['-EKSClusterName -KubeletExtraArgs "a"', 'parameter-without-value error'],
    ['-EKSClusterName main -ClusterCA x', 'unknown-parameter warning'],
    [
      '-APIServerEndpoint https://x -ClusterCA y',
      'cluster-name-missing error',
      'endpoint-and-certificate-authority warning',
      'unknown-parameter warning',
    ],
    [
      '-EKSClusterName main -Base64ClusterCA "" -APIServerEndpoint https://x',
      'endpoint-and-certificate-authority warning',
    ],
    ['-EKSClusterName main -Kube x', 'unknown-parameter warning'],
    ['@parameters', 'cluster-name-missing unverifiable', 'unknown-arguments unverifiable'],
    [
      '-EKSClusterName main -APIServerEndpoint https://x «More»',
      'unknown-arguments unverifiable',
      'endpoint-and-certificate-authority unverifiable',
    ],
  ];

  it.each(WRONG)('tells of %s', (args, ...expected) => {
    expect(problems(args)).toEqual(expected);
  });

  it('tells all of it as the golden file does', () => {
    const told = WRONG.map(([args]) => {
      const data = powershell(`& "C:\\Start-EKSBootstrap.ps1" ${args}`);
      return [data.text.text, eksBootstrapCallsIn(data).flatMap(eksBootstrapProblems)] as const;
    });
    expectTold('windows-calls.txt', told);
  });
});

describe('renderWindowsBootstrap', () => {
  it('writes one block, with the scripts of the user first', () => {
    const text = renderWindowsBootstrap({
      clusterName: 'main',
      apiServerEndpoint: 'https://x.eks.amazonaws.com',
      certificateAuthority: CA,
      serviceCidr: '10.1.0.0/16',
      labels: { team: 'a' },
      scripts: ['<powershell>Set-Date\n</powershell>', 'Get-Date'],
      persist: true,
    });
    expect(text).toBe(
      [
        '<powershell>',
        'Set-Date',
        'Get-Date',
        '[string]$EKSBootstrapScriptFile = "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1"',
        `& $EKSBootstrapScriptFile -EKSClusterName "main" -APIServerEndpoint "https://x.eks.amazonaws.com" -Base64ClusterCA "${CA}" -ServiceCIDR "10.1.0.0/16" -KubeletExtraArgs "--node-labels=team=a" 3>&1 4>&1 5>&1 6>&1`,
        '</powershell>',
        '<persist>true</persist>',
        '',
      ].join('\n'),
    );
  });

  const value = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,20}$/);
  const options = fc
    .record({
      clusterName: fc.oneof(value, fc.stringMatching(/^[A-Za-z-][\w (){};#@|&<>,.%!-]{0,12}$/)),
      pair: fc.option(fc.record({ apiServerEndpoint: value, certificateAuthority: value }), { nil: undefined }),
      serviceCidr: fc.option(value, { nil: undefined }),
      excludedSnatCidrs: fc.array(value, { maxLength: 3 }),
      labels: fc.dictionary(value, value, { maxKeys: 2 }),
      scripts: fc.array(
        fc.constantFrom("Write-Output 'a'", 'if ($x) { exit 1 }', '<# # #>', '$a = @"\nb "\n"@', "# it's"),
        { maxLength: 3 },
      ),
    })
    .map(
      ({ pair, serviceCidr, ...rest }): WindowsBootstrapOptions => ({
        ...rest,
        ...pair,
        ...(serviceCidr === undefined ? {} : { serviceCidr }),
      }),
    );

  it('is read back as it was meant, without problems', () => {
    fc.assert(
      fc.property(options, (wanted) => {
        const data = readWindows(SourceText.of(renderWindowsBootstrap(wanted)));
        expect(windowsProblems(data)).toEqual([]);
        const calls: readonly EksBootstrapCall[] = eksBootstrapCallsIn(data);
        expect(calls).toHaveLength(1);
        expect(calls.flatMap(eksBootstrapProblems)).toEqual([]);
        const read = (name: string): string | undefined => calls[0]?.parameters.get(name)?.value?.text;
        const labels = Object.entries(wanted.labels ?? {}).map(([key, label]) => `${key}=${label}`);
        expect([
          read('EKSClusterName'),
          read('APIServerEndpoint'),
          read('Base64ClusterCA'),
          read('ServiceCIDR'),
          read('ExcludedSnatCIDRs'),
          read('KubeletExtraArgs'),
        ]).toEqual([
          wanted.clusterName,
          wanted.apiServerEndpoint,
          wanted.certificateAuthority,
          wanted.serviceCidr,
          wanted.excludedSnatCidrs?.length === 0 ? undefined : wanted.excludedSnatCidrs?.join(','),
          labels.length === 0 ? undefined : `--node-labels=${labels.join(',')}`,
        ]);
      }),
      { numRuns: runs(200) },
    );
  });

  it.each<[string, string, WindowsBootstrapOptions]>([
    ['a double quote', 'clusterName', { clusterName: 'a"b' }],
    ['a quote that only PowerShell knows', 'clusterName', { clusterName: 'a\u201Db' }],
    ['a variable', 'clusterName', { clusterName: 'a$b' }],
    ['a backtick', 'clusterName', { clusterName: 'a`b' }],
    ['a line feed', 'clusterName', { clusterName: 'a\nb' }],
    ['a tag', 'clusterName', { clusterName: 'a</powershell>' }],
    ['an endpoint alone', 'certificateAuthority', { clusterName: 'a', apiServerEndpoint: 'b' }],
    ['batch', 'scripts', { clusterName: 'a', scripts: ['<script>dir</script>'] }],
    ['two blocks', 'scripts', { clusterName: 'a', scripts: ['<powershell>a</powershell><powershell>b</powershell>'] }],
    ['a script that ends PowerShell', 'scripts', { clusterName: 'a', scripts: ['Get-Date\nexit 0'] }],
    [
      "CDK's on-exit commands",
      'scripts',
      {
        clusterName: 'a',
        scripts: ['trap {\n$success=($PSItem.Exception.Message -eq "Success")\nx\nbreak\n}\na\nthrow "Success"'],
      },
    ],
    ['an open quote', 'scripts', { clusterName: 'a', scripts: ["Write-Output 'a"] }],
    ['an open block', 'scripts', { clusterName: 'a', scripts: ['if ($a) {'] }],
    ['an open comment', 'scripts', { clusterName: 'a', scripts: ['<# a'] }],
    ['a second bootstrap', 'scripts', { clusterName: 'a', scripts: ['& "C:\\Start-EKSBootstrap.ps1" a'] }],
  ])('refuses %s', (_, option, refused) => {
    let thrown: unknown;
    try {
      renderWindowsBootstrap(refused);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(BootstrapScriptError);
    expect(thrown).toMatchObject({ option });
  });

  it.each([
    ['exit-code'],
    ['Set-Exit'],
    ['if ($x) { exit 1 }'],
    ['function F { return }'],
    ["Write-Output 'throw'"],
    [''],
  ])('takes the script %j, which does not end PowerShell', (script) => {
    const plain = renderWindowsBootstrap({ clusterName: 'a' });
    expect(renderWindowsBootstrap({ clusterName: 'a', scripts: [script] })).toBe(
      script === '' ? plain : plain.replace('<powershell>\n', `<powershell>\n${script}\n`),
    );
  });

  it.each(['exit', 'Throw', 'return', 'break'])('refuses a script that ends PowerShell with %s', (word) => {
    expect(() => renderWindowsBootstrap({ clusterName: 'a', scripts: [word] })).toThrow(`"${word}"`);
  });

  it('takes scripts out of their block, and normalizes their line ends', () => {
    const text = renderWindowsBootstrap({
      clusterName: 'a',
      dnsClusterIp: '10.0.0.10',
      scripts: [' <powershell>\r\n\r\n  b\rc\n</powershell>\n', '\n\nd \n'],
    });
    expect(text.split('\n').slice(0, 4)).toEqual(['<powershell>', '  b', 'c', 'd']);
    expect(text).toContain(' -DNSClusterIP "10.0.0.10" ');
    expect(text).not.toContain('<persist>');
  });

  it('leaves stand-ins as they are', () => {
    const token = '${Token[TOKEN.123]}';
    expect(renderWindowsBootstrap({ clusterName: token, isOpaque: (text) => text.includes('${Token[') })).toContain(
      `-EKSClusterName "${token}"`,
    );
  });
});

describe('renderWindowsScripts', () => {
  it('writes scripts alone, which EKS puts its bootstrap behind', () => {
    expect(renderWindowsScripts({ scripts: ['a\r\nb', '<powershell>\nc\n</powershell>'] })).toBe(
      '<powershell>\na\nb\nc\n</powershell>\n',
    );
    expect(() => renderWindowsScripts({ scripts: [' '] })).toThrow(BootstrapScriptError);
    expect(() => renderWindowsScripts({ scripts: ['& "C:\\Start-EKSBootstrap.ps1" a'] })).toThrow(
      'which EKS does itself',
    );
  });
});

describe('any text', () => {
  const token = fc.constantFrom(
    ...[
      '<powershell>',
      '</powershell>',
      '<script>',
      '</SCRIPT>',
      '<persist>',
      '<#',
      '#>',
      '#',
      '`',
      '`\n',
      '"',
      "'",
      '@"\n',
      '\n"@',
      "@'\n",
      "\n'@",
      '$',
      '$a',
      '${a',
      '$(',
      '@(',
      '@{',
      '@a',
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
    ],
    ...[
      '&',
      '. ',
      '|',
      ';',
      '\n',
      '\r\n',
      ' ',
      ',',
      '=',
      '$a = ',
      '"$a$a"',
      '>',
      '3>&1',
      '-EKSClusterName',
      ' "C:\\Start-EKSBootstrap.ps1" ',
      ':',
      'if ',
      'try ',
      '«X»',
    ],
  );

  it('never throws, and every offset lies in the text', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.array(fc.oneof({ weight: 9, arbitrary: token }, fc.string()), { maxLength: 60 }),
        (wrapped, tokens) => {
          const data = wrapped ? powershell(tokens.join('')) : windows(tokens.join(''));
          const { length } = data.text.text;
          const calls = eksBootstrapCallsIn(data);
          for (const { offset } of [...windowsProblems(data), ...calls, ...calls.flatMap(eksBootstrapProblems)])
            expect(offset >= 0 && offset <= length).toBe(true);
          for (const { end } of calls) expect(end).toBeLessThanOrEqual(length);
          mentionsEksBootstrap(data);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it.each(
    share([
      ['words', 'word '],
      ['open quotes', 'a "'],
      ['brackets', '('],
      ['blocks', 'if { '],
      ['types', '[][][][][][][][][][][][][][][] '],
      ['here-strings', '@"\n'],
      ['variables', '$a="$a$a";b $a\n'],
      ['comments', '<# #'],
      ['commas', ',\n'],
      ['tags', '<powershell></powershell>'],
      ['mentions', '# Start-EKSBootstrap\n'],
    ]),
  )('reads many %s in time that grows with their number', (_, piece) => {
    const text = SourceText.of(`<powershell>${piece.repeat(Math.ceil(400_000 / piece.length))}`);
    const elapsed = cpuTime();
    const data = readWindows(text);
    eksBootstrapCallsIn(data);
    windowsProblems(data);
    mentionsEksBootstrap(data);
    expect(elapsed()).toBeLessThan(4000);
  });
});
