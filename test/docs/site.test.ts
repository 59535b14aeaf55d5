import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { allRules } from '../../lib/rules';
import { toolRules } from '../../lib/engine/tool-rules';
import { Browser, lackOfBrowser, type Page } from '../browser';
import { skippedNote } from '../needs';

const root = join(__dirname, '..', '..');
const script = join(root, 'scripts', 'docs-site.mjs');
const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-site-'));
const site = join(folder, 'site');
const pages = new Map<string, string>();
const at = (path: string) => `${pathToFileURL(site).href}/${path}`;

// The reference of the API takes ten seconds more; the rest is one second of work.
beforeAll(() => {
  execFileSync(process.execPath, [script, '--without-api', '--out', site]);
  for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.html')) pages.set(name.replaceAll('\\', '/'), readFileSync(join(site, name), 'utf8'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const attributes = (page: string, name: string) =>
  Array.from(page.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g')), ([, value = '']) => value);

describe('the site', () => {
  it('has a page for each guide and each rule, and for what else people read', () => {
    const guides = readdirSync(join(root, 'docs/guides')).map((name) => `guides/${name.replace('.md', '.html')}`);
    const rules = [...allRules, ...toolRules].map(({ id }) => `rules/${id}.html`);
    const others = ['index', 'symptoms', 'versions', 'rules/index', 'changelog', 'contributing', 'security', 'license'];
    expect([...pages.keys()].sort()).toEqual([...guides, ...rules, ...others.map((name) => `${name}.html`)].sort());
  });

  it('loads nothing from elsewhere, and links to its own pages relatively', () => {
    for (const [name, page] of pages) {
      const loaded = [...page.matchAll(/<(?:link|script|img|iframe|source)\b[^>]*(?:href|src)="([^"]*)"/g)];
      const places = loaded.map(([, address = '']) => address);
      expect(places).toHaveLength(3);
      expect([name, ...attributes(page, 'href'), ...places].filter((link) => /^\/|^file:|[\\]/.test(link))).toEqual([]);
      expect(places.filter((link) => /^[a-z]+:|^\/\//.test(link))).toEqual([]);
    }
    const assets = readdirSync(join(site, 'assets'));
    expect(assets.sort()).toEqual(['icon.svg', 'search-index.js', 'site.css', 'site.js']);
    expect(readFileSync(join(site, 'assets/site.css'), 'utf8')).not.toMatch(/url\(|@import|@font-face/);
    expect(readFileSync(join(site, 'assets/site.js'), 'utf8')).not.toMatch(/https?:|XMLHttpRequest/);
  });

  it('has landmarks, one title, headings in their order, and each id once', () => {
    for (const [name, page] of pages) {
      const levels = Array.from(page.matchAll(/<h([1-6])\b/g), ([, level]) => Number(level));
      expect([name, levels.filter((level) => level === 1)]).toEqual([name, [1]]);
      expect([name, levels[0], levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)]).toEqual([
        name,
        1,
        [],
      ]);
      for (const landmark of [
        /<html lang="en">/,
        /<header class="top">/,
        /<main id="content"/,
        /<nav [^>]*aria-label="All pages"/,
        /<footer>/,
      ])
        expect(page).toMatch(landmark);
      const ids = attributes(page, 'id');
      expect([name, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([name, []]);
    }
  });

  it('says above each rule how bad it is, what mends it, where it looks, and since when', () => {
    const badges = (id: string) =>
      Object.fromEntries(
        Array.from(
          (pages.get(`rules/${id}.html`) ?? '').matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g),
          ([, name, text]) => [name, text],
        ),
      ) as unknown;
    expect(badges('imds-hop-limit')).toEqual({
      Severity: 'error',
      'Fixable by --fix': 'in part',
      Reaches: 'CloudFormation, AWS CDK, Terraform, Terraform plans, CDKTF and CDK Terrain, eksctl',
      Subject: 'Instance metadata',
      Since: '0.1.0',
    });
    expect(badges('cluster-replacement')).toMatchObject({ 'Fixable by --fix': 'no', Reaches: 'Terraform plans' });
    expect(badges('suppression-unused')).toMatchObject({ Severity: 'warning' });
    for (const { id, severity } of allRules)
      expect(badges(id)).toMatchObject({ Severity: severity, Reaches: expect.any(String) as string });
  });

  it('has colours that can be read, in the light and in the dark', () => {
    const style = readFileSync(join(site, 'assets/site.css'), 'utf8');
    const schemes = [
      style.slice(0, style.indexOf('@media')),
      style.slice(style.indexOf('@media'), style.search(/^\*/m)),
    ];
    for (const scheme of schemes) {
      const colours = new Map(
        Array.from(scheme.matchAll(/--([\w-]+):\s*(#\w+)/g), ([, name = '', value = '']) => [name, value]),
      );
      const written = [...colours.keys()].filter((name) => !['back', 'paper', 'code', 'line', 'mark'].includes(name));
      expect(written.length).toBeGreaterThan(14);
      for (const behind of ['back', 'paper', 'code'])
        for (const name of written)
          expect([name, behind, contrast(colours.get(name), colours.get(behind)) >= 4.5]).toEqual([name, behind, true]);
      expect(contrast(colours.get('text'), colours.get('mark'))).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('is found by lines of logs, names and words', () => {
    const find = finder();
    expect(find('no EC2 IMDS role found')[0]).toBe('rules/imds-hop-limit.html#how-to-recognise-it');
    expect(
      find('E1125 12:00:01 main.go:42] failed to get credentials: no EC2 IMDS role found, operation error ec2imds')[0],
    ).toMatch('rules/imds-hop-limit.html');
    expect(find('Retrying waiting for IPAM-D')[0]).toMatch('rules/vpc-cni-role-ip-family.html');
    expect(find('imds-hop-limit')[0]).toBe('rules/imds-hop-limit.html');
    expect(find('DISABLE_TCP_EARLY_DEMUX')[0]).toMatch('rules/vpc-cni-tcp-early-demux.html');
    expect(find('baseline')[0]).toBe('guides/suppressions.html#baseline');
    expect(find('pipelines')[0]).toMatch('guides/pipelines.html');
    expect(find('xyzzyplugh')).toEqual([]);
    for (const { id } of allRules.filter((_, index) => index % 9 === 0)) expect(find(id)[0]).toBe(`rules/${id}.html`);
  });

  it('is not written where something leads nowhere, nor over what somebody else keeps', () => {
    const dead = bundled('scripts/docs-site/dead-links.mjs') as { deadLinks(files: Map<string, string>): string[] };
    const files = new Map([
      [
        'index.html',
        '<a href="rules/a.html#there"></a><a href="rules/a.html#gone"></a><a href="b.html"></a><a href="#x"></a>',
      ],
      [
        'rules/a.html',
        '<h2 id="there"></h2><a href="../index.html"></a><a href="../../out.html"></a><a href="https://x.example/"></a>',
      ],
    ]);
    expect(dead.deadLinks(files)).toEqual([
      'index.html: rules/a.html#gone',
      'index.html: b.html',
      'index.html: #x',
      'rules/a.html: ../../out.html',
    ]);
    const mine = join(folder, 'mine');
    mkdirSync(mine);
    writeFileSync(join(mine, 'notes.txt'), 'keep');
    const { status, stderr } = spawnSync(process.execPath, [script, '--without-api', '--out', mine], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('not a site of a former run')]);
    expect(readdirSync(mine)).toEqual(['notes.txt']);
  });
});

const lackOfTime =
  process.env['EKS_GUARDRAILS_API_REFERENCE'] === undefined
    ? 'it takes long, and EKS_GUARDRAILS_API_REFERENCE is not set'
    : undefined;
(lackOfTime === undefined ? it : it.skip)(`the site has what the package exports${skippedNote(lackOfTime)}`, () => {
  const whole = join(folder, 'whole');
  execFileSync(process.execPath, [script, '--out', whole]);
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object };
  const text = readdirSync(join(whole, 'api'))
    .map((name) => readFileSync(join(whole, 'api', name), 'utf8'))
    .join('');
  for (const name of Object.keys(exports).filter((one) => !one.endsWith('.json')))
    expect(text).toContain(name.replace('.', 'eks-guardrails'));
  for (const name of ['checkPaths', 'ManagedNodeGroup', 'EksGuardrailsChecks', 'toPassEksGuardrails', 'checkRule'])
    expect(text).toContain(name);
});

(lackOfBrowser === undefined ? describe : describe.skip)(`the site in a browser${skippedNote(lackOfBrowser)}`, () => {
  let browser: Browser;
  beforeAll(() => {
    browser = Browser.start();
  });
  afterAll(() => browser.close());

  const expectQuiet = ({ complaints, requests }: Page) => {
    expect(complaints).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(at('')))).toEqual([]);
    expect(requests.length).toBeGreaterThan(0);
  };

  it('finds a line of a log and goes there, by keyboard alone', async () => {
    const page = await browser.page();
    await page.open(at('guides/terraform.html'));
    await page.press('/');
    await page.type('no EC2 IMDS role found');
    await page.until("document.querySelectorAll('#results [role=option]').length > 1");
    const chosen = () => page.ask<string>("document.querySelector('[aria-selected=true]')?.href ?? ''");
    expect(await chosen()).toBe(at('rules/imds-hop-limit.html#how-to-recognise-it'));
    expect(await page.ask("document.querySelector('#results mark').textContent")).toBe('no');
    await page.press('ArrowDown');
    expect(await chosen()).not.toMatch('imds-hop-limit');
    await page.press('ArrowUp');
    await page.press('Enter');
    await page.until("location.hash === '#how-to-recognise-it' && document.readyState === 'complete'");
    expect(await page.ask("document.querySelector('h1').textContent")).toBe('imds-hop-limit');
    await page.press('/');
    await page.type('nothing like this: xyzzyplugh');
    await page.until("!document.getElementById('results').hidden");
    await page.press('Escape');
    expect(await page.ask("document.getElementById('results').hidden")).toBe(true);
    expectQuiet(page);
  });

  it('fits a phone, where the menu opens', async () => {
    const page = await browser.page({ width: 390, height: 844 });
    for (const path of [
      'index.html',
      'symptoms.html',
      'rules/index.html',
      'rules/imds-hop-limit.html',
      'guides/command.html',
      'guides/terraform.html',
      'changelog.html',
    ]) {
      await page.open(at(path));
      expect([path, await page.overflow()]).toEqual([path, 0]);
    }
    const isShown = () => page.ask("document.getElementById('navigation').checkVisibility()");
    expect(await isShown()).toBe(false);
    await page.ask("document.querySelector('button.menu').click()");
    expect(await isShown()).toBe(true);
    expectQuiet(page);
  });

  it('is light or dark as the reader likes it, and goes to paper', async () => {
    const background = (page: Page) => page.ask('getComputedStyle(document.body).backgroundColor');
    const [light, dark] = [await browser.page(), await browser.page({ dark: true })];
    for (const page of [light, dark]) await page.open(at('rules/imds-hop-limit.html'));
    expect([await background(light), await background(dark)]).toEqual(['rgb(255, 255, 255)', 'rgb(13, 17, 23)']);
    expect((await dark.pdf()).toString('latin1', 0, 5)).toBe('%PDF-');
    expectQuiet(light);
    expectQuiet(dark);
  });
});

/** A module of the scripts, which are no CommonJS. */
function bundled(path: string): unknown {
  const outfile = join(folder, `${basename(path, '.mjs')}.cjs`);
  buildSync({ entryPoints: [join(root, path)], bundle: true, platform: 'node', format: 'cjs', outfile });
  return createRequire(__filename)(outfile);
}

/** The search of the pages: what it finds, the best first. */
function finder(): (query: string) => string[] {
  const { Finder } = bundled('scripts/docs-site/browser/finder.mjs') as {
    Finder: new (index: unknown) => { find(query: string): { page: string; anchor: string }[] };
  };
  const script = readFileSync(join(site, 'assets/search-index.js'), 'utf8');
  const found = new Finder(JSON.parse(script.slice(script.indexOf('{'), script.lastIndexOf(';'))));
  return (query) => found.find(query).map(({ page, anchor }) => page + (anchor === '' ? '' : `#${anchor}`));
}

/** Of WCAG 2: from 1 to 21. */
function contrast(one = '', other = ''): number {
  const light = (colour: string) => {
    const digits = colour.length === 4 ? colour.replaceAll(/[\da-f]/g, '$&$&') : colour;
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
      const part = parseInt(digits.slice(start, start + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [more, less] = [light(one), light(other)].sort((a, b) => b - a) as [number, number];
  return (more + 0.05) / (less + 0.05);
}
