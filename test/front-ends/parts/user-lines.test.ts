import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UserLines } from '../../../lib/front-ends/parts/user-lines';

// Where constructs were made is what is told here.
delete process.env.CDK_CONTEXT_JSON;

describe('the line of an app that makes a construct', () => {
  const home = process.cwd();
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'eks-guardrails-lines-')));
  const file = (name: string): string => {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '\n');
    return path;
  };
  const app = join(root, 'work', 'app.ts');
  const found = (...frames: readonly unknown[]): string | undefined => {
    const place = new UserLines().find(frames);
    return place && `${place.file}:${place.line}:${place.column}`;
  };

  beforeAll(() => {
    for (const name of ['app.ts', 'lib/nodes.ts', 'stacks/nodes.py', 'Nodes.java', 'app (copy).ts', 'plain.js'])
      file(`work/${name}`);
    for (const name of ['built.js', 'built.ts', 'declared.js', 'declared.d.ts', 'node_modules/kit/kit.ts'])
      file(`work/${name}`);
    for (const name of ['.venv/lib/site-packages/aws_cdk/core.py', '.env', 'secrets.txt', '.hidden/app.ts'])
      file(`work/${name}`);
    symlinkSync(file('elsewhere.ts'), join(root, 'work', 'link.ts'));
    mkdirSync(join(root, 'work', 'folder.ts'));
    process.chdir(join(root, 'work'));
  });

  afterAll(() => {
    process.chdir(home);
    rmSync(root, { recursive: true, force: true });
  });

  it('is the innermost of the frames that is in the working folder', () => {
    expect(
      found(
        '...new Nodegroup in aws-cdk-lib...',
        `new Nodegroup (${join(root, 'work/node_modules/aws-cdk-lib/eks.js')}:3:4)`,
        `new Nodes (${join(root, 'work/lib/nodes.ts')}:12:5)`,
        `<anonymous> (${app}:30:1)`,
      ),
    ).toBe(`${join('lib', 'nodes.ts')}:12:5`);
  });

  it.each([
    ['    at new Nodes (<root>/work/app.ts:7:3)', 'app.ts:7:3'],
    ['at <root>/work/app.ts:7:3', 'app.ts:7:3'],
    ['<root>/work/app.ts:7:3', 'app.ts:7:3'],
    ['Object.<anonymous> (file://<root>/work/app.ts:7:3)', 'app.ts:7:3'],
    ['__init__ (<root>/work/stacks/nodes.py:41)', `${join('stacks', 'nodes.py')}:41:1`],
    ['com.acme.Nodes.<init> (<root>/work/Nodes.java:9)', 'Nodes.java:9:1'],
    ['<anonymous> (<root>/work/plain.js:2:1)', 'plain.js:2:1'],
    ['...node internals, tsx...', undefined],
    ['f (<root>/work/built.js:1:1)', undefined],
    ['f (<root>/work/declared.js:1:1)', undefined],
    ['f (<root>/work/node_modules/kit/kit.ts:1:1)', undefined],
    ['f (<root>/work/.venv/lib/site-packages/aws_cdk/core.py:1)', undefined],
    ['f (<root>/work/.hidden/app.ts:1:1)', undefined],
    ['f (<root>/work/.env:1:1)', undefined],
    ['f (<root>/work/secrets.txt:1:1)', undefined],
    ['f (<root>/work/link.ts:1:1)', undefined],
    ['f (<root>/work/folder.ts:1:1)', undefined],
    ['f (<root>/elsewhere.ts:1:1)', undefined],
    ['f (<root>/work/gone.ts:1:1)', undefined],
    ['f (app.ts:1:1)', undefined],
    ['f (<root>/work/app.ts)', undefined],
    [`f (${'x'.repeat(100_000)}<root>/work/app.ts:1:1)`, undefined],
    [42, undefined],
  ])('of %p is %p', (frame, place) => {
    expect(found(typeof frame === 'string' ? frame.replace('<root>', root) : frame)).toBe(place);
  });
});
