import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { built } from '../built.mjs';
import { badgesOf, toolBadgesOf } from './rule-badges.mjs';

/**
 * A page of the site.
 * @typedef {object} Page
 * @property {string} source path of its Markdown from the root of the repository, by which other pages refer to it
 * @property {string} path where it stands in the site
 * @property {string} title
 * @property {string} label what navigation calls it
 * @property {string} kind `Guide`, `Rule` and the like, which the search tells
 * @property {string} group its group in the navigation
 * @property {string} markdown
 * @property {readonly {name: string, text: string}[]} [badges]
 */

/** The groups of the navigation, in its order; those of the rules are subjects. */
export const GROUPS = { start: '', guides: 'Guides', rules: 'Rules', api: 'API reference', project: 'Project' };

/** @returns {Page[]} */
export function documentationPages(root) {
  const read = (source) => readFileSync(join(root, source), 'utf8');
  const page = (source, path, values) => {
    const markdown = read(source);
    const [, title = values.label] = /^# (.+)$/m.exec(markdown) ?? [];
    return { source, path, markdown, title: title.replaceAll('`', ''), label: title.replaceAll('`', ''), ...values };
  };
  return [
    page('README.md', 'index.html', { kind: 'Start', group: GROUPS.start, label: 'Start' }),
    page('docs/symptoms.md', 'symptoms.html', { kind: 'Symptoms', group: GROUPS.start }),
    ...readdirSync(join(root, 'docs/guides'))
      .sort(byReading)
      .map((name) =>
        page(`docs/guides/${name}`, `guides/${name.replace(/md$/, 'html')}`, { kind: 'Guide', group: GROUPS.guides }),
      ),
    page('docs/versions.md', 'versions.html', { kind: 'Versions', group: GROUPS.guides }),
    page('docs/rules/README.md', 'rules/index.html', { kind: 'Rules', group: GROUPS.rules, label: 'All rules' }),
    ...rulePages(page),
    page('CHANGELOG.md', 'changelog.html', { kind: 'Project', group: GROUPS.project }),
    page('CONTRIBUTING.md', 'contributing.html', { kind: 'Project', group: GROUPS.project }),
    page('SECURITY.md', 'security.html', { kind: 'Project', group: GROUPS.project }),
    {
      source: 'LICENSE',
      path: 'license.html',
      title: 'License',
      label: 'License',
      kind: 'Project',
      group: GROUPS.project,
      markdown: `# License\n\n\`\`\`text\n${read('LICENSE').trimEnd()}\n\`\`\`\n`,
    },
  ];
}

/** The order in which people need them; what isn't named comes last. */
const READING = [
  'command',
  'terraform',
  'aws-cdk',
  'cdktf',
  'constructs',
  'other-languages',
  'python',
  'java',
  'dotnet',
  'go',
  'pipelines',
  'configuration',
  'suppressions',
  'unverifiable',
  'user-data',
  'addon-diff',
  'upgrades',
  'live-clusters',
];

function byReading(one, other) {
  const place = (name) => (READING.indexOf(name.replace('.md', '')) + READING.length + 1) % (READING.length + 1);
  return place(one) - place(other) || (one < other ? -1 : 1);
}

function rulePages(page) {
  const { allRules } = built('rules/index');
  const { SUBJECTS } = built('cli/rules/rule-page');
  const { toolRules } = built('engine/tool-rules');
  const one = (id, subject, badges) =>
    page(`docs/rules/${id}.md`, `rules/${id}.html`, { kind: 'Rule', group: `${GROUPS.rules}: ${subject}`, badges });
  return [
    ...Object.entries(SUBJECTS).flatMap(([subject, name]) =>
      allRules.filter((rule) => rule.subject === subject).map((rule) => one(rule.id, name, badgesOf(rule, name))),
    ),
    ...toolRules.map((rule) => one(rule.id, "The tool's own", toolBadgesOf(rule))),
  ];
}
