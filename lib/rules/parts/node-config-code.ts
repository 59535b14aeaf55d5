/** Fix code of several rules: a NodeConfig that holds all that an AL2023 node needs to join its cluster. */

export const NODE_CONFIG_IN_CDK: readonly string[] = [
  'const userData = new ec2.MultipartUserData();',
  'userData.addPart(ec2.MultipartBody.fromRawBody({',
  "  contentType: 'application/node.eks.aws',",
  '  body: stack.toJsonString({',
  "    apiVersion: 'node.eks.aws/v1alpha1',",
  "    kind: 'NodeConfig',",
  '    spec: {',
  '      cluster: {',
  '        name: cluster.clusterName,',
  '        apiServerEndpoint: cluster.clusterEndpoint,',
  '        certificateAuthority: cluster.clusterCertificateAuthorityData,',
  "        cidr: '172.20.0.0/16',",
  '      },',
  '    },',
  '  }),',
  '}));',
];

/** The object to give to `yamlencode`. */
export const NODE_CONFIG_IN_TERRAFORM: readonly string[] = [
  'apiVersion = "node.eks.aws/v1alpha1"',
  'kind       = "NodeConfig"',
  'spec = {',
  '  cluster = {',
  '    name                 = aws_eks_cluster.main.name',
  '    apiServerEndpoint    = aws_eks_cluster.main.endpoint',
  '    certificateAuthority = aws_eks_cluster.main.certificate_authority[0].data',
  '    cidr                 = aws_eks_cluster.main.kubernetes_network_config[0].service_ipv4_cidr',
  '  }',
  '}',
];
