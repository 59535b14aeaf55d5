import { windowsUserData } from '../../../lib/rules/node-bootstrap/windows-user-data';
import {
  CLUSTER,
  cluster,
  launchTemplate,
  namedNodeGroup,
  nodeGroup,
  resources,
  template,
  USES_NODES,
} from '../node-templates';
import { testRule } from '../rule-tester';
import { booting, CERTIFICATE, CONDITION, IMAGES, OWN_AMI, SELF_MANAGED, userData } from './user-data-templates';

const FILE = '"C:\\Program Files\\Amazon\\EKS\\Start-EKSBootstrap.ps1"';
const JOIN = `& ${FILE} -EKSClusterName main`;
const ENDPOINT = '-APIServerEndpoint "https://0123.gr7.eu-west-1.eks.amazonaws.com"';
const CA = `-Base64ClusterCA "${CERTIFICATE}"`;

const powershell = (...lines: readonly string[]): string => ['<powershell>', ...lines, '</powershell>'].join('\n');

/** A managed group with the public AMI of Windows and this user data. */
function own(text: string): string {
  return resources(CLUSTER, nodeGroup(USES_NODES), booting(text, IMAGES.WINDOWS));
}

/** A managed group for which EKS chooses the AMI and adds the bootstrap. */
function byEks(text: string): string {
  return resources(CLUSTER, nodeGroup('AmiType: WINDOWS_CORE_2022_x86_64', USES_NODES), booting(text));
}

const WITH_SCRIPT = 'Parameters:\n  Script: { Type: String }';

testRule(windowsUserData, {
  valid: [
    { name: 'the call in its tags', template: own(powershell(JOIN)) },
    {
      name: 'the way of the AWS guide',
      template: own(
        powershell(
          '[string]$EKSBinDir = "$env:ProgramFiles\\Amazon\\EKS"',
          "[string]$EKSBootstrapScriptName = 'Start-EKSBootstrap.ps1'",
          '[string]$EKSBootstrapScriptFile = "$EKSBinDir\\$EKSBootstrapScriptName"',
          '& $EKSBootstrapScriptFile -EKSClusterName ${Cluster} -APIServerEndpoint ${Cluster.Endpoint} -Base64ClusterCA ${Cluster.CertificateAuthorityData} 3>&1 4>&1 5>&1 6>&1',
          '$LastError = if ($?) { 0 } else { $Error[0].Exception.HResult }',
        ),
      ),
    },
    { name: 'the name without its parameter', template: own(powershell(`& ${FILE} main`)) },
    {
      name: 'parameters of any case, and shortened',
      template: own(powershell(`& ${FILE} -eksclustername main -apis https://x -base64 ${CERTIFICATE}`)),
    },
    {
      name: 'variables for all parameters',
      template: own(
        powershell(
          '$name = Get-Content C:\\name.txt',
          `& ${FILE} -EKSClusterName $name -APIServerEndpoint $endpoint -Base64ClusterCA $ca`,
        ),
      ),
    },
    {
      name: 'lines that go on',
      template: own(
        powershell(
          `& ${FILE} \``,
          '  -EKSClusterName main `',
          '  -KubeletExtraArgs "--node-labels=os=windows --max-pods=50"',
        ),
      ),
    },
    {
      name: 'quotes within the flags of kubelet',
      template: own(powershell(`${JOIN} -KubeletExtraArgs '--node-labels="a=b"' -ServiceCIDR 10.96.0.0/16`)),
    },
    { name: 'common parameters', template: own(powershell(`${JOIN} -Verbose -ErrorAction Stop`)) },
    {
      name: 'a batch script besides',
      template: own(`<script>\ndir\n</script>\n${powershell(JOIN)}\n<persist>true</persist>`),
    },
    { name: 'tags on one line', template: own(`<powershell>${JOIN}</powershell>`) },
    {
      name: 'tags within a string',
      template: own(powershell("Set-Content C:\\index.html '<script>alert(1)</script>'", JOIN)),
    },
    {
      name: 'a wrong call in a comment and in a here-string',
      template: own(
        powershell(`# & ${FILE}`, '<#', `& ${FILE} -Foo`, '#>', "$text = @'", `& ${FILE} -Foo`, "'@", JOIN),
      ),
    },
    {
      name: 'a call under a condition',
      template: own(
        powershell('if (Test-Path C:\\join) {', `  ${JOIN}`, '} else {', `  ${JOIN} -KubeletExtraArgs "--v=2"`, '}'),
      ),
    },
    {
      name: 'a name from a parameter',
      template: template(
        'Parameters:\n  Name: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(powershell(`& ${FILE} -EKSClusterName \${Name}`), IMAGES.WINDOWS),
      ),
    },
    { name: 'PowerShell besides the bootstrap of EKS', template: byEks(powershell('Set-TimeZone UTC')) },
    { name: 'a batch script besides the bootstrap of EKS', template: byEks('<script>\ndir\n</script>') },
    {
      name: 'tasks of EC2Launch v2 besides the bootstrap of EKS',
      template: byEks('version: 1.1\ntasks:\n- task: executeScript'),
    },
    {
      name: 'the parameters of a call besides that of EKS, which another rule tells of',
      template: byEks(powershell(`& ${FILE}`)),
    },
    {
      name: 'a self-managed group',
      template: resources(
        cluster("Version: '1.33'", 'Name: main'),
        SELF_MANAGED,
        booting(powershell(JOIN), IMAGES.WINDOWS),
      ),
    },
  ],
  invalid: [
    {
      name: 'PowerShell without tags',
      template: own(`Set-TimeZone UTC\n${JOIN}`),
      findings: [
        {
          message: 'notRun',
          severity: 'error',
          resource: 'Nodes',
          at: 'Set-TimeZone',
          related: ['LaunchTemplate:'],
          says: [
            'Launch template "Nodes" of node group "Workers", line 1 of the user data: ',
            '<powershell> or <script>',
            'the nodes never join.',
          ],
        },
      ],
      fixed: own(powershell('Set-TimeZone UTC', JOIN)),
    },
    {
      name: 'PowerShell without tags, with the name of the cluster resource',
      template: own(`& ${FILE} -EKSClusterName \${Cluster}`),
      findings: [{ message: 'notRun', severity: 'error', resource: 'Nodes', at: '& "C:' }],
      fixed: own(powershell(`& ${FILE} -EKSClusterName \${Cluster}`)),
    },
    {
      name: 'a script for a shell that does not begin as one',
      template: own('set -ex\necho hello'),
      findings: [{ message: 'notRun', severity: 'error', resource: 'Nodes', at: 'set -ex' }],
    },
    {
      name: 'PowerShell without tags besides the bootstrap of EKS',
      template: byEks('Set-TimeZone UTC'),
      findings: [
        {
          message: 'notRun',
          severity: 'error',
          resource: 'Nodes',
          at: 'Set-TimeZone',
          says: ['nothing of this runs.'],
          omits: ['never join'],
        },
      ],
      fixed: byEks(powershell('Set-TimeZone UTC')),
    },
    {
      name: 'a block that is not closed',
      template: own(`<powershell>\n${JOIN}`),
      findings: [
        {
          message: 'notRun',
          severity: 'error',
          resource: 'Nodes',
          at: '<powershell>',
          says: ["isn't closed", 'so the nodes never join'],
        },
      ],
      fixed: own(powershell(JOIN)),
    },
    {
      name: 'a block that is opened twice in place of being closed',
      template: own(`<powershell>\n& ${FILE} -EKSClusterName \${Cluster}\n<powershell>`),
      findings: [{ message: 'notRun', severity: 'error', resource: 'Nodes', at: '<powershell>' }],
    },
    {
      name: 'the call behind the block',
      template: own(`${powershell('Set-TimeZone UTC')}\n${JOIN}`),
      findings: [
        {
          message: 'notRun',
          severity: 'error',
          resource: 'Nodes',
          at: '& "C:',
          says: ['line 4', "doesn't run text outside of the blocks, so the nodes never join"],
        },
      ],
      fixed: own(powershell('Set-TimeZone UTC', JOIN)),
    },
    {
      name: 'a second call behind the block',
      template: own(`${powershell(JOIN)}\n${JOIN} -Verbose`),
      findings: [
        { message: 'notRun', severity: 'warning', resource: 'Nodes', at: `${JOIN} -Verbose`, omits: ['never join'] },
      ],
    },
    {
      name: 'text in front of the block',
      template: own(`Set-TimeZone UTC\n${powershell(JOIN)}`),
      findings: [{ message: 'notRun', severity: 'info', resource: 'Nodes', at: 'Set-TimeZone' }],
      fixed: own(powershell('Set-TimeZone UTC', JOIN)),
    },
    {
      name: 'several blocks of a kind, of which not every version runs any',
      template: own(`${powershell('Set-TimeZone UTC')}\n<powershell>${JOIN}</powershell>`),
      findings: [
        {
          message: 'tag',
          severity: 'warning',
          resource: 'Nodes',
          at: '<powershell>& "C:',
          related: ['LaunchTemplate:'],
          says: ['more than one <powershell>'],
        },
      ],
      fixed: own(powershell('Set-TimeZone UTC', JOIN)),
    },
    {
      name: 'several blocks besides the bootstrap of EKS',
      template: byEks(`${powershell('Set-TimeZone UTC')}\n<powershell>dir</powershell>`),
      findings: [{ message: 'tag', severity: 'warning', resource: 'Nodes', at: '<powershell>dir' }],
    },
    {
      name: 'a tag in another case, which one version takes',
      template: own(`<PowerShell>\n${JOIN}\n</PowerShell>`),
      findings: [{ message: 'tag', severity: 'info', resource: 'Nodes', at: '<PowerShell>' }],
      fixed: own(powershell(JOIN)),
    },
    {
      name: 'a tag that closes nothing',
      template: own(`${powershell(JOIN)}\n</script>`),
      findings: [{ message: 'tag', severity: 'warning', resource: 'Nodes', at: '</script>' }],
      fixed: own(powershell(JOIN)),
    },
    {
      name: 'a setting that is not closed',
      template: own(`<persist>true\n${powershell(JOIN)}`),
      findings: [{ message: 'notRun', severity: 'warning', resource: 'Nodes', at: '<persist>', omits: ['never join'] }],
      fixed: own(`${powershell(JOIN)}\n<persist>true</persist>`),
    },
    {
      name: 'no cluster name',
      template: own(powershell(`& ${FILE} ${ENDPOINT} ${CA}`)),
      findings: [
        {
          message: 'clusterName',
          severity: 'error',
          resource: 'Nodes',
          at: '& "C:',
          related: ['LaunchTemplate:'],
          says: ['line 2', 'gets no cluster name'],
        },
      ],
      fixed: own(powershell(`${JOIN} ${ENDPOINT} ${CA}`)),
    },
    {
      name: 'a parameter without value',
      template: own(powershell(`& ${FILE} -EKSClusterName -KubeletExtraArgs "--v=2"`)),
      findings: [
        {
          message: 'parameter',
          severity: 'error',
          resource: 'Nodes',
          at: '-EKSClusterName',
          related: ['LaunchTemplate:'],
          says: ["-EKSClusterName has no value, and PowerShell doesn't start the script, so the nodes never join."],
        },
      ],
      fixed: own(powershell(`${JOIN} -KubeletExtraArgs "--v=2"`)),
    },
    {
      name: 'half of the pair',
      template: own(powershell(`${JOIN} ${ENDPOINT}`)),
      findings: [
        {
          message: 'parameter',
          severity: 'warning',
          resource: 'Nodes',
          at: '-APIServerEndpoint',
          says: ['together with -Base64ClusterCA'],
        },
      ],
      fixed: own(powershell(`${JOIN} ${ENDPOINT} ${CA}`)),
    },
    {
      name: 'the other half of the pair',
      template: own(powershell(`${JOIN} ${CA}`)),
      findings: [{ message: 'parameter', severity: 'warning', resource: 'Nodes', at: '-Base64ClusterCA' }],
    },
    {
      name: 'a parameter that AWS does not document',
      template: own(powershell(`${JOIN} -ClusterCA x`)),
      findings: [{ message: 'parameter', severity: 'warning', resource: 'Nodes', at: '-ClusterCA' }],
      fixed: own(powershell(JOIN)),
    },
    {
      name: 'the only call stands under a condition',
      template: own(powershell('if (Test-Path C:\\join) {', `  & ${FILE}`, '}')),
      findings: [
        { message: 'clusterName', severity: 'error', resource: 'Nodes', at: '& "C:', says: ['(under a condition)'] },
      ],
    },
    {
      name: 'one of two branches is wrong',
      template: own(powershell('if (Test-Path C:\\join) {', `  & ${FILE} # old`, '} else {', `  ${JOIN}`, '}')),
      findings: [{ message: 'clusterName', severity: 'warning', resource: 'Nodes', at: '& "C:' }],
    },
    {
      name: 'a self-managed group, with an AMI that is told by its user data',
      template: resources(
        cluster("Version: '1.33'", 'Name: main'),
        SELF_MANAGED,
        booting(powershell(`& ${FILE}`), OWN_AMI),
      ),
      findings: [{ message: 'clusterName', severity: 'error', resource: 'Nodes', at: '& "C:' }],
    },
    {
      name: 'one branch of a condition takes the AMI of Windows',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup('AmiType: WINDOWS_CORE_2022_x86_64', USES_NODES),
        booting(
          powershell(`& ${FILE} -EKSClusterName`),
          `ImageId: !If [IsProduction, ${IMAGES.WINDOWS.slice('ImageId: '.length)}, !Ref AWS::NoValue]`,
        ),
      ),
      findings: [
        {
          message: 'parameter',
          severity: 'error',
          resource: 'Nodes',
          at: '-EKSClusterName',
          says: ['condition IsProduction is true'],
        },
      ],
      also: ['launch-template-node-group-conflict', 'node-user-data-duplicate-bootstrap'],
    },
    {
      name: 'one launch template of two groups is one finding',
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', USES_NODES),
        namedNodeGroup('Green', USES_NODES),
        booting(JOIN, IMAGES.WINDOWS),
      ),
      findings: [
        {
          message: 'notRun',
          severity: 'error',
          resource: 'Nodes',
          at: '& "C:',
          related: ['LaunchTemplate:', 'LaunchTemplate:'],
          says: ['node groups "Blue" and "Green"'],
        },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'parameters out of a variable',
      template: own(powershell(`& ${FILE} @parameters`)),
      resources: ['Nodes'],
      because: "can't be seen",
    },
    {
      name: 'parameters out of a template',
      template: template(
        WITH_SCRIPT,
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(powershell(`${JOIN} \${Script}`), IMAGES.WINDOWS),
      ),
      resources: ['Nodes'],
    },
    {
      name: 'a call in batch',
      template: own(`<script>\npowershell -File ${FILE} -EKSClusterName main\n</script>`),
      resources: ['Nodes'],
      because: 'how it calls',
    },
    {
      name: 'a script that may bring its own tags',
      template: template(
        WITH_SCRIPT,
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(`# joins the cluster\n\${Script}\n${JOIN}`, IMAGES.WINDOWS),
      ),
      resources: ['Nodes'],
    },
    {
      name: 'a script that may close the block',
      template: template(
        WITH_SCRIPT,
        CLUSTER,
        nodeGroup(USES_NODES),
        booting(`<powershell>\n${JOIN}\n\${Script}`, IMAGES.WINDOWS),
      ),
      resources: ['Nodes'],
    },
    {
      name: 'tasks of EC2Launch v2',
      template: own(
        `version: 1.1\ntasks:\n- task: executeScript\n  inputs:\n  - type: powershell\n    content: |-\n      ${JOIN}`,
      ),
      resources: ['Nodes'],
      because: 'YAML',
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: WINDOWS_CORE_2022_x86_64', "LaunchTemplate: { Id: lt-0abc, Version: '1' }"),
      ),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    { name: 'a group without user data', template: resources(CLUSTER, nodeGroup('AmiType: WINDOWS_CORE_2022_x86_64')) },
    { name: 'a shell script is told by another rule', template: own('#!/bin/bash\n/etc/eks/bootstrap.sh main') },
    { name: 'no bootstrap is told by another rule', template: own(powershell('Set-TimeZone UTC')) },
    {
      name: 'settings of Bottlerocket',
      template: resources(
        CLUSTER,
        nodeGroup('AmiType: BOTTLEROCKET_x86_64', USES_NODES),
        booting('[settings.kubernetes]\nmax-pods = 20'),
      ),
    },
    {
      name: 'user data that is not base64',
      template: resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate(IMAGES.WINDOWS, 'UserData: "<powershell>"')),
    },
    {
      name: 'a launch template that no group uses',
      template: resources(CLUSTER, launchTemplate(IMAGES.WINDOWS, userData(JOIN))),
    },
  ],
});
