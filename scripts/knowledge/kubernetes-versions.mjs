// Checks kubernetes-versions.json against a checkout of endoflife-date/endoflife.date, and adds versions that it lacks.
// Rows that exist keep AWS's own dates, which the table has from the EKS user guide: endoflife.date's release dates are off by days.
import { Checkout, finish, parseArguments, readTable } from './table-file.mjs';

const { paths, check } = parseArguments(['checkout of endoflife-date/endoflife.date']);
const upstream = new Checkout(paths[0], 'endoflife-date/endoflife.date');
const before = readTable('kubernetes-versions');
const eks = readReleases('products/amazon-eks.md');
const kubernetes = readReleases('products/kubernetes.md');

const versions = before.versions.map((row) => {
  const { eol: endStandard, eoes: endExtended, releaseDate: eksRelease } = eks.get(row.version) ?? {};
  const theirs = { upstreamRelease: kubernetes.get(row.version)?.releaseDate, eksRelease, endStandard, endExtended };
  const completed = { version: row.version };
  for (const [field, date] of Object.entries(theirs)) {
    if (row[field] !== undefined && date !== undefined && row[field] !== date)
      console.log(`${row.version} ${field}: the table has ${row[field]}, endoflife.date ${date}`);
    const value = row[field] ?? date;
    if (value !== undefined) completed[field] = value;
  }
  return completed;
});
const oldest = Math.min(...versions.map(({ version }) => minorOf(version)));
for (const [version, release] of eks) {
  if (minorOf(version) < oldest || versions.some((row) => row.version === version)) continue;
  const upstreamRelease = kubernetes.get(version)?.releaseDate;
  versions.push({
    version,
    ...(upstreamRelease === undefined ? {} : { upstreamRelease }),
    eksRelease: release.releaseDate,
    endStandard: release.eol,
    endExtended: release.eoes,
  });
}
versions.sort((a, b) => minorOf(a.version) - minorOf(b.version));

const { date } = upstream.head();
const changed = JSON.stringify(versions) !== JSON.stringify(before.versions);
finish(
  'kubernetes-versions',
  { ...before, asOf: changed && date > before.asOf ? date : before.asOf, versions },
  { check, carriedOver: ['all dates that the table already has'] },
);

function minorOf(version) {
  return Number(version.slice(2));
}

function readReleases(path) {
  const blocks = upstream
    .read(path)
    .split(/^ {2}- releaseCycle: /m)
    .slice(1);
  const releases = blocks.map((block) => {
    const field = (name) => new RegExp(`^ +${name}: (\\d{4}-\\d\\d-\\d\\d)`, 'm').exec(block)?.[1];
    return [
      /^"?([\d.]+)"?/.exec(block)[1],
      { releaseDate: field('releaseDate'), eol: field('eol'), eoes: field('eoes') },
    ];
  });
  if (releases.length === 0) throw new Error(`${path} has no releases: its layout has changed`);
  return new Map(releases);
}
