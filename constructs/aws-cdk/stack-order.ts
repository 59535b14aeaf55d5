import {
  CfnElement,
  DefaultTokenResolver,
  Reference,
  Stack,
  Stage,
  StringConcat,
  Tokenization,
  type IPostProcessor,
  type IResolvable,
  type IResolveContext,
} from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Has the whole stack of `later` wait for that of `first`, unless that one waits for it already; tells whether it now does. Asked while aspects are called, when the
 * app has added everything. Nested stacks are left as they are: they are deployed as resources of their parents.
 */
export function waitForStack(later: IConstruct, first: IConstruct): boolean {
  const [consumer, producer] = [Stack.of(later), Stack.of(first)];
  if (consumer.nested || producer.nested || Stage.of(consumer) !== Stage.of(producer)) return false;
  if (waitsFor(producer, consumer)) return false;
  later.node.addDependency(first);
  return true;
}

/** Whether a stack waits for another, also by way of others: it was told to, or refers to something there. */
function waitsFor(stack: Stack, other: Stack): boolean {
  const reached = new Set([stack]);
  for (const one of reached) {
    for (const next of neededBy(one)) reached.add(next);
    if (reached.has(other)) return true;
  }
  return false;
}

function neededBy(stack: Stack): ReadonlySet<Stack> {
  const found = new Set(stack.dependencies.map(topOf));
  for (const construct of stack.node.findAll()) {
    for (const target of construct.node.dependencies) for (const one of stacksOf(target)) found.add(topOf(one));
    // What nested stacks refer to, their parents hand down.
    if (CfnElement.isCfnElement(construct)) for (const one of referredTo(construct)) found.add(topOf(one));
  }
  found.delete(stack);
  return found;
}

function stacksOf(construct: IConstruct): Stack[] {
  const within = construct.node.scopes.findLast(Stack.isStack);
  return within === undefined ? construct.node.findAll().filter(Stack.isStack) : [within];
}

function topOf(stack: Stack): Stack {
  return stack.nestedStackParent === undefined ? stack : topOf(stack.nestedStackParent);
}

class ReferenceCollector extends DefaultTokenResolver {
  readonly stacks = new Set<Stack>();

  constructor() {
    super(new StringConcat());
  }

  override resolveToken(token: IResolvable, context: IResolveContext, postProcessor: IPostProcessor): unknown {
    if (Reference.isReference(token)) this.stacks.add(Stack.of(token.target));
    return super.resolveToken(token, context, postProcessor);
  }
}

/** Stacks that an element of a template refers to. CDK itself finds references so when it prepares an app. */
function referredTo(element: CfnElement): ReadonlySet<Stack> {
  const resolver = new ReferenceCollector();
  const render: unknown = Reflect.get(element, '_toCloudFormation');
  if (typeof render === 'function')
    Tokenization.resolve(render.call(element), { scope: element, resolver, preparing: true });
  return resolver.stacks;
}
