import * as fc from 'fast-check';
import { runs } from '../../share';
import { runRules } from '../../../lib/engine';
import { EksModel, nodeConfigsOf } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { allRules } from '../../../lib/rules';
import { readUserData } from '../../../lib/eks/user-data/read-document';
import { SourceText } from '../../../lib/eks/user-data/source-text';
import {
  clusterBlock,
  mime,
  nodeConfig,
  nodeConfigPart,
  part,
  shellPart,
  withEksAmi,
  withOwnAmi,
} from '../../rules/node-bootstrap/user-data-templates';

function documentOf(text: string) {
  return readUserData(SourceText.of(text));
}

describe('nodeConfigsOf', () => {
  it('gives the parts that nodeadm reads, and what they say together', () => {
    const configs = nodeConfigsOf(
      documentOf(
        mime(
          shellPart('echo'),
          nodeConfigPart('cluster:\n  name: main'),
          part('text/plain', 'x'),
          nodeConfigPart('kubelet:\n  config: { maxPods: 5 }'),
        ),
      ),
    );
    expect(configs?.parts.map(({ part: { mediaType } }) => mediaType)).toEqual([
      'application/node.eks.aws',
      'application/node.eks.aws',
    ]);
    expect(configs?.merged.data).toMatchObject({
      spec: { cluster: { name: 'main' }, kubelet: { config: { maxPods: 5 } } },
    });
  });

  it('gives a bare NodeConfig', () => {
    expect(nodeConfigsOf(documentOf(nodeConfig('cluster:\n  name: main')))?.merged.data).toMatchObject({
      spec: { cluster: { name: 'main' } },
    });
  });

  it('gives a NodeConfig that nodeadm can not decode too', () => {
    expect(nodeConfigsOf(documentOf(mime(nodeConfigPart('\tcluster: 5'))))?.parts).toHaveLength(1);
  });

  it.each([
    ['there is none', mime(shellPart('echo'))],
    ['nodeadm ends with an error before', mime(nodeConfigPart('cluster: {}')).replace('--//--', '')],
    ['the text is empty', ''],
    ['the text is a script', '#!/bin/bash\necho'],
  ])('gives nothing when %s', (_, text) => {
    expect(nodeConfigsOf(documentOf(text))).toBeUndefined();
  });

  it('works a document out once', () => {
    const document = documentOf(nodeConfig('cluster: {}'));
    expect(nodeConfigsOf(document)).toBe(nodeConfigsOf(document));
    const none = documentOf('echo');
    expect(nodeConfigsOf(none)).toBe(nodeConfigsOf(none));
  });
});

describe('the rules about NodeConfigs', () => {
  const LINES = [
    clusterBlock(),
    clusterBlock({ ca: 'certificateAuthority: 5', cidr: "cidr: '1/2/3'" }),
    'cluster:',
    'cluster: ${AWS::StackName}',
    'kubelet: { config: { featureGates: { CPUManager: true, 5: x }, maxPods: -1 }, flags: [--max-pods=x, ~, 5] }',
    'kubelet: [',
    'instance: { localStorage: { strategy: [], disabledMounts: x } }',
    'featureGates: { a.b: 5 }',
    '---',
    '<<: *a',
    '\t- : ?',
    '${AWS::Region}: &a { x: *a }',
  ];
  const spec = fc.array(fc.constantFrom(...LINES), { maxLength: 4 });

  it('crash on nothing', () => {
    fc.assert(
      fc.property(fc.array(spec, { minLength: 1, maxLength: 3 }), fc.boolean(), (specs, own) => {
        const text = mime(...specs.map((lines) => nodeConfigPart(...lines)));
        const { resources } = readTemplates([
          { file: 'template.yaml', text: own ? withOwnAmi(text) : withEksAmi(text) },
        ]);
        const rules = allRules.filter(({ id }) => id.startsWith('node-config') || id === 'kubelet-feature-gate');
        const findings = runRules(new EksModel(resources), rules);
        expect(findings.filter(({ rule }) => rule === 'rule-crashed').map(({ message }) => message)).toEqual([]);
        for (const { source } of findings) expect(source.locate().line).toBeGreaterThan(0);
      }),
      { numRuns: runs(60) },
    );
  });
});
