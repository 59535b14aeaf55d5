// What the AWS CDK does beside making templates takes as long as that: it checks them by its own rules, copies assets, and remembers where each
// construct was made. Tests whose subject one of these is switch it on again.
process.env['CDK_VALIDATION'] = 'false';
process.env['CDK_CONTEXT_JSON'] = JSON.stringify({
  'aws:cdk:disable-asset-staging': true,
  'aws:cdk:disable-creation-stack-traces': true,
  'aws:cdk:disable-stack-trace': true,
});

// CDK Terrain and CDKTF write a stack trace for each token, for the message that one of them can't be resolved: half of what their tests would take.
process.env['CDKTN_DISABLE_CREATION_STACK'] = 'true';
// CDKTF has no setting for it.
// oxlint-disable-next-line typescript/no-require-imports
(require('cdktf/lib/tokens/private/stack-trace') as { captureStackTrace: () => string[] }).captureStackTrace = () => [];
