import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateSync } from 'node:zlib';
import { Browser, BROWSER_OPTIONS, browserPath, lackOfBrowser } from '../browser';
import { skippedNote } from '../needs';
import { found, pageOf, resultFor, small } from './html-page';
import { findingOn, resourceAt } from './hand-made';
import { files, hopLimit, sample } from './sample';

const describeInBrowser = lackOfBrowser === undefined ? describe : describe.skip;

const TIME = 90_000;

/** Every run on its own profile, so that they may run at the same time. */
function run(
  page: string,
  folder: string,
  ...options: readonly string[]
): Promise<{ stdout: string; console: string[] }> {
  return new Promise((resolve, reject) => {
    const profile = mkdtempSync(join(folder, 'profile-'));
    const common = [
      ...BROWSER_OPTIONS,
      '--window-size=1300,1200',
      '--enable-logging=stderr',
      `--user-data-dir=${profile}`,
    ];
    const child = spawn(browserPath ?? '', [...common, ...options, pathToFileURL(page).href], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIME,
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
    child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
    child.on('error', reject);
    child.on('close', () => {
      resolve({ stdout, console: stderr.split('\n').filter((line) => line.includes(':CONSOLE')) });
    });
  });
}

/** Colour of the first pixel of a PNG with 8 bits per channel: nothing stands before it, so no filter changes it. */
function firstPixel(png: Buffer): readonly number[] {
  const pieces: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      pieces.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return [...inflateSync(Buffer.concat(pieces)).subarray(1, 4)];
}

describeInBrowser(`the HTML report in a browser${skippedNote(lackOfBrowser)}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-html-'));
  const page = join(folder, 'report.html');
  const evil = '"><script>document.title = "taken"</script><img src=x onerror="document.title=1">';
  const text = pageOf(
    {
      ...resultFor({ ...small, [evil]: small['Batch'] }, (model) => [
        ...sample.findings,
        ...model.nodeGroups.flatMap((group) => found(group, { message: evil })),
      ]),
      diagnostics: sample.diagnostics,
    },
    files,
  );
  beforeAll(() => {
    writeFileSync(page, text);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it(
    'shows without a complaint of the browser, as it was written',
    async () => {
      const { stdout, console } = await run(page, folder, '--dump-dom');
      expect(console).toEqual([]);
      expect(stdout).toContain('<title>EKS guardrails report: ');
      expect(stdout).not.toMatch(/<script|<img/);
      for (const tag of ['a', 'article', 'g', 'text', 'path', 'title', 'li', 'details', 'pre']) {
        const count = (markup: string) => markup.match(new RegExp(`<${tag}[ >]`, 'g'))?.length;
        expect([tag, count(stdout)]).toEqual([tag, count(text)]);
      }
    },
    TIME,
  );

  it(
    'runs no script, even if one got into it',
    async () => {
      const taken = join(folder, 'taken.html');
      writeFileSync(
        taken,
        text.replace(
          '</main>',
          '<script>document.title = "taken"</script><img src="https://example.com/x.png"/></main>',
        ),
      );
      const { stdout, console } = await run(taken, folder, '--dump-dom');
      expect(console.length).toBeGreaterThan(0);
      expect(stdout).not.toContain('<title>taken');
    },
    TIME,
  );

  it(
    'is light or dark as the reader likes it',
    async () => {
      const shots = [join(folder, 'light.png'), join(folder, 'dark.png')] as const;
      const [light, dark] = await Promise.all([
        run(page, folder, `--screenshot=${shots[0]}`),
        // 0 is dark in Chromium's list of colour schemes.
        run(page, folder, '--blink-settings=preferredColorScheme=0', `--screenshot=${shots[1]}`),
      ]);
      expect([...light.console, ...dark.console]).toEqual([]);
      expect(firstPixel(readFileSync(shots[0]))).toEqual([0xf6, 0xf8, 0xfa]);
      expect(firstPixel(readFileSync(shots[1]))).toEqual([0x0d, 0x11, 0x17]);
    },
    TIME,
  );

  it(
    'goes to paper, twelve findings on four pages at most',
    async () => {
      const pdf = join(folder, 'report.pdf');
      const twelve = join(folder, 'twelve.html');
      const resources = Array.from({ length: 12 }, (_, index) => resourceAt(hopLimit.source, { id: `Nodes${index}` }));
      const findings = resources.map((resource, index) =>
        findingOn(resource, { ...hopLimit, resource, rule: `rule-${index}`, fixCode: 'metadata:\n  hopLimit: 2\n' }),
      );
      writeFileSync(twelve, pageOf({ ...resultFor(small, () => findings), diagnostics: [] }, files));
      const { console } = await run(twelve, folder, `--print-to-pdf=${pdf}`);
      expect(console).toEqual([]);
      const text = readFileSync(pdf).toString('latin1');
      expect(text.slice(0, 5)).toBe('%PDF-');
      const pages = text.match(/\/Type \/Page\b/g)?.length ?? 0;
      expect(pages).toBeGreaterThan(0);
      expect(pages).toBeLessThanOrEqual(4);
    },
    TIME,
  );

  it(
    'fits a phone',
    async () => {
      const browser = Browser.start();
      try {
        const tab = await browser.page({ width: 390, height: 844 });
        await tab.open(pathToFileURL(page).href);
        expect(await tab.overflow()).toBe(0);
        expect(await tab.ask("document.querySelector('.as-text li').checkVisibility()")).toBe(true);
        expect(tab.complaints).toEqual([]);
      } finally {
        await browser.close();
      }
    },
    TIME,
  );
});
