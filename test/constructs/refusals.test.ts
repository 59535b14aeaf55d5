import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as ts from 'typescript';

/*
 * What the constructs refuse, each with a test that expects its words. Read from the sources, so that a refusal without a test is found.
 */

const root = join(__dirname, '../..');

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : path.endsWith('.ts') ? [path] : [];
  });
}

function parsed(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  for (const child of node.getChildren()) yield* nodesOf(child);
}

/** What is written of a message, in pieces between what is filled in; one list for each way in which it can come out. */
function piecesOf(node: ts.Expression): string[][] {
  if (ts.isStringLiteralLike(node)) return [[node.text]];
  if (ts.isTemplateExpression(node))
    return [[node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]];
  if (ts.isConditionalExpression(node)) return [...piecesOf(node.whenTrue), ...piecesOf(node.whenFalse)];
  if (ts.isParenthesizedExpression(node)) return piecesOf(node.expression);
  if (!ts.isBinaryExpression(node)) return [];
  const [left, right] = [piecesOf(node.left), piecesOf(node.right)];
  return left.length * right.length > 0
    ? left.flatMap((one) => right.map((other) => [...one, ...other]))
    : [...left, ...right];
}

interface Refusal {
  readonly place: string;
  readonly pieces: readonly string[];
  readonly engine: string;
}

/** Shorter pieces, such as those around a name and a problem that something else words, say nothing. */
const LEAST = 8;
/** As much of a message as a test has to expect. */
const TELLING = 14;

const refusals = filesBelow(join(root, 'constructs')).flatMap((file): Refusal[] => {
  const [engine = ''] = relative(join(root, 'constructs'), file).split('/');
  return [...nodesOf(parsed(file))].flatMap((node) => {
    if (!ts.isCallExpression(node) || !/^(?:this\.)?refuse$/.test(node.expression.getText())) return [];
    const message = node.arguments.at(node.expression.getText() === 'refuse' ? 1 : 0);
    if (message === undefined) return [];
    const place = `${relative(root, file)}: ${message.getText().slice(0, 80)}`;
    return piecesOf(message).map((pieces) => ({ place, pieces, engine }));
  });
});

/** The part of a piece that tells what is wrong; advice such as `leave it out` is that of many. */
function problemIn(piece: string): string {
  const [problem = ''] = piece.split(';');
  return problem.trim() === '' ? piece : problem;
}

/** What tests expect, and the guide. */
function expectedIn(folder: string): readonly string[] {
  return filesBelow(join(root, folder))
    .filter((file) => file !== __filename)
    .flatMap((file) => [...nodesOf(parsed(file))])
    .flatMap((node) => {
      if (ts.isStringLiteralLike(node)) return [node.text];
      if (ts.isTemplateExpression(node)) return piecesOf(node).flat();
      return ts.isRegularExpressionLiteral(node)
        ? node.text.replaceAll(/\\(.)/g, '$1').split(/\.\*|\(\?:|[()|^$/]|\[\^?.*?\]|\+/)
        : [];
    })
    .filter((text) => text.length >= LEAST);
}

const guide = readFileSync(join(root, 'docs/guides/constructs.md'), 'utf8');
const inGuide = [...guide.matchAll(/throws: (.*?) -->/g)].map(([, text = '']) => text);
const ofCdk = [...expectedIn('test/constructs/aws-cdk'), ...inGuide];
const ofTerraform = expectedIn('test/constructs/cdktf');
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  'aws-cdk': ofCdk,
  cdktf: ofTerraform,
  'engine-neutral': [...ofCdk, ...ofTerraform],
};

function isExpected({ pieces, engine }: Refusal): boolean {
  const texts = EXPECTED[engine] ?? [];
  return pieces.map(problemIn).some((piece) => {
    const least = Math.min(TELLING, piece.length);
    if (least < LEAST) return false;
    const parts = Array.from({ length: piece.length - least + 1 }, (_, at) => piece.slice(at, at + least));
    return texts.some((text) => parts.some((part) => text.includes(part)));
  });
}

describe('what the constructs refuse', () => {
  it('is much', () => {
    expect(refusals.length).toBeGreaterThan(230);
  });

  it('is expected by a test of the same engine', () => {
    const worded = refusals.filter(({ pieces }) => pieces.some((piece) => problemIn(piece).length >= LEAST));
    expect(refusals.length - worded.length).toBeLessThan(10);
    expect(worded.filter((refusal) => !isExpected(refusal)).map(({ place }) => place)).toEqual([]);
  });

  it('is told of each option by a test, but for those of which every value is right', () => {
    const told = new Set(
      [...ofCdk, ...ofTerraform].filter((text) => /[ .]/.test(text)).flatMap((text) => text.match(/\w+/g) ?? []),
    );
    const options = filesBelow(join(root, 'constructs'))
      .filter((file) => !/guardrails-hook|safe-defaults/.test(file))
      .flatMap((file) => [...nodesOf(parsed(file))])
      .flatMap((node) =>
        ts.isInterfaceDeclaration(node) && /(?:Props|Options)$/.test(node.name.text) ? node.members : [],
      )
      .map((member) => member.name?.getText() ?? '');
    const silent = [...new Set(options)].filter((option) => !told.has(option)).sort();
    expect(silent).toEqual(Object.keys(ANY_VALUE).sort());
  });
});

/** Options that no test expects in a refusal, and why nothing of them is refused. */
const ANY_VALUE: Readonly<Record<string, string>> = {
  clusterDns: "told by Bottlerocket's own name, `settings.kubernetes.cluster-dns-ip`",
  coreDns: 'told by what is in it, or with its stack',
  detailedMonitoring: 'on or off',
  hostContainers: "told by Bottlerocket's own name, `settings.host-containers`",
  interruptionQueue: 'on or off',
  ipOnAll: 'on or off',
  keyName: 'a name that EC2 alone can look up',
  keyPair: 'a construct of the CDK',
  linuxNodesElsewhere: 'on or off',
  nodeClass: 'a name, which is refused as `name` is',
  onFargate: 'on or off',
  podSubnets: 'the subnets of custom networking, which are told one by one',
  roleName: 'a name that IAM refuses before anything is made',
  zoneTags: 'on or off',
};
