import { bootCasesOf, bootsByResource, EksModel, nodeMaxPodsOf, podsOn, type NodeMaxPods } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { mime, nodeConfigPart, part, shellPart } from '../../rules/node-bootstrap/user-data-templates';
import {
  al2,
  al2023,
  al2023WithPods,
  bottlerocket,
  clusterBlock,
  IMAGES,
  launchTemplate,
  MAIN,
  nodeGroup,
  resources,
  SELF_MANAGED,
  template,
  USES_NODES,
  userData,
  workers,
} from '../../rules/vpc-cni/max-pods-templates';

/** Who sets the max pods of the only boot of a template. */
function settingOf(text: string): NodeMaxPods | undefined {
  const { resources: found, diagnostics } = readTemplates([{ file: 'template.yaml', text }]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const [boot, ...others] = bootsByResource(new EksModel(found)).flatMap(({ launches }) =>
    launches.flatMap(bootCasesOf),
  );
  expect(others).toEqual([]);
  return boot === undefined ? undefined : nodeMaxPodsOf(boot);
}

const OWN = (nodes: string): string => resources(MAIN, workers('m5.large'), nodes);
const managed = (amiType: string, text: string): string =>
  resources(MAIN, nodeGroup(`AmiType: ${amiType}`, USES_NODES), launchTemplate(userData(text)));
const windows = (call: string): string =>
  OWN(
    launchTemplate(
      IMAGES.WINDOWS,
      userData(
        `<powershell>\n& "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName main${call}\n</powershell>`,
      ),
    ),
  );
const withScript = (...lines: readonly string[]): string =>
  OWN(launchTemplate(IMAGES.AL2023, userData(mime(nodeConfigPart(clusterBlock()), shellPart(...lines)))));

describe('nodeMaxPodsOf', () => {
  it.each<[string, string]>([
    ['no launch template', resources(MAIN, nodeGroup())],
    ['no user data', resources(MAIN, nodeGroup(USES_NODES), launchTemplate('EbsOptimized: true'))],
    ['AL2023', managed('AL2023_x86_64_STANDARD', mime(shellPart('echo hello')))],
    [
      'AL2023 with a number of its own, which is overridden',
      managed(
        'AL2023_x86_64_STANDARD',
        mime(nodeConfigPart('kubelet: { config: { maxPods: 20 }, maxPodsExpression: max_pods }')),
      ),
    ],
    ['AL2', managed('AL2_x86_64', mime(shellPart('echo hello')))],
    ['Bottlerocket', managed('BOTTLEROCKET_x86_64', '[settings.host-containers.admin]\nenabled = true')],
    [
      'AL2023 with a NodeConfig that says nothing of pods',
      managed('AL2023_x86_64_STANDARD', mime(nodeConfigPart('instance: { localStorage: { strategy: RAID0 } }'))),
    ],
    [
      'empty user data',
      resources(MAIN, nodeGroup('AmiType: BOTTLEROCKET_x86_64', USES_NODES), launchTemplate('UserData: ""')),
    ],
    ['Windows', managed('WINDOWS_CORE_2022_x86_64', '<powershell>\nWrite-Host hello\n</powershell>')],
  ])('is EKS for a managed group without an AMI of its own: %s', (_, text) => {
    expect(settingOf(text)).toEqual({ kind: 'eks' });
  });

  it.each<[string, string, object]>([
    ['maxPods of a NodeConfig', OWN(al2023WithPods(58)), { value: 58, isNodeConfig: true, line: 11 }],
    [
      'a flag of kubelet, which beats maxPods',
      OWN(al2023('flags: ["--v=2 --max-pods=77"]', 'config:', '  maxPods: 58')),
      { value: 77, isNodeConfig: false },
    ],
    [
      'maxPods, which beats the expression',
      OWN(al2023('maxPodsExpression: max_pods * 2', 'config: { maxPods: 58 }')),
      { value: 58 },
    ],
    [
      'the later of two NodeConfigs',
      OWN(
        launchTemplate(
          IMAGES.AL2023,
          userData(
            mime(
              nodeConfigPart(clusterBlock(), 'kubelet: { config: { maxPods: 10 } }'),
              nodeConfigPart('kubelet: { config: { maxPods: 20 } }'),
            ),
          ),
        ),
      ),
      { value: 20 },
    ],
    [
      'bootstrap.sh',
      OWN(al2('--use-max-pods false', "--kubelet-extra-args '--max-pods=58'")),
      { value: 58, line: 2, by: '`--max-pods` behind bootstrap.sh' },
    ],
    [
      'a flag of kubelet, as messages call it',
      OWN(al2023('flags: ["--max-pods=77"]')),
      { value: 77, by: '`--max-pods` in its NodeConfig', isNodeConfig: false },
    ],
    [
      'maxPods, as messages call it',
      OWN(al2023WithPods(58)),
      { by: '`maxPods` of its NodeConfig', isNodeConfig: true },
    ],
    ['a number in quotes behind bootstrap.sh', OWN(al2('--kubelet-extra-args \'--max-pods="58"\'')), { value: 58 }],
    [
      'bootstrap.sh, called twice with one number',
      OWN(
        launchTemplate(
          IMAGES.AL2,
          userData(
            "#!/bin/bash\n/etc/eks/bootstrap.sh main --kubelet-extra-args '--max-pods=58'\n/etc/eks/bootstrap.sh main --kubelet-extra-args '--max-pods=58'",
          ),
        ),
      ),
      { value: 58, line: 2 },
    ],
    [
      'bootstrap.sh beside a part that nothing reads',
      OWN(
        launchTemplate(
          IMAGES.AL2,
          userData(
            mime(
              part('text/plain', 'note'),
              shellPart("/etc/eks/bootstrap.sh main --kubelet-extra-args '--max-pods=58'"),
            ),
          ),
        ),
      ),
      { value: 58 },
    ],
    ['bootstrap.sh, whose own number a flag beats', OWN(al2("--kubelet-extra-args '--max-pods=58'")), { value: 58 }],
    ['the last of two flags', OWN(al2("--kubelet-extra-args '--max-pods=58 --max-pods 60'")), { value: 60 }],
    ['Bottlerocket', OWN(bottlerocket('max-pods = 58')), { value: 58, line: 5 }],
    [
      'Bottlerocket where EKS brings the rest',
      managed('BOTTLEROCKET_x86_64', '[settings.kubernetes]\nmax-pods = 58'),
      { value: 58, line: 2 },
    ],
    ['Windows', windows(" -KubeletExtraArgs '--max-pods=20'"), { value: 20 }],
    ['a self-managed group', resources(MAIN, SELF_MANAGED, al2023WithPods(58)), { value: 58 }],
  ])('is a number: %s', (_, text, expected) => {
    expect(settingOf(text)).toMatchObject({ kind: 'number', ...expected });
  });

  it('is an expression', () => {
    const setting = settingOf(OWN(al2023('maxPodsExpression: max_pods + 2')));
    expect(setting).toMatchObject({ kind: 'expression', text: 'max_pods + 2' });
    if (setting !== undefined)
      expect(['m5.large', 't3.medium', 'm99.large'].map((type) => podsOn(type, setting))).toEqual([31, 19, undefined]);
  });

  it.each<[string, string, string]>([
    ['nodeadm', OWN(al2023()), 'nodeadm'],
    ['nodeadm, of an empty expression', OWN(al2023('maxPodsExpression: ""')), 'nodeadm'],
    ['bootstrap.sh', OWN(al2()), 'bootstrap.sh'],
    ['bootstrap.sh that is told so', OWN(al2('--use-max-pods true')), 'bootstrap.sh'],
    ['Bottlerocket', OWN(bottlerocket()), 'Bottlerocket'],
    [
      'nodeadm beside a script that has nothing to do with it',
      withScript('yum install -y amazon-cloudwatch-agent'),
      'nodeadm',
    ],
    [
      'nodeadm beside a drop-in that sets something else',
      withScript(
        "cat > /etc/eks/nodeadm.d/50.yaml <<'EOF'",
        'apiVersion: node.eks.aws/v1alpha1',
        'kind: NodeConfig',
        'spec: { kubelet: { flags: [--v=2] } }',
        'EOF',
      ),
      'nodeadm',
    ],
  ])('is the formula of the bootstrap: %s', (_, text, by) => {
    const setting = settingOf(text);
    expect(setting).toMatchObject({ kind: 'formula', by });
    if (setting !== undefined)
      expect([podsOn('m5.large', setting), podsOn('m99.large', setting)]).toEqual([29, undefined]);
  });

  it.each<[string, string]>([
    ['bootstrap.sh without its number', OWN(al2('--use-max-pods false'))],
    ['Windows', windows('')],
    ['Windows with other flags', windows(" -KubeletExtraArgs '--node-labels=a=b'")],
  ])("is kubelet's 110: %s", (_, text) => {
    const setting = settingOf(text);
    expect(setting).toMatchObject({ kind: 'kubelet' });
    if (setting !== undefined) expect(podsOn('m5.large', setting)).toBe(110);
  });

  it.each<[string, string, string]>([
    [
      'a parameter',
      template('Parameters:\n  Pods: { Type: Number }', MAIN, workers('m5.large'), al2023WithPods('${Pods}')),
      "aren't known",
    ],
    [
      'user data by a parameter',
      template(
        'Parameters:\n  Data: { Type: String }',
        MAIN,
        workers('m5.large'),
        launchTemplate(IMAGES.AL2023, 'UserData: !Ref Data'),
      ),
      "user data isn't known",
    ],
    [
      'a flag besides the number of EKS',
      managed('AL2023_x86_64_STANDARD', mime(nodeConfigPart("kubelet: { flags: ['--max-pods=20'] }"))),
      'flags for kubelet',
    ],
    ['a script that mentions maxPods', withScript('jq .maxPods=58 x > y'), 'line 20'],
    [
      'cloud-config that mentions it',
      OWN(
        launchTemplate(
          IMAGES.AL2023,
          userData(
            mime(
              nodeConfigPart(clusterBlock()),
              part(
                'text/cloud-config',
                '#cloud-config\nwrite_files: [{ path: /etc/kubernetes/kubelet/config.json.d/99.conf }]',
              ),
            ),
          ),
        ),
      ),
      'may change it',
    ],
    [
      'a drop-in out of sight',
      withScript('aws s3 cp s3://example/pods.yaml - > /etc/eks/nodeadm.d/pods.yaml'),
      'may change it',
    ],
    [
      'a computed number for bootstrap.sh',
      OWN(al2('--kubelet-extra-args "--max-pods=$(/etc/eks/max-pods-calculator.sh)"')),
      'is not known',
    ],
    ['computed flags for bootstrap.sh', OWN(al2('--kubelet-extra-args "$ARGS"')), 'not all flags'],
    ['arguments of bootstrap.sh in a variable', OWN(al2('$EXTRA_ARGUMENTS')), 'not all arguments'],
    [
      'two calls with different numbers',
      OWN(
        launchTemplate(
          IMAGES.AL2,
          userData(
            "#!/bin/bash\n/etc/eks/bootstrap.sh main --kubelet-extra-args '--max-pods=58'\n/etc/eks/bootstrap.sh main --kubelet-extra-args '--max-pods=60'",
          ),
        ),
      ),
      'several ways',
    ],
    [
      'a word that is no number, behind bootstrap.sh',
      OWN(al2("--kubelet-extra-args '--max-pods=many'")),
      'many is no number of pods',
    ],
    ['none, behind bootstrap.sh', OWN(al2("--kubelet-extra-args '--max-pods=0'")), '0 is no number of pods'],
    [
      'a computed choice for bootstrap.sh',
      OWN(al2('--use-max-pods "$CHOICE"')),
      'the value of --use-max-pods is not known',
    ],
    [
      'a bootstrap.sh that was changed',
      OWN(
        launchTemplate(
          IMAGES.AL2,
          userData("#!/bin/bash\nsed -i 's/a/b/' /etc/eks/bootstrap.sh\n/etc/eks/bootstrap.sh main"),
        ),
      ),
      'changes bootstrap.sh',
    ],
    [
      'flags that are not known besides the number of EKS',
      template(
        'Parameters:\n  Flag: { Type: String }',
        MAIN,
        nodeGroup('AmiType: AL2023_x86_64_STANDARD', USES_NODES),
        launchTemplate(userData(mime(nodeConfigPart("kubelet: { flags: ['${Flag}'] }")))),
      ),
      'flags for kubelet',
    ],
    [
      'two calls for Windows',
      windows(
        '\n& "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName main -KubeletExtraArgs \'--max-pods=20\'',
      ),
      'Start-EKSBootstrap',
    ],
    [
      'two different calls',
      OWN(
        launchTemplate(
          IMAGES.AL2,
          userData(
            '#!/bin/bash\nif [ -e /x ]; then\n/etc/eks/bootstrap.sh main\nelse\n/etc/eks/bootstrap.sh main --use-max-pods false\nfi',
          ),
        ),
      ),
      'several ways',
    ],
    [
      'an edited table of AL2',
      OWN(
        launchTemplate(
          IMAGES.AL2,
          userData("#!/bin/bash\nsed -i 's/29/58/' /etc/eks/eni-max-pods.txt\n/etc/eks/bootstrap.sh main"),
        ),
      ),
      'line 2',
    ],
    [
      'an exported option of bootstrap.sh',
      OWN(launchTemplate(IMAGES.AL2, userData('#!/bin/bash\nexport USE_MAX_PODS=false\n/etc/eks/bootstrap.sh main'))),
      'not all arguments',
    ],
    ['computed flags for Windows', windows(' -KubeletExtraArgs $flags'), 'Start-EKSBootstrap'],
    [
      'a number of Bottlerocket by a parameter',
      template('Parameters:\n  Pods: { Type: Number }', MAIN, workers('m5.large'), bottlerocket('max-pods = ${Pods}')),
      "max-pods isn't known",
    ],
  ])('is not known: %s', (_, text, reason) => {
    const setting = settingOf(text);
    expect(setting?.kind === 'unknown' ? setting.reason : JSON.stringify(setting)).toContain(reason);
  });

  it.each<[string, string]>([
    ['a number as text in a NodeConfig', OWN(al2023WithPods('"58"'))],
    ['a negative number', OWN(al2023WithPods(-1))],
    ['a number as text in Bottlerocket', OWN(bottlerocket('max-pods = "58"'))],
    ['no pods in a NodeConfig', OWN(al2023WithPods(0))],
    ['a part of a pod in a NodeConfig', OWN(al2023WithPods(5.5))],
    ['an expression that is a number', OWN(al2023('maxPodsExpression: 5'))],
    ['a word that is no number for Windows', windows(" -KubeletExtraArgs '--max-pods=many'")],
    ['no pods for Windows', windows(" -KubeletExtraArgs '--max-pods=0'")],
    ...Object.entries(IMAGES).map(([family, image]): [string, string] => [
      `empty user data of ${family}`,
      OWN(launchTemplate(image, 'UserData: ""')),
    ]),
    ['nothing that bootstraps', OWN(launchTemplate(IMAGES.AL2023))],
    ['broken TOML', OWN(launchTemplate(IMAGES.BOTTLEROCKET, userData('[settings.kubernetes\nmax-pods = 58')))],
    [
      'a broken NodeConfig',
      OWN(
        launchTemplate(
          IMAGES.AL2023,
          userData('apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: { cluster: ['),
        ),
      ),
    ],
  ])("is another rule's business: %s", (_, text) => {
    expect(settingOf(text)).toBeUndefined();
  });
});
