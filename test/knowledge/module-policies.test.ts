import { blueprintsAutoscalerImage, blueprintsChart, moduleStatements } from '../../lib/knowledge/module-policies';

describe('what modules bring', () => {
  it('has no policy and no chart of a name that is none', () => {
    expect(moduleStatements('iam-role-for-service-accounts-eks', 'toString', '5.0.0')).toEqual([]);
    expect(blueprintsChart('toString', '1.16.0')).toBeUndefined();
    expect(blueprintsAutoscalerImage('toString', '1.16.0')).toBeUndefined();
  });

  it('is that of a release', () => {
    expect(moduleStatements('iam-role-for-service-accounts-eks', 'load_balancer_controller', '5.39.0')).not.toEqual([]);
    // The first releases had another image for it, and a release at which a span ends isn't in it.
    expect(['1.4.9', '1.5.0', '99.0.0'].map((release) => blueprintsAutoscalerImage('1.27', release))).toEqual([
      'v1.27.2',
      'v1.27.3',
      expect.stringMatching(/^v1\.27\./),
    ]);
    expect(blueprintsAutoscalerImage('1.27', '0.9.0')).toBeUndefined();
    expect(['1.5.0', '1.16.0'].map((release) => blueprintsChart('aws_load_balancer_controller', release))).toEqual([
      '1.5.5',
      '1.7.1',
    ]);
  });
});
