import { join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import type { TerraformStackInput } from '../../lib/front-ends/terraform/stack-input';

/** All stacks of a construct tree. */
export function stacksIn(root: IConstruct): TerraformStack[] {
  return root.node.findAll().filter((construct) => TerraformStack.isStack(construct));
}

/** Where CDKTF writes the configuration of a stack. */
export function configurationFileOf(stack: TerraformStack): string {
  return join(outputFolderOf(stack), 'stacks', stack.node.id, 'cdk.tf.json');
}

/** What a stack renders now, raw overrides included. References to other stacks are only right when CDKTF has prepared all of them. */
export function renderedStack(stack: TerraformStack): TerraformStackInput {
  return stackInput(stack, configurationFileOf(stack), stack.toTerraform());
}

export function stackInput(stack: TerraformStack, file: string, content: unknown): TerraformStackInput {
  return { name: stack.node.id, constructPath: stack.node.path, app: outputFolderOf(stack), file, content };
}

/** The folder that the app writes to; empty for a stack without an app, as in tests, which is never written. */
function outputFolderOf(stack: TerraformStack): string {
  const { root } = stack.node;
  return App.isApp(root) ? root.outdir : '';
}
