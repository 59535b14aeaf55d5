import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WatchedPlaces } from '../../../lib/cli/check/watched-places';
import { builtCommand, runCommand, startCommand } from '../built-command';
import { nodeGroupTemplate, workspace } from '../workspace';
import { itWithAll } from '../../share';

const one = nodeGroupTemplate(['HttpPutResponseHopLimit: 1', 'HttpTokens: required']);
const two = nodeGroupTemplate(['HttpPutResponseHopLimit: 2', 'HttpTokens: required']);
const folder = workspace({
  '.git/HEAD': '',
  'infra/nodes.yaml': one,
  'node_modules/acme/index.js': '',
  'eks-guardrails.config.cjs': 'module.exports = { rules: require("./rules.cjs") };\n',
  'rules.cjs': 'module.exports = {};\n',
});

/** A watching command, and what it says. */
class Watching {
  private readonly child: ChildProcess;
  private output = '';
  private read = 0;

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, [builtCommand(), 'check', ...args, '--watch'], { cwd: folder });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (text: Buffer) => {
        this.output += text.toString();
      });
  }

  /** What is said until the next check is done. */
  async next(): Promise<string> {
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
      const end = this.output.indexOf('Ctrl+C ends.', this.read);
      if (end >= 0) {
        // Both streams tell of one check; the other one may be late.
        await pause(200);
        const said = this.output.slice(this.read);
        this.read = this.output.length;
        return said;
      }
      await pause(20);
    }
    throw new Error(`nothing more is said:\n${this.output}`);
  }

  get saidMore(): boolean {
    return this.output.length > this.read;
  }

  async interrupt(): Promise<number | null> {
    this.child.kill('SIGINT');
    const [code] = (await once(this.child, 'exit')) as [number | null];
    return code;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

itWithAll('checks again when something changes that it looks at, and when nothing else does', async () => {
  const watching = new Watching(['.', '--format', 'compact', '--format', 'json', '--output', 'infra/findings.json']);
  try {
    expect(await watching.next()).toMatch(
      /infra\/nodes\.yaml:\d+:\d+: error imds-hop-limit[^]*\d\d:\d\d:\d\d Watching/,
    );

    writeFileSync(join(folder, 'infra/nodes.yaml'), two);
    const repaired = await watching.next();
    expect(repaired).toMatch(/\d\d:\d\d:\d\d infra\/nodes\.yaml changed\.\n/);
    expect(repaired).not.toContain('imds-hop-limit');
    // No terminal is there to be cleared.
    expect(repaired).not.toContain('\u001b');

    // Neither its own report, nor what it never looks at.
    writeFileSync(join(folder, 'infra/findings.json'), '{}');
    writeFileSync(join(folder, 'node_modules/acme/index.json'), '{}');
    writeFileSync(join(folder, 'infra/notes.txt'), 'a');
    await pause(1500);
    expect(watching.saidMore).toBe(false);

    // Half a file: nothing is reported of it.
    writeFileSync(join(folder, 'infra/nodes.yaml'), 'Resources: {');
    const half = await watching.next();
    expect(half).toContain(
      "It can't be read yet, so the report above is of what was there before:\ninfra/nodes.yaml:1:13 ",
    );
    expect(half).not.toContain('in 1 input');

    // As editors write: a file takes the place of another one.
    writeFileSync(join(folder, 'infra/.nodes.yaml.swp'), one);
    renameSync(join(folder, 'infra/.nodes.yaml.swp'), join(folder, 'infra/nodes.yaml'));
    expect(await watching.next()).toContain('error imds-hop-limit');

    // A new file in a new folder, and one that goes.
    mkdirSync(join(folder, 'infra/more'));
    writeFileSync(join(folder, 'infra/more/nodes.yaml'), one);
    expect(await watching.next()).toMatch(
      /infra\/more.* changed[^]*infra\/more\/nodes\.yaml:\d+:\d+: error imds-hop-limit|infra\/more\/nodes\.yaml:\d+:\d+: error imds-hop-limit[^]*infra\/more.* changed/,
    );
    rmSync(join(folder, 'infra/more'), { recursive: true });
    expect(await watching.next()).not.toContain('infra/more/nodes.yaml:');

    // Modules of the configuration are loaded anew, and a mistake in it ends nothing.
    writeFileSync(join(folder, 'eks-guardrails.config.cjs'), 'module.exports = { failOn: "nevr" };\n');
    expect(await watching.next()).toContain('error: eks-guardrails.config.cjs: failOn: expected error,');
    writeFileSync(
      join(folder, 'eks-guardrails.config.cjs'),
      'module.exports = { rules: { "imds-hop-limit": "info" } };\n',
    );
    expect(await watching.next()).not.toContain('error imds-hop-limit');
  } finally {
    expect(await watching.interrupt()).toBe(130);
  }
});

it.each([
  [['.', '--fix'], '--fix would change the files that are watched, again and again; run it by itself'],
  [['.', '--write-baseline', 'b.json'], '--write-baseline would accept everything that comes up; run it by itself'],
  [['-'], 'the standard input (-) can be read once only; name files or folders'],
  [['--print-config'], '--print-config prints once, and checks nothing'],
])('refuses %j', (args, why) => {
  expect(runCommand(['check', ...args, '--watch'], { cwd: folder })).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `error: --watch doesn't go with this: ${why}\n`,
  });
});

it('ends at once for a command line that makes no sense', () => {
  const { exitCode, stderr } = startCommand(['check', '.', '--watch', '--rule', 'imds-v9=off'], { cwd: folder });
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('there is no rule') as string });
});

describe('the places of a check', () => {
  const places = workspace({ 'a.yaml': 'a', 'sub/b.tf': 'b', 'out.json': '' });
  const around = workspace({ 'sub/deep/b.tf': '', 'other/c.tf': '', 'node_modules/acme/d.json': '' });
  const at = (...names: readonly string[]) => names.map((name) => join(places, name));

  it('are told where they have changed, and only once', () => {
    const watched = new WatchedPlaces(at('out.json'), () => undefined);
    try {
      watched.set({ files: at('a.yaml', 'gone.tf', 'out.json'), folders: [places] }, Infinity);
      expect(watched.changes()).toEqual([]);
      writeFileSync(join(places, 'out.json'), 'more');
      writeFileSync(join(places, 'notes.txt'), '');
      writeFileSync(join(places, '.#a.yaml'), '');
      expect(watched.changes()).toEqual([]);
      writeFileSync(join(places, 'a.yaml'), 'aa');
      writeFileSync(join(places, 'gone.tf'), '');
      writeFileSync(join(places, 'sub/c.tf'), '');
      rmSync(join(places, 'sub/b.tf'));
      expect(watched.changes()).toEqual(at('a.yaml', 'gone.tf', 'sub/b.tf', 'sub/c.tf'));
      expect(watched.changes()).toEqual([]);
      // What changed while a check ran, which is only now known to have read it.
      writeFileSync(join(places, 'sub/read.sh'), '');
      utimesSync(join(places, 'sub/read.sh'), 2000, 2000);
      watched.set({ files: at('sub/read.sh'), folders: [] }, 3_000_000);
      expect(watched.changes()).toEqual([]);
      watched.set({ files: at('a.yaml'), folders: [] }, 3_000_000);
      expect(watched.changes()).toEqual(at('a.yaml'));
    } finally {
      watched.end();
    }
  });

  it('are watched folder by folder, each once, and no longer than they matter', () => {
    const under = (...names: readonly string[]) => names.map((name) => join(around, name));
    const open = new Map<string, { readonly onChange: () => void; readonly onError: () => void }>();
    const began: string[] = [];
    const watchFolder = ((folder: string, onChange: () => void) => {
      began.push(folder);
      return {
        on: (_: 'error', onError: () => void) => open.set(folder, { onChange, onError }),
        close: () => open.delete(folder),
      };
    }) as unknown as ConstructorParameters<typeof WatchedPlaces>[2];
    let signs = 0;
    const watched = new WatchedPlaces([], () => void signs++, watchFolder);
    watched.set({ files: under('other/c.tf', 'not/there/yet.tf'), folders: under('sub') }, Infinity);
    expect([...open.keys()].sort()).toEqual([around, ...under('other', 'sub', 'sub/deep')].sort());
    open.get(join(around, 'other'))?.onChange();
    expect(signs).toBe(1);
    // One that can't be watched any more is watched anew, if it is still there.
    open.get(join(around, 'sub/deep'))?.onError();
    expect([signs, open.has(join(around, 'sub/deep'))]).toEqual([2, false]);
    watched.set({ files: [], folders: [around] }, Infinity);
    expect([...open.keys()].sort()).toEqual([around, ...under('other', 'sub', 'sub/deep')].sort());
    expect(began).toHaveLength(5);
    watched.set({ files: under('other/c.tf'), folders: [] }, Infinity);
    expect([...open.keys()]).toEqual(under('other'));
    watched.end();
    expect(open.size).toBe(0);
  });

  it('that come and go as a whole are told by their own name', () => {
    const watched = new WatchedPlaces([], () => undefined);
    try {
      watched.set({ files: [join(around, 'x.tf')], folders: [around] }, Infinity);
      rmSync(join(around, 'sub'), { recursive: true });
      mkdirSync(join(around, 'x.tf'));
      expect(watched.changes()).toEqual(['sub', 'sub/deep', 'x.tf'].map((name) => join(around, name)));
    } finally {
      watched.end();
    }
  });

  it('are looked at again and again where the system can not watch them', async () => {
    let signs = 0;
    const full = () => {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    };
    const watched = new WatchedPlaces([], () => void signs++, full);
    try {
      watched.set({ files: at('a.yaml'), folders: [places] }, Infinity);
      await pause(1200);
      expect(signs).toBeGreaterThan(0);
    } finally {
      watched.end();
    }
  });
});
