import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/model';
import { readTemplates } from '../../../lib/readers/cloudformation';
import { allRules } from '../../../lib/rules';
import { CLUSTER, launchTemplate, nodeGroup, resources, USES_NODES } from '../node-templates';
import { clusterBlock, IMAGES, mime, nodeConfigPart, shellPart } from './user-data-templates';

const exact = (t: string) => `UserData: { 'Fn::Base64': ${JSON.stringify(t)} }`;
const OLD = CLUSTER.replace('1.33', '1.32');
const own = (f: 'AL2' | 'AL2023', t: string) => resources(OLD, nodeGroup(USES_NODES), launchTemplate(IMAGES[f], exact(t)));
const eks = (f: string, t: string) => resources(OLD, nodeGroup(`AmiType: ${f}`, USES_NODES), launchTemplate(exact(t)));
const show = (t: string) => {
  const { resources: r } = readTemplates([{ file: 'template.yaml', text: t }]);
  return runRules(new EksModel(r), allRules.filter((x) => x.subject === 'node-bootstrap' || x.subject === 'launch-template'), { today: '2026-11-21' }).filter((f) => f.rule !== 'ami-type-kubernetes-version').map((f) => {
    const { line, column } = f.source.locate();
    return `    ${f.rule} ${f.verdict} ${f.severity} ${f.messageId} @ ${t.split('\n')[line - 1]?.slice(column - 1, column + 30)} | ${f.message}`;
  }).join('\n');
};
const CFG = nodeConfigPart(clusterBlock());
const SH = shellPart('yum install -y jq');
const BS = shellPart('/etc/eks/bootstrap.sh main');
const A23 = mime(CFG, SH); const A2 = mime(SH, BS);
const rows: [string, (t: string) => string][] = [
  ['closed early', (t) => t.replace('\n--//\nContent-Type: text', '\n--//--\nContent-Type: text')],
  ['not closed', (t) => t.replace('--//--', '')],
  ['glued', (t) => t.replace('\n--//--', '--//--')],
  ['indented close', (t) => t.replace('--//--', '  --//--')],
  ['wrong boundary', (t) => t.replace('"//"', '"X"')],
  ['indented boundaries', (t) => t.replace(/^--/gm, '  --')],
  ['declared with --', (t) => t.replace('"//"', '"--//"')],
  ['no boundary', (t) => t.replace('; boundary="//"', '')],
  ['unquoted', (t) => t.replace('"//"', '//')],
  ['no blank top', (t) => t.replace('"//"\n\n', '"//"\n')],
  ['no blank part ---', (t) => t.replace('node.eks.aws\n\n', 'node.eks.aws\n---\n')],
  ['no blank part api', (t) => t.replace('node.eks.aws\n\n', 'node.eks.aws\n')],
  ['no blank shell colon', (t) => t.replace('"us-ascii"\n\n#!/bin/bash\n', '"us-ascii"\nexport A=b:c\n')],
  ['no blank shell colon2', (t) => t.replace('"us-ascii"\n\n#!/bin/bash\n', '"us-ascii"\nx:y\n')],
  ['no blank shell', (t) => t.replace('"us-ascii"\n\n#!/bin/bash\n', '"us-ascii"\n#!/bin/bash\n')],
  ['no type', (t) => t.replace('Content-Type: application/node.eks.aws', 'X-A: b')],
  ['yaml type', (t) => t.replace('application/node.eks.aws', 'application/yaml')],
  ['v1alpha1 type', (t) => t.replace('application/node.eks.aws', 'application/node.eks.aws/v1alpha1')],
  ['text/x-sh', (t) => t.replaceAll('text/x-shellscript', 'text/x-sh')],
  ['empty body', (t) => t.replace('\n--//\n', '\n--//\nContent-Type: application/node.eks.aws\n\n\n--//\n')],
  ['two CT', (t) => t.replace('--//\n', '--//\nContent-Type: text/plain\n')],
  ['no mime version', (t) => t.replace('MIME-Version: 1.0\n', '')],
  ['blank first', (t) => '\n' + t],
  ['one space first', (t) => ' ' + t],
  ['comment first', (t) => '# x\n' + t],
  ['BOM', (t) => '\uFEFF' + t],
  ['literal', (t) => ('\n' + t).replace(/\n(?=.)/g, '\n    ')],
  ['CRLF', (t) => t.replace(/\n/g, '\r\n')],
  ['mixed', (t) => t.replace('--//--', '--//--\r\n')],
  ['text/plain top', (t) => t.replace('multipart/mixed', 'text/plain')],
  ['epilogue', (t) => t + '\nthat was all\n'],
];
it('explores', () => {
  const out: string[] = [];
  for (const [name, f] of rows) {
    out.push(`## ${name}`);
    out.push('  al2023 own', show(own('AL2023', f(A23))));
    out.push('  al2023 eks scripts', show(eks('AL2023_x86_64_STANDARD', f(mime(SH)))));
    if (f(A2) !== A2) out.push('  al2 own', show(own('AL2', f(A2))));
  }
  require('fs').writeFileSync('/tmp/explore.txt', out.join('\n'));
});
