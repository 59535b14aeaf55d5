/** Events as the CloudFormation Hooks User Guide has them ("Example Lambda Hook stack change input", "… change set change input"), with an address of the test. */

const STACK = 'arn:aws:cloudformation:us-west-2:123456789012:stack/MyStack/1a2345b6-0000-00a0-a123-00abc0abc000';
export const CHANGE_SET =
  'arn:aws:cloudformation:us-west-2:123456789012:changeSet/SampleChangeSet/1a2345b6-0000-00a0-a123-00abc0abc000';
export const TOKEN = 'f8da6d11-b23f-48f4-814c-0fb6a667f50e';

const HOOK = {
  awsAccountId: '123456789012',
  hookTypeName: 'my::lambda::stackhook',
  hookTypeVersion: '00000008',
  hookModel: { LambdaFunction: 'arn:aws:lambda:us-west-2:123456789012:function:MyFunction' },
  requestContext: { invocation: 1, callbackContext: null },
};

export function stackEvent(payload: string, action = 'UPDATE'): object {
  return {
    ...HOOK,
    clientRequestToken: TOKEN,
    stackId: STACK,
    changeSetId: null,
    actionInvocationPoint: `${action}_PRE_PROVISION`,
    requestData: { targetName: 'STACK', targetType: 'STACK', targetLogicalId: 'MyStack', payload },
  };
}

/** As the guide's listing of the input spells its keys. */
export function otherSpelling(event: object): object {
  const { clientRequestToken, stackId, ...rest } = event as Record<string, unknown>;
  return { ...rest, clientRequesttoken: clientRequestToken, stackID: stackId };
}

export function changeSetEvent(payload: string): object {
  return {
    ...HOOK,
    clientRequestToken: TOKEN,
    stackId: STACK,
    changeSetId: CHANGE_SET,
    hookTypeName: 'my::lambda::changesethook',
    actionInvocationPoint: 'CREATE_PRE_PROVISION',
    requestData: { targetName: 'CHANGE_SET', targetType: 'CHANGE_SET', targetLogicalId: CHANGE_SET, payload },
  };
}

export function resourceEvent(): object {
  return {
    ...HOOK,
    clientRequestToken: TOKEN,
    stackId: STACK,
    changeSetId: null,
    actionInvocationPoint: 'CREATE_PRE_PROVISION',
    requestData: {
      targetName: 'AWS::EKS::Nodegroup',
      targetType: 'AWS::EKS::Nodegroup',
      targetLogicalId: 'Workers',
      targetModel: { resourceProperties: { ClusterName: 'prod' }, previousResourceProperties: null },
    },
  };
}
