import { collectScript, type CollectRequest } from './collect-script';
import { EXIT_CLEAN } from '../parts/exit-code';
import { UsageError } from '../parts/usage-error';

/** The options of `collect` as the command line parser delivers them. */
export type CollectArguments = Partial<CollectRequest>;

/** Names of clusters. Source: EKS API, CreateCluster. */
const CLUSTER = /^[0-9A-Za-z][\w-]{0,99}$/;

/**
 * Prints the script that writes the answers about a cluster into a folder. Runs nothing.
 * @throws UsageError for what is no name of a cluster
 */
export function printCollectScript({ cluster, output = 'dump', ...given }: CollectArguments): number {
  if (cluster === undefined) throw new UsageError('--cluster is missing: the name of the cluster');
  if (!CLUSTER.test(cluster))
    throw new UsageError(`"${cluster}" is no name of a cluster: letters, digits, - and _, at most 100 of them`);
  for (const [name, value] of Object.entries({ ...given, output }))
    if (typeof value === 'string' && !/^[^\p{Cc}]+$/u.test(value))
      throw new UsageError(`--${name} is empty, or has characters that can't be printed`);
  process.stdout.write(collectScript({ ...given, cluster, output }));
  return EXIT_CLEAN;
}
