// What the tool says of a minimal cluster, for every Kubernetes version of the tables, every AMI type and the default version of every add-on:
// docs/versions.md. It is judged for the day of the calendar, not for today.

/** The cells of a table by what is in a row and in a column. */
const table = (head, rows) =>
  [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---|').join('')}`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');

/** An instance type on which an AMI type runs. */
function instanceTypeFor({ architecture, accelerator }) {
  if (accelerator === 'neuron') return 'inf2.xlarge';
  if (accelerator !== undefined) return architecture === 'arm64' ? 'g5g.xlarge' : 'g5.xlarge';
  return architecture === 'arm64' ? 'm7g.large' : 'm6i.large';
}

/** A column for each system, with the AMI types of all architectures and accelerators. */
const SYSTEMS = [
  ['Amazon Linux 2', /^AL2_/],
  ['Amazon Linux 2023', /^AL2023_/],
  ['Bottlerocket', /^BOTTLEROCKET_/],
  ['Windows 2019', /^WINDOWS_.*2019/],
  ['Windows 2022', /^WINDOWS_.*2022/],
  ['Windows 2025', /^WINDOWS_.*2025/],
];

/** @param load gives a module of the compiled package, by its path in lib */
export function versionMatrix(load) {
  const { checkTemplates } = load('check');
  const knowledge = load('knowledge/index');
  const { supportOf } = load('rules/parts/version-support');
  const asOf = knowledge.kubernetesMinorsAsOf();
  const minors = knowledge.kubernetesMinors().toReversed();
  const types = knowledge.amiTypeNames().flatMap((name) => knowledge.amiType(name) ?? []);

  const findingsOf = (resources) =>
    checkTemplates([{ file: 'cluster.json', text: JSON.stringify({ Resources: resources }) }], {
      asOf,
    }).findings.filter(
      ({ rule, verdict, severity }) =>
        verdict === 'fail' && (severity !== 'info' || rule === 'ami-type-kubernetes-version'),
    );
  const cluster = (version) => ({
    Type: 'AWS::EKS::Cluster',
    Properties: {
      Version: version,
      RoleArn: 'arn:aws:iam::111122223333:role/cluster',
      ResourcesVpcConfig: { SubnetIds: ['subnet-1', 'subnet-2'] },
    },
  });
  const template = {
    Type: 'AWS::EC2::LaunchTemplate',
    Properties: {
      LaunchTemplateData: { MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 2 } },
    },
  };
  const group = (type) => ({
    Type: 'AWS::EKS::Nodegroup',
    Properties: {
      ClusterName: { Ref: 'Cluster' },
      NodeRole: 'arn:aws:iam::111122223333:role/nodes',
      Subnets: ['subnet-1', 'subnet-2'],
      AmiType: type.name,
      InstanceTypes: [instanceTypeFor(type)],
      LaunchTemplate: { Id: { Ref: 'Template' }, Version: { 'Fn::GetAtt': ['Template', 'LatestVersionNumber'] } },
    },
  });
  const addon = (name, version) => ({
    Type: 'AWS::EKS::Addon',
    Properties: {
      ClusterName: { Ref: 'Cluster' },
      AddonName: name,
      AddonVersion: version,
      ResolveConflicts: 'PRESERVE',
      PreserveOnDelete: true,
    },
  });
  const idOf = (name) => name.replaceAll(/[^A-Za-z0-9]/g, '');
  const RULE = 'ami-type-kubernetes-version';
  const link = (rule) => `[${rule}](rules/${rule}.md)`;

  const supportWords = (version) => {
    const support = supportOf(version, asOf);
    if (support.kind === 'standard' || support.kind === 'extended') return support.kind;
    return support.kind === 'ended' ? 'ended' : 'not known';
  };
  const dates = table(
    ['Kubernetes', 'on EKS since', 'standard support until', 'extended support until', `on ${asOf}`],
    minors.map(({ version, eksRelease = '–', endStandard = '–', endExtended = '–' }) => [
      version,
      eksRelease,
      endStandard,
      endExtended,
      supportWords(version),
    ]),
  );

  /** Of a version that EKS no longer supports, it is told of the cluster that nobody patches its nodes. */
  const severityOf = (finding) => (finding?.severity === 'info' ? 'warning' : (finding?.severity ?? 'fits'));

  /** What is said of each AMI type: nothing, or the severity of what is. */
  const verdictsFor = (version) => {
    const groups = Object.fromEntries(
      types.flatMap((type) => (type.family === 'CUSTOM' ? [] : [[idOf(type.name), group(type)]])),
    );
    const findings = findingsOf({ Cluster: cluster(version), Template: template, ...groups });
    return new Map(
      types.map(({ name }) => [
        name,
        severityOf(findings.find(({ rule, resource }) => rule === RULE && resource.id === idOf(name))),
      ]),
    );
  };
  const systems = table(
    ['Kubernetes', ...SYSTEMS.map(([name]) => name)],
    minors.map(({ version }) => {
      const verdicts = verdictsFor(version);
      return [
        version,
        ...SYSTEMS.map(([, pattern]) => {
          const names = types.map(({ name }) => name).filter((name) => pattern.test(name));
          const said = new Set(names.map((name) => verdicts.get(name)));
          if (said.size === 1) return [...said][0];
          return [...said]
            .map((verdict) =>
              verdict === 'fits'
                ? verdict
                : `${verdict}: ${names
                    .filter((name) => verdicts.get(name) === verdict)
                    .map((name) => `\`${name}\``)
                    .join(', ')}`,
            )
            .toSorted((a, b) => (a === 'fits' ? -1 : b === 'fits' ? 1 : 0))
            .join('; ');
        }),
      ];
    }),
  );

  const addons = knowledge.knownAddons().map((name) => {
    const rows = minors.flatMap(({ version }) => {
      const standard = knowledge.defaultAddonVersion(name, version);
      const newest = knowledge.newestAddonVersion(name, version);
      if (newest === undefined) return [];
      const findings =
        standard === undefined
          ? []
          : findingsOf({ Cluster: cluster(version), Addon: addon(name, standard) }).filter(
              ({ resource, rule }) => resource.id === 'Addon' && rule !== 'cluster-version-support',
            );
      const said = [...new Set(findings.map(({ severity, rule }) => `${severity}: ${link(rule)}`))].join(', ');
      return [[version, standard ?? '–', newest, standard === undefined ? '–' : said === '' ? 'fits' : said]];
    });
    return `### ${name}\n\n${table(['Kubernetes', 'default', 'newest', 'check says of the default'], rows)}`;
  });

  return [
    '# Kubernetes versions on EKS',
    `What \`eks-guardrails\` says of a minimal cluster, for every Kubernetes version that its tables have, with every AMI type and with the default version of every add-on. It is judged as of ${asOf}, the day of the calendar; add-on versions are those of ${knowledge.addonTableAsOf()}, AMI types those of ${knowledge.amiTypesAsOf()}. To get from one version to another, see [the guide to upgrades](guides/upgrades.md).`,
    '## Support dates',
    'Extended support begins on the day on which standard support ends, and costs more; on the day on which extended support ends, EKS updates the control plane by itself. [`cluster-version-support`](rules/cluster-version-support.md) tells of both.',
    dates,
    '## AMI types',
    `\`fits\`: nothing is said. \`error\`: EKS refuses the group, or has no image for it. \`warning\`: it works, and nobody patches it any more. All of it is what ${link(RULE)} says of a managed node group with that type in \`AmiType\`; where the types of a system differ, those that don't fit are named.`,
    systems,
    '## Add-ons',
    'The default is what EKS installs where no version is given, on the day of the table; it changes without notice.',
    ...addons,
  ].join('\n\n');
}
