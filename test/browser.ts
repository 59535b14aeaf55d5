import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** A browser that takes the options of Chromium: the one that EKS_GUARDRAILS_BROWSER names, or `chromium` on the path. */
function findBrowser(): string | undefined {
  const named = process.env['EKS_GUARDRAILS_BROWSER'] ?? '';
  const places =
    named !== '' ? [named] : (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'chromium'));
  return places.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export const browserPath = findBrowser();

/** For `skippedNote`. */
export const lackOfBrowser =
  browserPath === undefined
    ? 'there is no chromium on the PATH, and EKS_GUARDRAILS_BROWSER names no browser'
    : undefined;

/** Options of every start. */
export const BROWSER_OPTIONS = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars'];

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

/** Longest that a page may take to be there. */
const MOST_SECONDS = 60;

/**
 * A browser that is told what to do over its DevTools protocol, through a pipe: without a port that others could reach, and without a library that is
 * larger than the package.
 */
export class Browser {
  private readonly waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  private readonly listeners = new Map<string, (answer: Answer) => void>();
  private number = 0;
  private rest = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly profile: string,
  ) {
    const output = child.stdio[4] as Readable;
    output.setEncoding('utf8');
    output.on('data', (piece: string) => {
      const messages = (this.rest + piece).split('\0');
      this.rest = messages.pop() ?? '';
      for (const message of messages) this.received(JSON.parse(message) as Answer);
    });
    child.on('close', () => {
      for (const { reject } of this.waiting.values()) reject(new Error('the browser has ended'));
    });
  }

  static start(): Browser {
    const profile = mkdtempSync(join(tmpdir(), 'eks-guardrails-browser-'));
    const options = [...BROWSER_OPTIONS, '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'];
    const child = spawn(browserPath ?? '', options, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    return new Browser(child, profile);
  }

  send(method: string, params: object = {}, sessionId?: string): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, {
        resolve: ({ error, result = {} }) => {
          if (error === undefined) resolve(result);
          else reject(new Error(`${method}: ${error.message}`));
        },
        reject,
      });
      (this.child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  async page(
    values: { readonly width?: number; readonly height?: number; readonly dark?: boolean } = {},
  ): Promise<Page> {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, String(sessionId));
    this.listeners.set(String(sessionId), (event) => {
      page.happened(event.method ?? '', event.params ?? {});
    });
    const { width = 1300, height = 900, dark = false } = values;
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await page.send(`${domain}.enable`);
    await page.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: width < 600,
    });
    await page.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }],
    });
    return page;
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('close', resolve));
    await this.send('Browser.close').catch(() => this.child.kill());
    await ended;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  private received(answer: Answer): void {
    if (answer.id === undefined) this.listeners.get(answer.sessionId ?? '')?.(answer);
    else this.waiting.get(answer.id)?.resolve(answer);
    this.waiting.delete(answer.id ?? 0);
  }
}

/** A tab. */
export class Page {
  /** Addresses of all that was asked for. */
  readonly requests: string[] = [];
  /** Errors of scripts, and what the console shows as warning or error. */
  readonly complaints: string[] = [];

  constructor(
    private readonly browser: Browser,
    private readonly session: string,
  ) {}

  send(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    return this.browser.send(method, params, this.session);
  }

  happened(method: string, params: Readonly<Record<string, unknown>>): void {
    if (method === 'Network.requestWillBeSent') this.requests.push((params['request'] as { url: string }).url);
    if (method === 'Runtime.exceptionThrown' || (method === 'Log.entryAdded' && isBad(params['entry'])))
      this.complaints.push(JSON.stringify(params));
    if (method === 'Runtime.consoleAPICalled' && ['error', 'warning'].includes(String(params['type'])))
      this.complaints.push(JSON.stringify(params['args']));
  }

  async open(url: string): Promise<void> {
    await this.send('Page.navigate', { url });
    await this.until(`location.href === ${JSON.stringify(url)} && document.readyState === 'complete'`);
  }

  /** The value of an expression, or of the promise that it is, in the page. */
  async ask<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { value: T }).value;
  }

  /** Waits until an expression holds. */
  async until(condition: string): Promise<void> {
    const end = performance.now() + MOST_SECONDS * 1000;
    // While a page loads, there is none to ask.
    while ((await this.ask(condition).catch(() => false)) !== true) {
      if (performance.now() > end) throw new Error(`never came true: ${condition}`);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  async press(key: string): Promise<void> {
    const code = { Enter: 13, ArrowDown: 40, ArrowUp: 38, Escape: 27, Tab: 9 }[key];
    const text = key.length === 1 ? { text: key } : key === 'Enter' ? { text: '\r' } : {};
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, windowsVirtualKeyCode: code, ...text });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key, windowsVirtualKeyCode: code });
  }

  async type(text: string): Promise<void> {
    await this.send('Input.insertText', { text });
  }

  async screenshot(): Promise<Buffer> {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(String(data), 'base64');
  }

  async pdf(): Promise<Buffer> {
    const { data } = await this.send('Page.printToPDF', {
      printBackground: true,
      paperWidth: 8.27,
      paperHeight: 11.69,
    });
    return Buffer.from(String(data), 'base64');
  }

  /** How much wider the content is than the window. */
  overflow(): Promise<number> {
    return this.ask('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  }
}

function isBad(entry: unknown): boolean {
  return ['error', 'warning'].includes((entry as { level: string }).level);
}
