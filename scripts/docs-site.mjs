// Writes the documentation as a static site into site/: npm run docs:site
//   --out FOLDER    another folder; what a former run left there is replaced
//   --without-api   leaves out the API reference, which takes most of the time
// The pages work from a disk, and below any path of a server: links are relative, and nothing is loaded from elsewhere. A dead link or anchor is an error.
// It takes rules, their metadata and declarations from the compiled package, so build first.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isBuilt } from './built.mjs';
import { apiPages } from './docs-site/api-reference.mjs';
import { deadLinks } from './docs-site/dead-links.mjs';
import { documentationPages } from './docs-site/pages.mjs';
import { siteFiles } from './docs-site/site.mjs';

/** Tells a folder that this script wrote from one that somebody keeps other things in. */
const MARK = '.eks-guardrails-site';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'site') }, 'without-api': { type: 'boolean', default: false } },
});
const { out } = values;

if (!isBuilt()) fail('dist/ is missing; run "npm run build" first');
if (existsSync(out) && !existsSync(join(out, MARK)))
  fail(`${out} is there already, and not a site of a former run: remove it, or name another folder`);

const pages = [...documentationPages(root), ...(values['without-api'] ? [] : await apiPages(root))];
const { files, problems } = await siteFiles(root, pages);
const dead = [...problems, ...deadLinks(files)];
if (dead.length > 0) fail(`dead links:\n  ${dead.join('\n  ')}`);

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
writeFileSync(join(out, MARK), '');
for (const [name, content] of files) {
  mkdirSync(dirname(join(out, name)), { recursive: true });
  writeFileSync(join(out, name), content);
}
const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
console.log(`docs:site: ${pages.length} pages of ${version}; open ${join(out, 'index.html')}`);

function fail(message) {
  console.error(`docs:site: ${message}`);
  process.exit(1);
}
