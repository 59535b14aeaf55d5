import { dirname, join } from 'node:path';
import type { Cluster, Environment, Reference } from '../../eks';
import { partitionOf } from '../../knowledge/partition';
import { always, Known, Unknown, type Dialect, type Plain, type Resource, type Source, type Value } from '../../value';
import type { AnswerNode } from './answer-node';
import { OBJECTS, type AnswerKey } from './answers';

/** What one file holds. */
export interface Answer {
  readonly key: AnswerKey | typeof OBJECTS;
  readonly file: string;
  readonly root: AnswerNode;
}

/** The answers of one folder, which are about one cluster. */
export class Dump {
  readonly folder: string;
  /** Made first, because everything else belongs to it. */
  cluster: Cluster | undefined;

  constructor(
    readonly answers: readonly Answer[],
    private readonly dialect: Dialect,
  ) {
    this.folder = dirname(answers[0]?.file ?? '.');
  }

  /** The contents of all answers with a key: the object, list or text that stands below it. */
  all(...keys: readonly AnswerKey[]): readonly AnswerNode[] {
    return keys.flatMap((key) => this.answersOf(key).map(({ root }) => root.child(key)));
  }

  answersOf(key: Answer['key']): readonly Answer[] {
    return this.answers.filter((answer) => answer.key === key);
  }

  /** Whether AWS answered anything: objects of Kubernetes alone are no dump of a cluster. */
  get isOfAws(): boolean {
    return this.answers.some(({ key }) => key !== OBJECTS);
  }

  /** Whether all of a list is here: `--max-items` and `--no-paginate` leave a token behind, with which the command line or the API goes on. */
  isWhole({ root }: Answer): boolean {
    return (
      !['nextToken', 'NextToken'].some((key) => root.child(key).isWritten) && root.child('IsTruncated').raw !== true
    );
  }

  /** Calls that `collect` has written down as answered, with whether their answers are here. */
  get callsAnswered(): readonly { readonly call: AnswerNode; readonly isHere: boolean }[] {
    return this.answersOf('eksGuardrailsDump').flatMap(({ root, file: from }) =>
      root
        .child('calls')
        .items.filter((call) => !call.child('failed').isWritten)
        .map((call) => ({
          call,
          isHere: this.answers.some(({ file }) => file === join(dirname(from), call.child('file').label)),
        })),
    );
  }

  /** The items of all lists with a key. */
  items(...keys: readonly AnswerKey[]): readonly AnswerNode[] {
    return this.all(...keys).flatMap((list) => list.items);
  }

  /** The name of the cluster, as the answers about its parts call it, too. */
  get clusterNames(): readonly string[] {
    const parts = this.all('nodegroup', 'addon', 'association', 'accessEntry', 'fargateProfile');
    const names = [
      ...this.all('cluster').map((node) => node.child('name').label),
      ...parts.map((node) => node.child('clusterName').label),
      ...this.answersOf('eksGuardrailsDump').map(({ root }) => root.child('cluster').label),
    ];
    return [...new Set(names.filter((name) => name !== ''))];
  }

  /** The id of the security group that EKS made for the cluster; empty if it isn't known. */
  get clusterGroup(): string {
    return this.all('cluster')[0]?.at('resourcesVpcConfig', 'clusterSecurityGroupId').label ?? '';
  }

  get environment(): Environment {
    const arns = [
      ...this.all('cluster').map((node) => node.child('arn').label),
      ...this.all('nodegroup').map((node) => node.child('nodegroupArn').label),
      ...this.all('addon').map((node) => node.child('addonArn').label),
    ];
    const region = arns.map((arn) => arn.split(':')[3]).find((one) => one !== undefined && one !== '');
    return region === undefined
      ? { region: undefined, partition: undefined }
      : { region, partition: partitionOf(region) };
  }

  /** The cluster that a part names; that of the dump where an answer doesn't say. */
  clusterOf(name: Plain<string>): Value<Reference<Cluster>> {
    const { cluster } = this;
    if (name.kind === 'known')
      return new Known(
        { text: name.value, target: cluster !== undefined && cluster.id === name.value ? cluster : undefined },
        name.source,
      );
    if (cluster !== undefined) return new Known({ text: cluster.id, target: cluster }, name.source);
    const [only, other] = this.clusterNames;
    return only !== undefined && other === undefined
      ? new Known({ text: only, target: undefined }, name.source)
      : new Unknown("the answer doesn't tell which cluster it is of", name.source);
  }

  /** What all resources have. */
  resource(type: string, id: string, source: Source): Resource {
    const { dialect, folder } = this;
    return {
      type,
      id,
      path: undefined,
      stack: folder,
      frontEnd: dialect.name,
      dialect,
      source,
      suppressions: [],
      exists: always,
    };
  }
}
