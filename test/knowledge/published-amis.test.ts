import { amiMatching, amiNamed, amiOfParameter, type AmiFacts } from '../../lib/knowledge/published-amis';

const told = ({ family, architecture, kubernetesVersion }: AmiFacts) => [family, architecture, kubernetesVersion];
const EKS = '/aws/service/eks/optimized-ami';
const NOTHING = [undefined, undefined, undefined];

describe('the path of an SSM parameter', () => {
  it.each([
    [`${EKS}/1.30/amazon-linux-2/recommended/image_id`, ['AL2', 'x86_64', '1.30']],
    [`${EKS}/1.30/amazon-linux-2-arm64/recommended/image_id`, ['AL2', 'arm64', '1.30']],
    [`${EKS}/1.30/amazon-linux-2-gpu/recommended/image_id`, ['AL2', 'x86_64', '1.30']],
    [`${EKS}/1.30/amazon-linux-2/amazon-eks-node-1.30-v20240514/image_id`, ['AL2', 'x86_64', '1.30']],
    [`${EKS}/1.35/amazon-linux-2023/x86_64/standard/recommended/image_id`, ['AL2023', 'x86_64', '1.35']],
    [`${EKS}/1.35/amazon-linux-2023/arm64/nvidia/recommended/image_id`, ['AL2023', 'arm64', '1.35']],
    [`${EKS}/1.35/amazon-linux-2023/x86_64/neuron/recommended/image_id`, ['AL2023', 'x86_64', '1.35']],
    ['/aws/service/bottlerocket/aws-k8s-1.33/x86_64/latest/image_id', ['BOTTLEROCKET', 'x86_64', '1.33']],
    ['/aws/service/bottlerocket/aws-k8s-1.33-nvidia-fips/arm64/1.20.0-abc/image_id', ['BOTTLEROCKET', 'arm64', '1.33']],
    ['/aws/service/bottlerocket/aws-ecs-2/arm64/1.20.0/image_id', ['BOTTLEROCKET', 'arm64', undefined]],
    [
      '/aws/service/ami-windows-latest/Windows_Server-2022-English-Core-EKS_Optimized-1.33/image_id',
      ['WINDOWS', 'x86_64', '1.33'],
    ],
    [
      '/aws/service/canonical/ubuntu/eks/24.04/1.33/stable/current/arm64/hvm/ebs-gp3/ami-id',
      [undefined, 'arm64', '1.33'],
    ],
    ['/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64', [undefined, 'x86_64', undefined]],
    ['/mine/eks/1.33/arm64/image_id', NOTHING],
  ])('%s', (path, facts) => {
    expect(told(amiOfParameter(path))).toEqual(facts);
  });

  it.each([
    // What isn't known is unknown alone.
    [`${EKS}/\${aws_eks_cluster.main.version}/amazon-linux-2/recommended/image_id`, ['AL2', 'x86_64', undefined]],
    [`${EKS}/1.\${Minor}/amazon-linux-2023/arm64/standard/recommended/image_id`, ['AL2023', 'arm64', undefined]],
    [`${EKS}/1.3\${Digit}/amazon-linux-2023/arm64/standard/recommended/image_id`, ['AL2023', 'arm64', undefined]],
    [`${EKS}/1.33/\${Ami}/recommended/image_id`, [undefined, undefined, '1.33']],
    [`${EKS}/1.33/amazon-linux-\${Release}/recommended/image_id`, [undefined, undefined, '1.33']],
    [`${EKS}/1.33/amazon-linux-2\${Suffix}/recommended/image_id`, [undefined, undefined, '1.33']],
    [`${EKS}/1.33/amazon-linux-2-\${Suffix}/recommended/image_id`, ['AL2', undefined, '1.33']],
    [`${EKS}/1.33/amazon-linux-2023/\${Arch}/standard/recommended/image_id`, ['AL2023', undefined, '1.33']],
    ['/aws/service/bottlerocket/aws-k8s-${var.v}/${var.arch}/latest/image_id', ['BOTTLEROCKET', undefined, undefined]],
    ['${Path}', NOTHING],
  ])('%s, of which not all is known', (path, facts) => {
    expect(told(amiOfParameter(path))).toEqual(facts);
  });
});

describe('the name of an AMI', () => {
  it.each([
    ['amazon-eks-node-1.32-v20251209', ['AL2', 'x86_64', '1.32']],
    ['amazon-eks-node-1.33-v*', ['AL2', 'x86_64', '1.33']],
    ['amazon-eks-node-1.33*', ['AL2', 'x86_64', '1.33']],
    ['amazon-eks-node-1.3*', ['AL2', 'x86_64', undefined]],
    ['amazon-eks-node-v24', ['AL2', 'x86_64', undefined]],
    ['amazon-eks-gpu-node-*', ['AL2', 'x86_64', undefined]],
    ['amazon-eks-arm64-node-1.30-*', ['AL2', 'arm64', '1.30']],
    ['amazon-eks-node-al2023-x86_64-standard-1.33-*', ['AL2023', 'x86_64', '1.33']],
    ['amazon-eks-node-al2023-arm64-nvidia-560-1.31-v*', ['AL2023', 'arm64', '1.31']],
    ['amazon-eks-node-al2023-*-1.33-*', ['AL2023', undefined, '1.33']],
    ['amazon-eks-node-al2023-*', ['AL2023', undefined, undefined]],
    ['bottlerocket-aws-k8s-1.33-x86_64-*', ['BOTTLEROCKET', 'x86_64', '1.33']],
    ['bottlerocket-aws-k8s-1.33-nvidia-aarch64-v1.20.0-*', ['BOTTLEROCKET', 'arm64', '1.33']],
    ['bottlerocket-aws-k8s-*-arm64-v1.20.0-*', ['BOTTLEROCKET', 'arm64', undefined]],
    ['Windows_Server-2022-English-Core-EKS_Optimized-1.33-*', ['WINDOWS', 'x86_64', '1.33']],
    ['ubuntu-eks/k8s_1.30/images/hvm-ssd/ubuntu-jammy-22.04-amd64-server-*', [undefined, 'x86_64', '1.30']],
    ['ubuntu-eks-pro/k8s_1.30/images/*', [undefined, undefined, '1.30']],
    // These find others as well.
    ['amazon-eks-node-*', NOTHING],
    ['amazon-eks-*-1.33-*', NOTHING],
    ['*amazon-eks-node-1.33-v*', NOTHING],
    ['my-amazon-eks-node-al2023-*', NOTHING],
    // Nearly always the version; a part of any other name may be anything.
    ['amazon-eks-node-${aws_eks_cluster.main.version}-v*', ['AL2', 'x86_64', undefined]],
    ['amazon-eks-node-${var.cluster_version}-v*', ['AL2', 'x86_64', undefined]],
    ['amazon-eks-node-${var.flavor}-v*', NOTHING],
    ['amazon-eks-node-al2023-${var.arch}-standard-${var.version}-*', ['AL2023', undefined, undefined]],
  ])('%s', (name, facts) => {
    expect(told(amiNamed(name))).toEqual(facts);
  });

  it.each([
    ['^amazon-eks-node-al2023-x86_64-standard-1.33-v\\d+$', ['AL2023', 'x86_64', '1.33']],
    ['^amazon-eks-node-1\\.32-v.*', ['AL2', 'x86_64', '1.32']],
    ['amazon-eks-node-.*-1\\.33', NOTHING],
    ['^amazon-eks-node-${var.version}-v.*$', ['AL2', 'x86_64', undefined]],
    ['^amazon-eks-node-al2023-${var.arch}-standard-1.33', ['AL2023', undefined, '1.33']],
    ['^amazon-eks-node-al2023-.+-1\\.33\\-v', ['AL2023', undefined, '1.33']],
    ['^amazon-eks-node-al2023-x86_64-standard-1\\.\\d{2}-v', ['AL2023', 'x86_64', undefined]],
    ['^amazon-eks-node-al2023-x86_64-standard-1.3[345]-v', ['AL2023', 'x86_64', undefined]],
    ['^amazon-eks-node-(al2023-)?arm64-standard-1.33', NOTHING],
    ['^amazon-eks-node-1.3.-v', ['AL2', 'x86_64', undefined]],
    ['^amazon-eks-arm64-node-1.3?-v', ['AL2', 'arm64', undefined]],
    ['^bottlerocket-aws-k8s-1.33(-nvidia)?(-fips)*-aarch64-', ['BOTTLEROCKET', 'arm64', '1.33']],
    ['bottlerocket-aws-k8s-1.33-amd64$', ['BOTTLEROCKET', 'x86_64', '1.33']],
    ['^\\w+-eks-node-1.33', NOTHING],
    ['^amazon-eks-(gpu-)?node-1.32', NOTHING],
    ['^amazon-eks-node-al2023-(x86_64|arm64)-', NOTHING],
    ['^bottlerocket-aws-k8s-1.33-[a-z0-9_]+-v', ['BOTTLEROCKET', undefined, '1.33']],
    ['^Windows_Server-2022-English-Core-EKS_Optimized-1.33', ['WINDOWS', 'x86_64', '1.33']],
  ])('found by the regular expression %s', (regex, facts) => {
    expect(told(amiMatching(regex))).toEqual(facts);
  });
});
