import { always, either } from '../../lib/value';
import { readTemplates } from '../../lib/front-ends/cloudformation';
import { configurations } from '../terraform/module/configurations';

const template = `
Parameters: {Stage: {Type: String}}
Conditions:
  IsProd: !Equals [!Ref Stage, prod]
  IsTest: !Equals [!Ref Stage, test]
Resources:
  Cluster: {Type: AWS::EKS::Cluster, Condition: IsProd}
  Other: {Type: AWS::EKS::Cluster, Condition: IsTest}
`;
const [prod = always, test = always] = readTemplates([{ file: 'a.yaml', text: template }]).resources.map(
  ({ exists }) => exists,
);
const [prodElsewhere = always] = readTemplates([{ file: 'b.yaml', text: template }]).resources.map(
  ({ exists }) => exists,
);
const [on = always, off = always] = configurations(
  'variable "on" {}\nresource "aws_x" "y" {\n  count = var.on ? 1 : 0\n}\nresource "aws_x" "z" {\n  count = var.on ? 0 : 1\n}',
).instances.map(({ exists }) => exists);

describe('a condition of a template and a variable of Terraform', () => {
  it('are both part of what they are together', () => {
    expect(prod.and(on)?.text).toBe('condition IsProd is true and var.on is true');
    expect(on.and(prod)?.text).toBe('var.on is true and condition IsProd is true');
    expect(prod.and(on)?.and(off)).toBeUndefined();
    expect(prod.and(on)?.and(test)).toBeUndefined();
    expect(
      prod
        .and(on)
        ?.not()
        .map(({ text }) => text),
    ).toEqual(['condition IsProd is false', 'condition IsProd is true and var.on is false']);
  });

  it('are both part of what one of several is together with', () => {
    const any = either([prod, test]);
    expect(on.and(any)?.text).toBe(
      'condition IsProd is true and var.on is true, or condition IsTest is true and var.on is true',
    );
    expect(any.and(on)?.text).toBe(on.and(any)?.text);
    expect(prod.and(any)).toBe(prod);
  });

  it('go together across templates that have nothing to do with each other', () => {
    expect(prod.and(prodElsewhere)?.text).toBe('condition IsProd is true and condition IsProd is true');
    expect(test.and(prodElsewhere)).toBeDefined();
  });
});
