import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { GROUPS } from './pages.mjs';

/** What package.json exports and where its declarations are read; cdktn is compiled from the source of cdktf, so that its page would be the same. */
const MODULES = [
  ['eks-guardrails', 'lib/index.d.ts'],
  ['eks-guardrails/aws-cdk', 'constructs/aws-cdk/index.d.ts'],
  ['eks-guardrails/cdktf', 'constructs/cdktf/index.d.ts'],
  ['eks-guardrails/cdk-nag', 'aspects/cdk-nag/index.d.ts'],
  ['eks-guardrails/jest', 'aspects/jest/index.d.ts'],
  ['eks-guardrails/testing', 'lib/testing/index.d.ts'],
  ['eks-guardrails/run-task', 'lib/run-task/index.d.ts'],
];

/**
 * The public API as pages, from the declarations that the package has.
 * @returns {Promise<import('./pages.mjs').Page[]>}
 */
export async function apiPages(root) {
  // It takes a second to load, which a site without this needs not wait for.
  const { Application } = await import('typedoc');
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-api-'));
  try {
    const entryPoints = MODULES.map(([, file]) => join(root, 'dist', file));
    const tsconfig = join(folder, 'tsconfig.json');
    writeFileSync(
      tsconfig,
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] },
        include: [],
        files: entryPoints,
      }),
    );
    const application = await Application.bootstrapWithPlugins({
      plugin: ['typedoc-plugin-markdown'],
      entryPoints,
      tsconfig,
      name: 'eks-guardrails',
      readme: 'none',
      logLevel: 'Error',
      skipErrorChecking: true,
      disableSources: true,
      excludePrivate: true,
      excludeInternal: true,
      excludeExternals: true,
      // Of the plugin: a page for each module, whose headings are the names.
      outputFileStrategy: 'modules',
      outputs: [{ name: 'markdown', path: join(folder, 'out') }],
      hidePageHeader: true,
      hideBreadcrumbs: true,
      useCodeBlocks: true,
      parametersFormat: 'table',
      propertiesFormat: 'table',
      interfacePropertiesFormat: 'table',
      typeAliasPropertiesFormat: 'table',
      enumMembersFormat: 'table',
      indexFormat: 'table',
    });
    const project = await application.convert();
    if (project === undefined) throw new Error('typedoc could not read the declarations');
    await application.generateOutputs(project);
    return pagesOf(join(folder, 'out'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns {import('./pages.mjs').Page[]} */
function pagesOf(folder) {
  const page = (file, path, title, markdown) => ({
    source: `api/${file}`,
    path: `api/${path}`,
    title,
    label: title,
    kind: 'API',
    group: GROUPS.api,
    markdown,
  });
  const modules = MODULES.map(([name, declarations]) => {
    const file = declarations.replace(/(?:\/index)?\.d\.ts$/, '.md');
    // The name that one imports, instead of the folder.
    const markdown = readFileSync(join(folder, file), 'utf8').replace(/^# .*$/m, `# ${name}`);
    return page(file, `${name.split('/').at(-1)}.html`, name, markdown);
  });
  const anchors = new Map(modules.map(({ source, markdown }) => [source, anchorsOf(markdown)]));
  for (const one of modules) one.markdown = withoutNeedlessNumbers(one, anchors);
  const rows = modules.map(({ source, title, markdown }) => {
    const [, summary = ''] = /^# .*\n\n((?!#).+)$/m.exec(markdown) ?? [];
    return `| [${title}](${source.slice('api/'.length)}) | ${summary.replaceAll('|', '\\|')} |`;
  });
  const start = `# API reference\n\nWhat programs can import, made from the declarations in the package.\n\n| import | what for |\n|---|---|\n${rows.join('\n')}\n\n\`eks-guardrails/cdktn\`, for CDK Terrain, has the same as \`eks-guardrails/cdktf\`.\n`;
  return [page('README.md', 'index.html', 'API reference', start), ...modules].map((one, index) =>
    index === 0 ? { ...one, label: 'Overview' } : one,
  );
}

/** Names in a page, in small letters, and how often each is there. */
function anchorsOf(markdown) {
  const names = Array.from(markdown.matchAll(/^#+ (\w+)|<a id="(\w+)(?:-\d+)?">/gm), ([, heading, row]) =>
    (heading ?? row).toLowerCase(),
  );
  const times = new Map();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return times;
}

/** The plugin gives some links a number, as if there were several of that name, where its page has one. */
function withoutNeedlessNumbers({ source, markdown }, anchors) {
  return markdown.replaceAll(/\]\(([^()#]*)#(\w+)-(\d+)\)/g, (link, file, name) => {
    const target = anchors.get(file === '' ? source : posix.join(posix.dirname(source), file));
    return target?.get(name) === 1 ? `](${file}#${name})` : link;
  });
}
