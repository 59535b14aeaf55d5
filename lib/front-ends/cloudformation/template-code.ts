import type { Document, Node, Pair } from 'yaml';
import type { Resource } from '../../value';
import { yaml } from '../../text/lazy-parsers';

/*
 * Code for a template as the template has it where it goes: what the AWS CDK makes of a cluster, and JSON.
 */

export function codeInTemplate(code: string, resource: Resource): string {
  const ofTemplate = resource.type === CDK_CLUSTER ? codeOfCdkCluster(code) : code;
  return /\.json$/i.test(resource.source.locate().file) ? codeInJson(ofTemplate) : ofTemplate;
}

/** What the construct `Cluster` of `aws-eks` renders. Its property `Config` holds the arguments of the API, whose names begin with small letters. */
const CDK_CLUSTER = 'Custom::AWSCDK-EKS-Cluster';

function codeOfCdkCluster(code: string): string {
  const lines = code.split('\n');
  if (!isOfTemplate(code) || /^ *Type: /m.test(code)) return code;
  return [
    'Config:',
    ...lines.map(
      (line) =>
        `  ${line.replace(/^(\s*(?:- )?)([A-Z])(?=\w*:(?!:))/, (_, before: string, letter: string) => before + letter.toLowerCase())}`,
    ),
  ].join('\n');
}

/** Properties or resources, which have names in capitals: as opposed to manifests, user data and settings. */
function isOfTemplate(code: string): boolean {
  const names = code.split('\n').filter((line) => /^[^\s#-]/.test(line));
  return (
    names.length > 0 &&
    names.every((line) => /^[A-Z]\w*:(?: |$)/.test(line)) &&
    !/^MIME-Version:/m.test(code.slice(0, 100))
  );
}

/** YAML of a template as JSON has it, with its comments as sentences above. */
function codeInJson(code: string): string {
  if (!isOfTemplate(code)) return code;
  const parts = code.split(/\n(?=# )/).map((part) => partInJson(part));
  return parts.every((part) => part !== undefined) ? parts.join('\n') : code;
}

function partInJson(code: string): string | undefined {
  const document: Document = yaml().parseDocument(code, { logLevel: 'silent' });
  const { contents } = document;
  if (document.errors.length > 0 || !yaml().isMap(contents)) return undefined;
  const comments: string[] = [];
  const add = (comment: string | null | undefined): void => {
    for (const line of comment?.split('\n') ?? []) comments.push(line.trim());
  };
  add(document.commentBefore);
  yaml().visit(document, {
    Node: (_, node) => {
      add(node.commentBefore);
      add(node.comment);
    },
  });
  add(document.comment);
  const members = JSON.stringify(plain(contents), undefined, 2)
    .split('\n')
    .slice(1, -1)
    .map((line) => line.slice(2));
  return [...comments.filter((comment) => comment !== '').map(sentence), ...members].join('\n');
}

function sentence(comment: string): string {
  return `${comment.charAt(0).toUpperCase()}${comment.slice(1)}${/[.:]$/.test(comment) ? '' : ':'}`;
}

/** A node with the short forms of functions written out. */
function plain(node: Node | null): unknown {
  const { isMap, isScalar, isSeq } = yaml();
  const value = isMap(node)
    ? Object.fromEntries(
        node.items.map((pair) => [
          String((pair as Pair<{ value: unknown }>).key.value),
          plain(pair.value as Node | null),
        ]),
      )
    : isSeq(node)
      ? node.items.map((item) => plain(item as Node))
      : isScalar(node)
        ? node.value
        : null;
  const tag = /^!(\w+)$/.exec(node?.tag ?? '')?.[1];
  if (tag === undefined) return value;
  if (tag === 'Ref' || tag === 'Condition') return { [tag]: value };
  return {
    [`Fn::${tag}`]:
      tag === 'GetAtt' && typeof value === 'string'
        ? [value.slice(0, value.indexOf('.')), value.slice(value.indexOf('.') + 1)]
        : value,
  };
}
