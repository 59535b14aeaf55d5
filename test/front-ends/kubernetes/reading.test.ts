import { cpuTime } from '../../cpu-time';
import { dataAt, Unknown, type Data } from '../../../lib/value';
import { BUDGET, checkFiles, clusterTemplate, documents, NODE_CLASS, WEB } from './manifests';
import { describeWithAll, itWithAll } from '../../share';

const SERVICE = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}]}\n';

describe('manifests', () => {
  it('are read from files of several documents, with the line of each object', () => {
    const { inputs, failures, problems, objects } = checkFiles({ 'a.yaml': documents(WEB, BUDGET, SERVICE) });
    expect(inputs).toEqual(['kubernetes-manifest a.yaml 3']);
    expect(failures).toEqual(['info drain-blocked a.yaml:15']);
    expect(objects).toEqual(['Deployment/shop/web of .', 'PodDisruptionBudget/shop/web of .']);
    expect(problems).toEqual([]);
  });

  it.each([
    ['a leading mark', `---\n${documents(WEB, BUDGET)}`],
    ['comments and a licence', `# (c)\n\n# us\n---\n# web\n${documents(WEB, '# budget\n', BUDGET)}`],
    ['line breaks of Windows', documents(WEB, BUDGET).replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${documents(WEB, BUDGET)}`],
    ['comments behind the marks', documents(WEB, BUDGET).replace('---', '--- # budget')],
    ['the end of a document', documents(`${WEB}...\n`, BUDGET)],
    ['empty documents', documents(WEB, '', '# nothing\n', BUDGET)],
    ['a directive', `%YAML 1.1\n---\n${documents(WEB, BUDGET)}`],
  ])('may have %s', (_, text) => {
    const { failures, problems } = checkFiles({ 'a.yaml': text });
    const line = text.split('\n').findIndex((one) => one.includes('minAvailable')) + 1;
    expect(problems).toEqual([]);
    expect(failures).toEqual([`info drain-blocked a.yaml:${line}`]);
  });
});

it.each([
  ['Canary', 'flagger.app/v1beta1', '{ targetRef: { apiVersion: apps/v1, kind: Deployment, name: web } }'],
  [
    'CloneSet',
    'apps.kruise.io/v1alpha1',
    "{ replicas: 5, template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: web, image: web }] } } }",
  ],
])('a %s counts among what has pods of a budget made', (kind, apiVersion, spec) => {
  const other = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: web, namespace: shop }\nspec: ${spec}\n`;
  expect(checkFiles({ 'a.yaml': documents(WEB, BUDGET) }).failures).toHaveLength(1);
  expect(checkFiles({ 'a.yaml': documents(WEB, BUDGET, other) }).failures).toEqual([]);
});

it('a map may merge several others, as kubectl and eksctl read it', () => {
  const text = `
kind: ClusterConfig
apiVersion: eksctl.io/v1alpha5
metadata: { name: shop, region: eu-west-1, version: "1.35" }
managedNodeGroups:
  - &base { name: one, minSize: 1 }
  - <<: *base
    <<: { maxSize: 3 }
    name: two
`;
  expect(checkFiles({ 'cluster.yaml': text })).toMatchObject({
    inputs: [expect.stringMatching(/^eksctl-config cluster\.yaml/)],
    problems: [],
  });
});

it('what is merged behind a key overrides it, as kubectl applies it', () => {
  const options = (text: string): string => `${NODE_CLASS}  metadataOptions:\n    ${text}\n`;
  const written = options('httpTokens: required\n    <<: {httpTokens: optional}');
  const line = written.split('\n').findIndex((one) => one.includes('<<')) + 1;
  expect(checkFiles({ 'a.yaml': written })).toMatchObject({
    failures: expect.arrayContaining([`warning imds-v1 a.yaml:${line}`]) as unknown,
    problems: [expect.stringMatching(`^warning a.yaml:${line} "httpTokens" of line ${line - 1} is overridden`)],
  });
  const honest = checkFiles({ 'a.yaml': options('<<: {httpTokens: optional}\n    httpTokens: required') });
  expect(honest.problems).toEqual([]);
  expect(honest.failures).not.toContainEqual(expect.stringContaining('imds-v1'));
});

describe('lists of objects', () => {
  const items = [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } },
      },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
    },
  ];
  const list = { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } };

  it('are taken apart, as kubectl writes and reads them', () => {
    const { inputs, failures } = checkFiles({ 'a.json': JSON.stringify(list, undefined, 2) });
    expect(inputs).toEqual(['kubernetes-manifest a.json 2']);
    const line =
      JSON.stringify(list, undefined, 2)
        .split('\n')
        .findIndex((text) => text.includes('minAvailable')) + 1;
    expect(failures).toEqual([`info drain-blocked a.json:${line}`]);
  });

  it('may hold lists, and be the answer of the API server for one kind, whose items have none', () => {
    const [deployment, budget] = items.map(({ metadata, spec }) => ({ metadata, spec }));
    const nested = {
      ...list,
      items: [
        { apiVersion: 'apps/v1', kind: 'DeploymentList', items: [deployment] },
        { ...list, items: [{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudgetList', items: [budget] }] },
      ],
    };
    const { inputs, failures } = checkFiles({ 'a.json': JSON.stringify(nested) });
    expect(inputs).toEqual(['kubernetes-manifest a.json 2']);
    expect(failures).toEqual(['info drain-blocked a.json:1']);
  });

  it('may come through the standard input', () => {
    const text = documents(WEB, BUDGET);
    const { inputs, failures } = checkFiles({}, ['-'], { name: 'standard input', text });
    expect(inputs).toEqual(['kubernetes-manifest standard input 2']);
    expect(failures).toEqual(['info drain-blocked standard input:15']);
  });
});

describe('the cluster of manifests', () => {
  it('is the one that a template of the same run declares', () => {
    const { objects, failures } = checkFiles({ 'eks.json': clusterTemplate(), 'k8s/web.yaml': documents(WEB, BUDGET) });
    expect(objects).toEqual(['Deployment/shop/web Cluster', 'PodDisruptionBudget/shop/web Cluster']);
    expect(failures.filter((one) => one.includes('drain'))).toEqual(['error drain-blocked k8s/web.yaml:15']);
  });

  it('is nobody knows which where there are several', () => {
    const { objects, failures } = checkFiles({
      'a.json': clusterTemplate('a'),
      'b.json': clusterTemplate('b'),
      'k8s/web.yaml': documents(WEB, BUDGET),
    });
    expect(objects).toEqual(['Deployment/shop/web of k8s', 'PodDisruptionBudget/shop/web of k8s']);
    expect(failures.filter((one) => one.includes('drain'))).toEqual(['info drain-blocked k8s/web.yaml:15']);
  });

  it('has every object once: the same in two folders is one in each of two environments', () => {
    const { objects, problems, failures } = checkFiles({
      'eks.json': clusterTemplate(),
      'k8s/dev/web.yaml': WEB,
      'k8s/prod/web.yaml': documents(WEB.replace('replicas: 1', 'replicas: 3'), BUDGET),
    });
    expect(objects).toEqual([
      'Deployment/shop/web of k8s/dev',
      'Deployment/shop/web of k8s/prod',
      'PodDisruptionBudget/shop/web of k8s/prod',
    ]);
    expect(failures.filter((one) => one.includes('drain'))).toEqual([]);
    expect(problems).toEqual([
      "warning k8s/prod/web.yaml:1 Deployment web is in k8s/dev/web.yaml and in k8s/prod/web.yaml, so the manifests in k8s/dev, k8s/prod are for several clusters and aren't held against cluster Cluster; check the manifests of each cluster in a run of its own",
    ]);
  });

  it('has one of two copies, each alone in its file', () => {
    const { problems } = checkFiles({ 'eks.json': clusterTemplate(), 'k8s/a.yaml': BUDGET, 'k8s/b.yaml': BUDGET });
    expect(problems).toEqual([
      'warning k8s/b.yaml:1 PodDisruptionBudget web is in k8s/a.yaml and in k8s/b.yaml, so neither is held against cluster Cluster; check the manifests of each cluster in a run of its own',
    ]);
  });

  it('is not known to be that of a Pod Identity association, so that the annotation beside it may have no effect', () => {
    const config = `apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: x, region: us-east-1, version: "1.34"}
addons: [{name: eks-pod-identity-agent}]
iam:
  podIdentityAssociations:
    - {namespace: shop, serviceAccountName: reader, roleName: reader, permissionPolicyARNs: ["arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"]}
`;
    const account = (name: string) =>
      `apiVersion: v1
kind: ServiceAccount
metadata: {name: ${name}, namespace: shop, annotations: {eks.amazonaws.com/role-arn: "arn:aws:iam::111122223333:role/reader"}}
`;
    const about = (files: Readonly<Record<string, string>>) => {
      const { failures, unverifiable } = checkFiles({ 'c.yaml': config, ...files });
      return [...failures, ...unverifiable].filter((one) => one.includes('irsa-subject'));
    };
    const copied = { 'a.yaml': documents(account('reader'), WEB), 'b.yaml': WEB };
    expect(about(copied)).toEqual(['irsa-subject']);
    expect(about({ 'a.yaml': documents(account('reader'), WEB) })).toEqual([]);
    expect(about({ ...copied, 'a.yaml': documents(account('writer'), WEB) })).toEqual(['error irsa-subject c.yaml:7']);
  });

  it('has one of two copies, and all the rest, where only one object of many is copied', () => {
    const account = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, namespace: shop}\n';
    const { objects, problems, failures } = checkFiles({
      'eks.json': clusterTemplate(),
      'k8s/web/all.yaml': documents(account, WEB, BUDGET),
      'k8s/jobs/account.yaml': documents(account, WEB.replaceAll('web', 'a'), WEB.replaceAll('web', 'b')),
    });
    expect(objects).toEqual([
      'Deployment/shop/a Cluster',
      'Deployment/shop/b Cluster',
      'Deployment/shop/web Cluster',
      'PodDisruptionBudget/shop/web Cluster',
      'ServiceAccount/shop/web of k8s/jobs',
      'ServiceAccount/shop/web of k8s/web',
    ]);
    expect(failures.filter((one) => one.includes('drain'))).toEqual(['error drain-blocked k8s/web/all.yaml:19']);
    expect(problems).toEqual([
      'warning k8s/web/all.yaml:1 ServiceAccount web is in k8s/jobs/account.yaml and in k8s/web/all.yaml, so neither is held against cluster Cluster; check the manifests of each cluster in a run of its own',
    ]);
  });

  const applying = (...objects: readonly object[]): string => {
    const template = JSON.parse(clusterTemplate()) as { Resources: Record<string, unknown> };
    template.Resources['Applied'] = {
      Type: 'Custom::AWSCDK-EKS-KubernetesResource',
      Properties: { ClusterName: { Ref: 'Cluster' }, Manifest: JSON.stringify(objects) },
    };
    return JSON.stringify(template);
  };
  const budget = (labels?: object, more?: object) => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace: 'shop', ...labels },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } }, ...more },
  });

  it.each([
    ['as it is', budget()],
    ['with the label of the CDK', budget({ labels: { 'aws.cdk.eks/prune-c8ab': '' } })],
    ['with what means nothing', budget({ labels: {} }, { maxUnavailable: null })],
  ])('is not told that it has an object twice that a resource applies from the same file, %s', (_, object) => {
    const { objects } = checkFiles({ 'eks.json': applying(object), 'k8s/web.yaml': documents(WEB, BUDGET) });
    expect(objects).toEqual(['Applied Cluster', 'Deployment/shop/web Cluster']);
  });

  it.each([
    ['says something else', budget(undefined, { minAvailable: 0 }), BUDGET],
    ['says more', budget(undefined, { unhealthyPodEvictionPolicy: 'AlwaysAllow' }), BUDGET],
    ['says less', { ...budget(), spec: { minAvailable: 1 } }, BUDGET],
    ['has a list for a map', { ...budget(), spec: [] }, BUDGET],
  ])('may have an object of a file, too, where a resource %s of the same name', (_, object, text) => {
    const { objects } = checkFiles({ 'eks.json': applying(object), 'k8s/web.yaml': documents(WEB, text) });
    expect(objects).toEqual(['Applied Cluster', 'Deployment/shop/web Cluster', 'PodDisruptionBudget/shop/web of k8s']);
  });

  it('takes what is filled in for the same', () => {
    const text = BUDGET.replace('minAvailable: 1', 'minAvailable: "${MIN}"');
    const { objects } = checkFiles({ 'eks.json': applying(budget()), 'k8s/web.yaml': documents(WEB, text) });
    expect(objects).toEqual(['Applied Cluster', 'Deployment/shop/web Cluster']);
  });
});

describe('a resource of Terraform', () => {
  const cluster = 'resource "aws_eks_cluster" "c" {\n  name = "c"\n  version = "1.35"\n}\n';
  const ofTerraform = (tokens: string, count = '') => `${cluster}resource "kubernetes_manifest" "n" {${count}
  manifest = {
    apiVersion = "karpenter.k8s.aws/v1"
    kind       = "EC2NodeClass"
    metadata   = { name = "default" }
    spec = {
      role             = "nodes"
      amiSelectorTerms = [{ alias = "al2023@latest" }]
      metadataOptions  = { httpTokens = ${tokens} }
    }
  }
}
`;
  const written = `${NODE_CLASS}  metadataOptions: {httpTokens: optional}\n`;
  const about = (terraform: string) =>
    checkFiles({ 'main.tf': terraform, 'k8s/np.yaml': written }).failures.flatMap((one) =>
      one.includes('imds-v1') ? [one.replace(/:\d+$/, '')] : [],
    );

  it.each([
    ['another content', ofTerraform('"required"')],
    ['a content that is not known', ofTerraform('var.tokens')],
    ['a count that is not known', ofTerraform('"required"', '\n  count = var.n')],
  ])('hides no manifest of the same name: with %s', (_, terraform) => {
    expect(about(terraform)).toEqual(['warning imds-v1 k8s/np.yaml']);
  });

  it('that applies the file itself is judged in its place', () => {
    const reading = `${cluster}resource "kubernetes_manifest" "n" {\n  manifest = yamldecode(file("k8s/np.yaml"))\n}\n`;
    expect(about(reading)).toHaveLength(1);
    expect(about(ofTerraform('"optional"'))).toEqual(['warning imds-v1 main.tf']);
  });
});

describe('an object that stands twice in a file', () => {
  it('counts as it is written last, which is told', () => {
    const { problems, failures } = checkFiles({
      'a.yaml': documents(WEB, BUDGET, BUDGET.replace('minAvailable: 1', 'maxUnavailable: 1')),
    });
    expect(failures).toEqual([]);
    expect(problems).toEqual([
      'warning a.yaml:11 PodDisruptionBudget web is written again in line 18, which kubectl applies over this one, so this one is not checked',
    ]);
  });
});

describe('what a controller makes clusters and groups of', () => {
  it.each([
    ['an older provider of Crossplane', 'eks.aws.crossplane.io/v1alpha1', 'NodeGroup'],
    ['the Cluster API', 'infrastructure.cluster.x-k8s.io/v1beta2', 'AWSManagedMachinePool'],
  ])('is told as not read: %s', (engine, apiVersion, kind) => {
    const text = `kind: ${kind}\napiVersion: ${apiVersion}\nmetadata: {name: a}\n`;
    expect(checkFiles({ 'a.yaml': documents(BUDGET, text, text.replace('name: a', 'name: b')) }).problems).toEqual([
      `warning a.yaml:9 objects of ${engine} (${kind}) aren't read yet, so the clusters, node groups and add-ons that this file declares aren't checked`,
    ]);
  });

  it('is told of roles, where they are about EKS', () => {
    const role = (issuer: string) =>
      `apiVersion: iam.aws.crossplane.io/v1beta1\nkind: Role\nmetadata: {name: a}\nspec: {forProvider: {assumeRolePolicyDocument: '{"Principal": "${issuer}"}'}}\n`;
    expect(checkFiles({ 'a.yaml': role('oidc.eks.eu-west-1.amazonaws.com/id/ABC') }).problems).toEqual([
      "warning a.yaml:2 objects of an older provider of Crossplane (Role) aren't read yet, so the roles and policies that this file declares aren't checked",
    ]);
    expect(checkFiles({ 'a.yaml': role('token.actions.githubusercontent.com') }).problems).toEqual([]);
  });

  it.each([
    [
      'Crossplane (Composition)',
      `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: clusters}
spec:
  mode: Pipeline
  pipeline:
    - step: render
      functionRef: {name: function-go-templating}
      input:
        apiVersion: gotemplating.fn.crossplane.io/v1beta1
        kind: GoTemplate
        source: Inline
        inline:
          template: |
            apiVersion: eks.aws.upbound.io/v1beta1
            kind: NodeGroup
            metadata: {name: {{ .observed.composite.resource.metadata.name }}}
`,
      'check what comes out for a composite resource: crossplane render RESOURCE.yaml a.yaml FUNCTIONS.yaml | eks-guardrails check -',
    ],
    [
      'kro (ResourceGraphDefinition)',
      `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: clusters}
spec:
  resources:
    - id: cluster
      template: {apiVersion: eks.services.k8s.aws/v1alpha1, kind: Cluster, metadata: {name: "\${schema.spec.name}"}}
`,
      'check the objects that kro makes of an instance, as a cluster that has one shows them: kubectl get KIND NAME -o yaml | eks-guardrails check -',
    ],
  ])('is told as not rendered where it has EKS in it: %s', (title, text, advice) => {
    expect(checkFiles({ 'a.yaml': text }).problems).toEqual([
      `warning a.yaml:2 objects of ${title} are not rendered here, so what they make for EKS isn't checked; ${advice}`,
    ]);
    const others = text.replace(/eks\.(?:aws\.upbound\.io|services\.k8s\.aws)/, 's3.example.com');
    expect(checkFiles({ 'a.yaml': others }).problems).toEqual([]);
  });

  it('is nothing of another group or kind', () => {
    const files = {
      'a.yaml': documents(
        BUDGET,
        'apiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata: {name: a}\n',
        'apiVersion: s3.services.k8s.aws/v1alpha1\nkind: Bucket\nmetadata: {name: a}\n',
      ),
    };
    expect(checkFiles(files).problems).toEqual([]);
  });
});

describe('what is no manifest', () => {
  it.each([
    [
      'a workflow',
      '.github/workflows/ci.yaml',
      'name: CI\non: push\njobs:\n  a:\n    runs-on: x\n    steps: [{run: "kubectl apply -f Deployment"}]\n',
    ],
    ['values of a chart', 'values.yaml', 'kind: Deployment\nreplicas: 1\nkarpenter.k8s.aws: x\n'],
    ['a composition of containers', 'docker-compose.yml', 'services:\n  web: {image: web}\n'],
    [
      'a description of an API',
      'openapi.json',
      '{"openapi": "3.0.0", "components": {"schemas": {"Pod": {"properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}}}}}}',
    ],
    ['a manifest within a value', 'cm.yml', 'a: |\n  apiVersion: apps/v1\n  kind: Deployment\n'],
    ['a package', 'package.json', '{"name": "a", "kind": "Deployment"}'],
  ])('is passed by in a folder: %s', (_, name, text) => {
    const { inputs, problems, failures } = checkFiles({ 'eks.json': clusterTemplate(), [name]: text });
    expect(inputs).toEqual(['cloudformation-template eks.json 2']);
    expect([problems, failures.filter((one) => !one.includes('eks.json'))]).toEqual([[], []]);
  });

  it('costs and says nothing where its kind is of no concern', () => {
    const both = checkFiles({ 'eks.json': clusterTemplate(), 'service.yaml': SERVICE });
    expect([both.inputs, both.problems]).toEqual([['cloudformation-template eks.json 2'], []]);
    const alone = checkFiles({ 'service.yaml': SERVICE });
    expect([alone.inputs, alone.problems]).toEqual([['kubernetes-manifest service.yaml 1'], []]);
    expect(checkFiles({ 'service.yaml': SERVICE }, ['service.yaml']).inputs).toEqual(alone.inputs);
  });

  it('is not even looked into: what is wrong with it is for others to say', () => {
    expect(checkFiles({ 'a.yaml': `${SERVICE}  a: [\n` }).problems).toEqual([]);
  });

  it('is a definition of a kind, or an object of it in another group', () => {
    const crd =
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: eniconfigs.crd.k8s.amazonaws.com}\nspec: {names: {kind: ENIConfig}}\n';
    const { failures, problems } = checkFiles({
      'crd.yaml': crd,
      'other.yaml': 'apiVersion: x.io/v1\nkind: ENIConfig\nmetadata: {name: ap-noratheast-2a}\n',
    });
    expect([failures, problems]).toEqual([[], []]);
  });
});

describe('what can’t be read', () => {
  it('is told with its place, and the other documents and files are checked', () => {
    const { problems, failures } = checkFiles({
      'a.yaml': documents(`${WEB}  bad: [\n`, NODE_CLASS),
      'b.yaml': documents(WEB, BUDGET),
    });
    expect(problems).toEqual([expect.stringMatching(/^error a\.yaml:1\d /)]);
    expect(failures).toEqual(['warning imds-hop-limit a.yaml:15', 'info drain-blocked b.yaml:15']);
  });

  it('is a key that stands twice, of which kubectl takes the last', () => {
    const { problems, failures } = checkFiles({
      'a.yaml': documents(WEB, BUDGET.replace('  minAvailable', '  minAvailable: 0\n  minAvailable')),
    });
    expect(problems).toEqual([
      'warning a.yaml:16 "minAvailable" is written twice in one map, first in line 15; kubectl takes this last one without a word',
    ]);
    expect(failures).toEqual(['info drain-blocked a.yaml:16']);
  });

  it('is a template of a chart, one line for all charts that have to do with EKS', () => {
    const template = `{{- if .Values.pdb }}\n${BUDGET}{{- end }}\n`;
    const files = {
      'charts/web/Chart.yaml': 'name: web\n',
      'charts/web/values.yaml': 'pdb: true\n',
      'charts/web/templates/pdb.yaml': template,
      'charts/web/charts/sub/Chart.yaml': 'name: sub\n',
      'charts/web/charts/sub/templates/pdb.yaml': template,
      'charts/api/Chart.yaml': 'name: api\n',
      'charts/api/templates/pdb.yaml': template,
      'charts/plain/Chart.yaml': 'name: plain\n',
      'charts/plain/templates/service.yaml': `{{- if .Values.a }}\n${SERVICE}{{- end }}\n`,
      'web.yaml': documents(WEB, BUDGET),
    };
    const { problems, failures, result } = checkFiles(files);
    expect(problems).toEqual([
      'warning charts/api:1 Helm charts are not rendered here, so what they make is not checked: charts/api, charts/web; check what comes out: helm template charts/api | eks-guardrails check -',
    ]);
    expect(result.diagnostics[0]?.skipped).toEqual({ what: 'chart', count: 2 });
    expect(failures).toEqual(['info drain-blocked web.yaml:15']);
    expect(checkFiles(files, ['charts/web/templates/pdb.yaml']).problems).toEqual([
      'error charts/web/templates/pdb.yaml:1 this is a template of a Helm chart, which is not rendered here; check what comes out: helm template charts/web | eks-guardrails check -',
    ]);
    expect(checkFiles(files, ['charts/web']).problems.filter((one) => one.startsWith('error'))).toEqual([
      'error charts/web:1 this is a Helm chart, which is not rendered here; check what comes out: helm template charts/web | eks-guardrails check -',
    ]);
  });

  it('lies beside the templates of a chart, for these or for its tests', () => {
    const files = {
      'charts/web/Chart.yaml': 'name: web\n',
      'charts/web/files/all.yaml': documents(WEB, BUDGET),
      'charts/web/ci/deep/values.yaml': documents(WEB, BUDGET),
      'charts/web/support/crd.yaml': documents(WEB, BUDGET),
      'files/web.yaml': documents(WEB, BUDGET.replace('name: web', 'name: other')),
    };
    const { problems, failures } = checkFiles(files);
    expect(failures).toEqual(['info drain-blocked files/web.yaml:15']);
    expect(problems).toHaveLength(1);
    expect(checkFiles(files, ['charts/web/files/all.yaml']).failures).toHaveLength(1);
  });

  it('is a template of another tool', () => {
    const text = `{% if x %}\n${BUDGET}{% endif %}\n`;
    expect(checkFiles({ 'a.yaml': text, 'web.yaml': WEB }).problems).toEqual([
      'warning a.yaml:1 templates of manifests are not rendered here, so what they make is not checked: a.yaml; render them first, and check what comes out',
    ]);
    expect(checkFiles({ 'a.yaml': text }, ['a.yaml']).problems).toEqual([
      'error a.yaml:1 this is a template of a manifest, which is not rendered here: render it first, and check what comes out',
    ]);
  });
});

describe('the data of a Secret', () => {
  const secret = (kind: string) =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n${kind}:\n  password: hunter2-hunter2\n  type: helm\n`;

  it.each([
    ['before a finding', documents(secret('stringData'), NODE_CLASS)],
    [
      'in a list',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: [
          { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, stringData: { password: 'hunter2-hunter2' } },
          {
            apiVersion: 'karpenter.k8s.aws/v1',
            kind: 'EC2NodeClass',
            metadata: { name: 'default' },
            spec: { role: 'nodes' },
          },
        ],
      }),
    ],
  ])('is hidden in reports: %s', (_, text) => {
    const { result, failures } = checkFiles({ 'a.yaml': text });
    expect(failures).toHaveLength(1);
    expect(result.secrets?.hide(text)).not.toContain('hunter2');
  });

  it('hides no plain words', () => {
    const { problems } = checkFiles({
      'a.yaml': documents(secret('stringData'), NODE_CLASS),
      'chart/Chart.yaml': 'name: a\n',
      'chart/templates/a.yaml': `{{ if x }}\n${BUDGET}{{ end }}`,
    });
    expect(problems).toEqual([expect.stringContaining('helm template chart | eks-guardrails check -')]);
  });
});

const AWS_NODE = `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: aws-node, namespace: kube-system}
spec:
  template:
    spec: {containers: [{name: aws-node, image: amazon-k8s-cni:v1.21.1}]}
`;

describe('what Flux and Argo CD change', () => {
  const flux = (...settings: readonly string[]) =>
    documents(
      'apiVersion: v1\nkind: Namespace\nmetadata: {name: flux-system}\n',
      `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: nodes, namespace: flux-system}
spec:
${['path: ./infra/nodes', ...settings].map((line) => `  ${line}\n`).join('')}`,
    );
  const argo = (source: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: nodes}
spec:
  ${source}
`;
  const PATCH = 'patches: [{patch: "- op: add", target: {kind: EC2NodeClass}}]';
  const judged = (deployer: string, files: Readonly<Record<string, string>> = { 'infra/nodes/a.yaml': NODE_CLASS }) => {
    const { failures, problems } = checkFiles({ 'clusters/main.yaml': deployer, ...files });
    return [failures.length, ...problems];
  };
  const told = (build: string) =>
    `warning clusters/main.yaml:1 kustomizations are not built here, so what they change is not checked (1 object): clusters/main.yaml; check what comes out: ${build} | eks-guardrails check -`;
  const BUILT = told(
    'flux build kustomization nodes --path ./infra/nodes --kustomization-file clusters/main.yaml --dry-run',
  );
  const MANIFESTS = told('argocd app manifests nodes');

  it.each([
    ['a patch', flux(PATCH), BUILT],
    ['a component', flux('components: [../hops]'), BUILT],
    ['a patch of an Application', argo(`source: {path: infra/nodes, kustomize: {${PATCH}}}`), MANIFESTS],
    [
      'an image of one of its sources',
      argo('sources: [{path: infra/nodes, kustomize: {images: ["a=b:1"]}}]'),
      MANIFESTS,
    ],
    [
      'a patch of an ApplicationSet, of a folder that is filled in',
      argo(`template: {spec: {source: {path: "{{path}}", kustomize: {${PATCH}}}}}`).replace(
        'Application',
        'ApplicationSet',
      ),
      told('argocd app manifests NAME'),
    ],
  ])('is not judged: %s', (_, deployer, problem) => {
    expect(judged(deployer)).toEqual([0, problem]);
  });

  it('is not judged behind a kustomization', () => {
    const folder = {
      'infra/base/a.yaml': NODE_CLASS,
      'infra/nodes/kustomization.yaml': 'resources: [../base/a.yaml]\n',
    };
    expect(judged(flux(PATCH), folder)).toEqual([0, BUILT]);
  });

  describe('by variables', () => {
    const FROM = flux('postBuild: {substituteFrom: [{kind: ConfigMap, name: a}]}');
    const withRole = NODE_CLASS.replace('role: nodes', 'role: "${role}"');

    it.each([
      ['of a ConfigMap', FROM],
      ['that stand there', flux('postBuild: {substitute: {role: nodes}}')],
    ])('%s leaves the rest of an object to be judged', (_, deployer) => {
      expect(judged(deployer, { 'infra/nodes/a.yaml': withRole })).toEqual([1]);
    });

    it('is unknown where they stand', () => {
      const hops = `${NODE_CLASS}  metadataOptions:\n    httpTokens: required\n    httpPutResponseHopLimit: \${hops}\n`;
      const { failures, unverifiable } = checkFiles({ 'clusters/main.yaml': FROM, 'infra/nodes/a.yaml': hops });
      expect([failures, unverifiable]).toEqual([[], ['imds-hop-limit']]);
    });

    it.each([
      ['are unknown', '', 'unknown'],
      [
        'are for the shell where the object turns them off',
        ', annotations: {kustomize.toolkit.fluxcd.io/substitute: disabled}',
        'string',
      ],
    ])('in user data %s', (_, metadata, kind) => {
      const text = NODE_CLASS.replace('metadata: {name: default', `metadata: {name: default${metadata}`).replace(
        'role: nodes',
        'role: nodes\n  userData: "echo ${cluster}"',
      );
      const { result } = checkFiles({ 'clusters/main.yaml': FROM, 'infra/nodes/a.yaml': text });
      const manifest = result.model.clusterViews
        .flatMap(({ manifests }) => manifests)
        .find(({ type }) => type === 'EC2NodeClass');
      const userData = manifest && dataAt(manifest.object, 'spec', 'userData');
      expect(userData instanceof Unknown ? 'unknown' : typeof userData).toBe(kind);
    });
  });

  it.each([
    ['nothing is changed', flux()],
    ['another kind is', flux(PATCH.replace('EC2NodeClass', 'NodePool'))],
    ['another folder is', flux(PATCH).replace('infra/nodes', 'fra/nodes')],
    ['it has no variable', flux('postBuild: {substituteFrom: [{kind: ConfigMap, name: a}]}')],
    ['it is put into another namespace', flux('targetNamespace: nodes')],
    ['a chart is configured', argo('source: {path: infra/nodes, helm: {values: "a: b"}}')],
  ])('leaves an object to be judged where %s', (_, deployer) => {
    expect(judged(deployer)).toEqual([1]);
  });
});

describe('kustomizations', () => {
  const web = documents(WEB, BUDGET);

  it('that merely list files leave them as they are, in their namespace', () => {
    const { failures, problems, objects } = checkFiles({
      'base/kustomization.yaml': 'namespace: front\nresources: [web.yaml]\n',
      'base/web.yaml': web.replaceAll(', namespace: shop', ''),
    });
    expect(failures).toEqual(['info drain-blocked base/web.yaml:15']);
    expect(objects).toEqual(['Deployment/front/web of base', 'PodDisruptionBudget/front/web of base']);
    expect(problems).toEqual([]);
  });

  it('around others put all into their own namespace, and files of two stay where they are', () => {
    const plain = web.replaceAll(', namespace: shop', '');
    const base = { 'base/kustomization.yaml': 'namespace: front\nresources: [web.yaml]\n', 'base/web.yaml': plain };
    const overlay = (name: string, folder: string) => ({
      [`overlays/${name}/kustomization.yaml`]: `namespace: ${name}\nresources: [${folder}]\n`,
    });
    const namespacesIn = (files: Readonly<Record<string, string>>) =>
      checkFiles({ ...base, ...files }).objects.map((object) => object.replace(/^.*?\/(.*)\/.*$/, '$1'));
    expect(namespacesIn(overlay('prod', '../../base'))).toEqual(['prod', 'prod']);
    expect(namespacesIn(overlay('prod', '../../base/'))).toEqual(['prod', 'prod']);
    expect(namespacesIn({ 'app/kustomization.yaml': 'resources: [../base]\n' })).toEqual(['front', 'front']);
    expect(namespacesIn({ ...overlay('prod', '../../base'), ...overlay('test', '../../base') })).toEqual([
      'Deployment/web of base',
      'PodDisruptionBudget/web of base',
    ]);
    expect(
      namespacesIn({
        ...overlay('prod', '../../base'),
        'base/kustomization.yaml': 'resources: [web.yaml, ../overlays/prod]\n',
      }),
    ).toEqual(['Deployment/web of base', 'PodDisruptionBudget/web of base']);
  });

  it('that change what they list are told, and neither that nor patches are judged', () => {
    const { failures, problems, objects } = checkFiles({
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'base/web.yaml': web,
      'overlays/prod/kustomization.yaml': 'resources: [../../base, policy.yaml]\npatches: [{path: replicas.yaml}]\n',
      'overlays/prod/policy.yaml': NODE_CLASS,
      'overlays/prod/replicas.yaml': BUDGET.replace('minAvailable: 1', 'minAvailable: 0'),
    });
    expect(objects).toEqual(['Deployment/shop/web of .', 'EC2NodeClass/default of .']);
    expect(failures).toEqual(['warning imds-hop-limit overlays/prod/policy.yaml:4']);
    expect(problems).toEqual([
      'warning overlays/prod:1 kustomizations are not built here, so what they change is not checked (1 object): overlays/prod; check what comes out: kubectl kustomize overlays/prod | eks-guardrails check -',
    ]);
  });

  it('that change what another one lists as it is are told, and it is judged', () => {
    const { failures, problems } = checkFiles({
      'base/kustomization.yaml': 'resources: [nodes.yaml]\n',
      'base/nodes.yaml': NODE_CLASS,
      'dev/kustomization.yaml': 'resources: [../base]\nnamespace: dev\n',
      'prod/kustomization.yaml': 'resources: [../base]\npatches: [{path: hops.yaml, target: {kind: EC2NodeClass}}]\n',
    });
    expect(failures).toEqual(['warning imds-hop-limit base/nodes.yaml:4']);
    expect(problems).toEqual([
      'warning prod:1 kustomizations are not built here, so what they change is not checked (1 object): prod; check what comes out: kubectl kustomize prod | eks-guardrails check -',
    ]);
  });

  it('that can not be read are told, and what they may change with them', () => {
    const { failures, problems } = checkFiles({
      'a/kustomization.yaml': 'resources: [nodes.yaml\n',
      'a/nodes.yaml': NODE_CLASS,
      'b/kustomization.yaml': `x: &x [${'1,'.repeat(2000)}]\ny: &y [${'*x,'.repeat(2000)}]\nresources: *y\n`,
    });
    expect(failures).toEqual(['warning imds-hop-limit a/nodes.yaml:4']);
    expect(problems).toEqual([
      "warning a/kustomization.yaml:2 this kustomization can't be read, so what it changes isn't known: flow sequence in block collection must be sufficiently indented and end with a ]",
      "warning b/kustomization.yaml:2 this kustomization can't be read, so what it changes isn't known: the aliases up to here stand for more than 2000000 values",
    ]);
  });

  it.each([
    ['def(?:ault|ined)', true],
    ['d.*', true],
    ['', true],
    ['def', false],
    ['(?i)DEFAULT', true],
    ['(unclosed', true],
    ['(.+)+(.+)+(.+)+X', false],
    [`(?:${'a?'.repeat(600)})`, true],
  ])('select by patterns of Go for whole names, which take no longer than they may: %s', (name, isMeant) => {
    const elapsed = cpuTime();
    const { failures } = checkFiles({
      'kustomization.yaml': `resources: [nodes.yaml]\npatches: [{path: p.yaml, target: {kind: EC2NodeClass, name: "${name}"}}]\n`,
      'nodes.yaml': NODE_CLASS,
    });
    expect(failures).toEqual(isMeant ? [] : ['warning imds-hop-limit nodes.yaml:4']);
    expect(elapsed()).toBeLessThan(3000);
  });

  it('reach through folders that are named with a slash', () => {
    const { objects } = checkFiles({
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'base/web.yaml': web,
      'prod/kustomization.yaml': 'resources: [../base/]\nnamePrefix: a-\n',
    });
    // The Deployment isn't what is deployed; the budget is the same by any name.
    expect(objects).toEqual(['PodDisruptionBudget/shop/web of base']);
  });

  it.each([
    'namePrefix: prod-\n',
    'nameSuffix: -prod\n',
    'namespace: prod\n',
    'namePrefix: prod-\nnameSuffix: -1\nnamespace: prod\n',
  ])('of names leave to be judged what is the same by any name: %j', (names) => {
    const { failures, problems } = checkFiles({
      'base/kustomization.yaml': 'resources: [nodes.yaml, budget.yaml]\n',
      'base/nodes.yaml': NODE_CLASS,
      'base/budget.yaml': BUDGET.replace('minAvailable: 1', 'maxUnavailable: 0'),
      'prod/kustomization.yaml': `resources: [../base]\n${names}`,
    });
    expect(failures).toEqual([
      'warning imds-hop-limit base/nodes.yaml:4',
      expect.stringMatching(/^\w+ drain-blocked base\/budget\.yaml:/),
    ]);
    expect(problems).toEqual([]);
  });

  it('of names leave alone what is found by its name, or by names that change with it', () => {
    const role =
      'data:\n  mapRoles: |\n    - {rolearn: "arn:aws:iam::111122223333:role/eks/nodes", groups: [system:nodes]}\n';
    const auth = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: aws-auth, namespace: kube-system}\n${role}`;
    const overlay = (settings: string) =>
      checkFiles({
        'k/kustomization.yaml': `resources: [auth.yaml, cni.yaml]\n${settings}`,
        'k/auth.yaml': auth,
        'k/cni.yaml': AWS_NODE,
      });
    const { failures, objects, problems } = overlay('namePrefix: a-\n');
    expect([failures, objects]).toEqual([[], []]);
    expect(problems).toEqual([
      'warning k:1 kustomizations are not built here, so what they change is not checked (2 objects): k; check what comes out: kubectl kustomize k | eks-guardrails check -',
    ]);
    expect(overlay('namespace: kube-system\n').failures.join()).toContain('aws-auth-roles');
  });

  it('of images leave all else to be judged, with the image that comes out', () => {
    const cni = (...overlays: readonly (readonly [name: string, tag: string])[]) =>
      checkFiles({
        'base/kustomization.yaml': 'resources: [cni.yaml]\n',
        'base/cni.yaml': AWS_NODE,
        ...Object.fromEntries(
          overlays.map(([name, tag]) => [
            `${name}/kustomization.yaml`,
            `resources: [../base]\nimages: [{name: amazon-k8s-cni, newTag: ${tag}}]\n`,
          ]),
        ),
      }).result.model.clusterViews.flatMap(({ manifests }) =>
        manifests.map(({ object }) => {
          const containers = dataAt(object, 'spec', 'template', 'spec', 'containers') as readonly Data[];
          return dataAt(containers[0], 'image');
        }),
      );
    expect(cni()).toEqual(['amazon-k8s-cni:v1.21.1']);
    expect(cni(['prod', 'v1.22.0'])).toEqual(['amazon-k8s-cni:v1.22.0']);
    expect(cni(['prod', 'v1.22.0'], ['dev', 'v1.23.0'])).toMatchObject([
      { reason: 'several kustomizations set it, each otherwise', text: 'amazon-k8s-cni:${tag}' },
    ]);
  });

  it('that make a ConfigMap which rules look at are told', () => {
    const { problems } = checkFiles({
      'k/kustomization.yaml': 'resources: [n.yaml]\nconfigMapGenerator: [{name: amazon-vpc-cni, literals: [a=b]}]\n',
      'k/n.yaml': NODE_CLASS,
    });
    expect(problems).toEqual([
      'warning k:1 kustomizations are not built here, so what they change is not checked (1 object): k; check what comes out: kubectl kustomize k | eks-guardrails check -',
    ]);
  });

  it('are refused by name', () => {
    const files = { 'base/kustomization.yaml': 'resources: [web.yaml]\n', 'base/web.yaml': web };
    expect(checkFiles(files, ['base/kustomization.yaml']).problems).toEqual([
      'error base/kustomization.yaml:1 this is a kustomization, which is not built here; check what comes out: kubectl kustomize base | eks-guardrails check -',
    ]);
  });
});

describe('what is rendered or filled in elsewhere', () => {
  it('has the namespace of its release, in which objects meet', () => {
    const rendered = documents(WEB, BUDGET)
      .replaceAll(', namespace: shop', '')
      .replaceAll('apiVersion', '# Source: web/templates/x.yaml\napiVersion');
    expect(checkFiles({ 'a.yaml': rendered }).failures).toEqual(['info drain-blocked a.yaml:17']);
  });

  it('leaves out what Helm runs for its tests alone', () => {
    const hook = '{name: default, annotations: {helm.sh/hook: test}}';
    const pod = `apiVersion: v1\nkind: Pod\nmetadata: ${hook}\nspec: {containers: [{name: a, image: a}]}\n`;
    const rendered = `# Source: web/templates/tests/a.yaml\n${pod}`;
    expect(checkFiles({ 'a.yaml': rendered }).objects).toEqual([]);
    // Whatever applies it then knows nothing of Helm.
    expect(checkFiles({ 'a.yaml': pod }).objects).toEqual([expect.stringContaining('Pod/')]);
    const nodeClass = NODE_CLASS.replace('{name: default}', hook);
    for (const text of [nodeClass, `# Source: web/templates/a.yaml\n${nodeClass}`])
      expect(checkFiles({ 'a.yaml': text }).failures).toEqual([expect.stringContaining('imds-hop-limit')]);
  });

  it.each([
    ['in a comment', { 'Chart.yaml': 'name: a\n', 'templates/a.yaml': `${NODE_CLASS}# {{ .Values.a }}\n` }],
    ['outside of the templates of a chart', { 'Chart.yaml': 'name: a\n', 'a.yaml': `${NODE_CLASS}# {{\n` }],
    [
      'in a text outside of the templates of a chart',
      { 'Chart.yaml': 'name: a\n', 'a.yaml': NODE_CLASS.replace('{name: default}', '{name: "{{ a }}"}') },
    ],
  ])('is judged as it is where actions stand %s', (_, files) => {
    expect(checkFiles(files).failures).toEqual([expect.stringContaining('warning imds-hop-limit')]);
  });

  it('is told where its group is escaped, too', () => {
    const text = NODE_CLASS.replace(
      /^apiVersion: (\S+)$/m,
      (_, version: string) => `apiVersion: "${version.replace('.aws', '\\x2eaws')}"`,
    );
    const { problems } = checkFiles({
      'a/Chart.yaml': 'name: a\n',
      'a/templates/a.yaml': `${text}{{ end }}\n`,
      'b.yaml': NODE_CLASS,
    });
    expect(problems).toEqual([expect.stringContaining('Helm charts are not rendered')]);
  });

  it.each([['${MIN}'], ['"{{ .Values.min }}"'], ['<min>'], ['$MIN']])('is unknown where it is %s', (hole) => {
    const { failures, unverifiable } = checkFiles({
      'a.yaml': documents(WEB, BUDGET.replace('minAvailable: 1', `minAvailable: ${hole}`)),
    });
    expect([failures, unverifiable]).toEqual([[], ['drain-blocked']]);
  });

  it('is unknown where it is encrypted', () => {
    const { failures, unverifiable } = checkFiles({
      'a.yaml': documents(WEB, BUDGET.replace('minAvailable: 1', 'minAvailable: ENC[AES256_GCM,data:Zg==,type:int]')),
    });
    expect([failures, unverifiable]).toEqual([[], ['drain-blocked']]);
  });
});

describe('decisions', () => {
  it('in a comment above the first line of an object hold for all of it, in an annotation too', () => {
    const comment = '# eks-guardrails:ignore imds-hop-limit -- no pod needs it\n';
    expect(checkFiles({ 'a.yaml': documents(WEB, `${comment}${NODE_CLASS}`) })).toMatchObject({
      failures: [],
      problems: [],
    });
    const annotated = NODE_CLASS.replace(
      '{name: default}',
      '{name: default, annotations: {eks-guardrails/ignore: imds-hop-limit -- no pod needs it}}',
    );
    expect(checkFiles({ 'a.yaml': annotated })).toMatchObject({ failures: [], problems: [] });
  });

  it('hold for one object of several, and for one setting', () => {
    const comment = '# eks-guardrails:ignore imds-hop-limit -- no pod needs it\n';
    const other = NODE_CLASS.replace('default', 'other');
    expect(checkFiles({ 'a.yaml': documents(`${comment}${NODE_CLASS}`, other) }).failures).toEqual([
      'warning imds-hop-limit a.yaml:12',
    ]);
    const inside = BUDGET.replace(
      '  minAvailable',
      '  # eks-guardrails:ignore drain-blocked -- moved by hand\n  minAvailable',
    );
    expect(checkFiles({ 'a.yaml': documents(WEB, inside) }).failures).toEqual([]);
  });

  it('that stand nowhere, or are none, are told', () => {
    expect(
      checkFiles({ 'a.yaml': `# eks-guardrails:ignore imds-hop-limit -- x\n---\n${NODE_CLASS}` }).problems,
    ).toEqual([expect.stringMatching(/^warning a\.yaml:1 this comment stands at nothing/)]);
    const annotated = NODE_CLASS.replace(
      '{name: default}',
      '{name: default, annotations: {eks-guardrails/ignore: ""}}',
    );
    expect(checkFiles({ 'a.yaml': annotated }).problems).toEqual([
      expect.stringMatching(/^warning a\.yaml:3 this annotation names no rule/),
    ]);
  });
});

describe('what an adversary may send', () => {
  itWithAll('is read in time that grows with its length, and no faster', () => {
    const budgets = (count: number) =>
      Array.from({ length: count }, (_, index) => BUDGET.replace('name: web', `name: web-${index}`)).join('---\n');
    const time = (count: number) => {
      const start = process.cpuUsage().user;
      expect(checkFiles({ 'a.yaml': budgets(count) }).objects).toHaveLength(count);
      return process.cpuUsage(undefined).user - start;
    };
    time(500);
    expect(time(8000)).toBeLessThan(12 * time(2000) + 1_000_000);
  });

  describeWithAll('many of one thing', () => {
    const repeated = (count: number, line: (index: number) => string): string =>
      Array.from({ length: count }, (_, index) => line(index)).join('');
    const mapRoles = (count: number): string =>
      JSON.stringify(
        Array.from({ length: count }, (_, index) => ({
          rolearn: `arn:aws:iam::111122223333:role/path/nodes-${index}`,
          username: 'system:node:{{EC2PrivateDNSName}}',
          groups: ['system:bootstrappers', 'system:nodes'],
        })),
      );

    it.each<[string, number, (count: number) => Record<string, string>]>([
      [
        'documents that are comments alone',
        3000,
        (count) => ({ 'a.yaml': `${NODE_CLASS}${repeated(count, () => '---\n# none\n')}` }),
      ],
      [
        'patches of a kustomization beside objects',
        60,
        (count) => ({
          'kustomization.yaml': `resources: [a.yaml]\npatches:\n${repeated(count, (index) => `- patch: |\n    kind: Pod\n    metadata: {name: p${index}}\n`)}`,
          'a.yaml': repeated(count, (index) => `${BUDGET.replace('name: web', `name: web-${index}`)}---\n`),
        }),
      ],
      [
        'entries of aws-auth in JSON',
        25,
        (count) => ({
          'a.json': JSON.stringify({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'aws-auth', namespace: 'kube-system' },
            data: { mapRoles: mapRoles(count) },
          }),
        }),
      ],
    ])('takes no longer than in proportion for four times as many: %s', (_, count, files) => {
      const time = (times: number): number => {
        const elapsed = cpuTime();
        checkFiles(files(count * times));
        return elapsed();
      };
      time(1);
      const once = Math.min(time(1), time(1));
      expect(time(4)).toBeLessThan(10 * once + 500);
    });

    const pool = (index: number): string =>
      `apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: p${index}}\nspec: {template: {spec: {nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: c${index}}}}}\n`;
    const numbered = (text: string, index: number): string => text.replaceAll('web', `web${index}`);
    it.each<[string, (index: number) => string]>([
      [
        'node classes and node pools',
        (index) => documents(NODE_CLASS.replace('name: default', `name: c${index}`), pool(index)),
      ],
      ['Deployments and budgets', (index) => documents(numbered(WEB, index), numbered(BUDGET, index))],
    ])('of %s takes time that grows with their number', (_, one) => {
      const time = (count: number) => {
        const text = documents(...Array.from({ length: count }, (_unused, index) => one(index)));
        const passed = cpuTime();
        checkFiles({ 'a.yaml': text });
        return passed();
      };
      time(50);
      expect(time(1600)).toBeLessThan(6 * time(400) + 500);
    });
  });

  it('is refused where aliases stand for millions of values', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 9; level++)
      lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
    const { problems } = checkFiles({
      'a.yaml': `${NODE_CLASS}${lines.join('\n')}\n`,
      'b.yaml': NODE_CLASS.replace('default', 'b'),
    });
    expect(problems).toEqual([expect.stringMatching(/^error a\.yaml:\d+ the aliases up to here stand for more than/)]);
  });

  it('has keys of the language’s own, and lists of anything', () => {
    const text = JSON.stringify([null, 1, [], { kind: 'List', apiVersion: 'v1', items: [null, 'x', { kind: 3 }] }]);
    expect(
      checkFiles({ 'a.json': text.replace('"items"', '"__proto__": {"a": 1}, "items"'), 'b.yaml': NODE_CLASS })
        .failures,
    ).toEqual(['warning imds-hop-limit b.yaml:4']);
    for (const spec of ['spec:', 'spec: []', 'spec: text', 'spec: {template: 3, selector: [], metadataOptions: x}'])
      for (const kind of [
        'Deployment',
        'EC2NodeClass',
        'ENIConfig',
        'SecurityGroupPolicy',
        'PodDisruptionBudget',
        'NodePool',
        'DaemonSet',
      ])
        expect(
          checkFiles({ 'a.yaml': `apiVersion: x/v1\nkind: ${kind}\nmetadata:\n${spec}\n` }).result.findings.filter(
            ({ rule }) => rule === 'rule-crashed',
          ),
        ).toEqual([]);
  });
});

describe('the same objects', () => {
  const texts = [WEB, BUDGET, NODE_CLASS];
  const verdicts = (files: Readonly<Record<string, string>>) =>
    checkFiles({ 'eks.json': clusterTemplate(), ...files })
      .failures.filter((one) => !one.includes('eks.json'))
      .map((one) => one.replace(/ \S+$/, ''))
      .toSorted();

  it('are judged alike in any order, in one file or several', () => {
    // Nodes of Karpenter may take the pods, so that it isn't certain that an update waits for them.
    const wanted = ['warning drain-blocked', 'warning imds-hop-limit'];
    expect(verdicts({ 'a.yaml': documents(...texts) })).toEqual(wanted);
    expect(verdicts({ 'a.yaml': documents(...texts.toReversed()) })).toEqual(wanted);
    expect(verdicts({ 'a/a.yaml': WEB, 'b/b.yaml': documents(BUDGET, NODE_CLASS) })).toEqual(wanted);
    expect(verdicts(Object.fromEntries(texts.map((text, index) => [`${index}.yaml`, text])))).toEqual(wanted);
  });
});
