import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { writePacked } from './packed';

interface Manifest {
  readonly name: string;
  readonly version: string;
}

interface Packed {
  readonly manifest: Manifest;
  readonly tarball: Buffer;
}

/** A registry of npm on this machine, with a few packages. */
export class Registry {
  private readonly packages = new Map<string, Packed>();
  private readonly server: Server;
  /** Paths that were asked for. */
  readonly asked: string[] = [];

  /** @param folder where packages are, packed */
  constructor(folder: string) {
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.tgz'))) {
      const text = execFileSync('tar', ['-xzOf', join(folder, file), 'package/package.json'], { encoding: 'utf8' });
      const manifest = JSON.parse(text) as Manifest;
      this.packages.set(manifest.name, { manifest, tarball: readFileSync(join(folder, file)) });
    }
    this.server = createServer(({ url = '' }, response) => {
      this.asked.push(url);
      const [name = '', tarball] = decodeURIComponent(url.slice(1)).split('/-/');
      const packed = this.packages.get(name);
      if (packed === undefined) response.writeHead(404).end('{}');
      else if (tarball === undefined)
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(this.document(packed)));
      else response.writeHead(200).end(packed.tarball);
    });
  }

  /** Begins to answer; gives the address. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    return this.address();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  private document({ manifest, tarball }: Packed): object {
    const { name, version } = manifest;
    const dist = {
      tarball: `${this.address()}${name}/-/${version}.tgz`,
      integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    };
    return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
  }
}

/** A registry that has the package, and what it needs to run. */
export function packageRegistry(scratch: string): Registry {
  const packed = join(scratch, 'packed');
  writePacked(packed);
  return new Registry(packed);
}

/** What npm is told so that it knows of one registry alone, and nothing of the machine's own npm counts. */
export function npmEnvironment(scratch: string, registry: string): NodeJS.ProcessEnv {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm_|FORCE_COLOR|NO_COLOR|GITHUB_|GITLAB_CI)/i.test(name)),
  );
  return {
    ...inherited,
    HOME: scratch,
    npm_config_userconfig: join(scratch, 'npmrc'),
    npm_config_cache: join(scratch, 'cache'),
    npm_config_registry: registry,
    npm_config_update_notifier: 'false',
    npm_config_fetch_retries: '0',
  };
}
