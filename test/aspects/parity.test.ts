import { Aspects, Validations, type App } from 'aws-cdk-lib';
import { EksGuardrails, EksGuardrailsAspect } from '../../aspects/aws-cdk';
import { EksGuardrailsChecks } from '../../aspects/cdk-nag';
import '../../aspects/jest';
import { checkPaths } from '../../lib/check';
import { MISCONFIGURED_ERRORS, misconfiguredApp } from './apps';
import { linesOf, reportOf } from './reported';

/** Synthesizes an app and returns all that it says: the error, and what goes to the console. */
function outputOf(app: App): string {
  const printed: string[] = [];
  const console_ = jest.spyOn(console, 'error').mockImplementation((text: string) => void printed.push(text));
  try {
    app.synth();
  } catch (error) {
    printed.push(error instanceof Error ? error.message : String(error));
  } finally {
    console_.mockRestore();
  }
  return printed.join('\n');
}

/** What the command says about the synthesized app: `rule path severity`, all of it and without what is only for information. */
function commandFindings(): { all: string[]; failing: string[] } {
  const app = misconfiguredApp({ context: { 'aws:cdk:enable-path-metadata': true } });
  const { findings, diagnostics } = checkPaths([app.synth().directory]);
  expect(diagnostics).toEqual([]);
  const lines = (some: typeof findings) =>
    some.map(({ rule, resource, severity }) => `${rule} ${resource.path ?? ''} ${severity}`).sort();
  return {
    all: lines(findings),
    failing: lines(findings.filter(({ verdict, severity }) => verdict === 'unverifiable' || severity !== 'info')),
  };
}

const LEVELS: Readonly<Record<string, string>> = {
  'aws:cdk:error': 'error',
  'aws:cdk:warning': 'warning',
  'aws:cdk:info': 'info',
};

function aspectFindings(): string[] {
  const app = misconfiguredApp();
  Aspects.of(app).add(new EksGuardrailsAspect());
  const output = outputOf(app);
  const annotated = app.node.findAll().flatMap(({ node }) =>
    node.metadata.flatMap(({ type, data }) => {
      const rule = /EksGuardrails::([\w-]+)/.exec(String(data))?.[1];
      return LEVELS[type] === undefined || rule === undefined ? [] : [`${rule} ${node.path} ${LEVELS[type]}`];
    }),
  );
  const thrown = [...output.matchAll(/^ *\[\] (\S+): ([\w-]+): /gm)].map(
    ([, path = '', rule = '']) => `${rule} ${path} error`,
  );
  const printed = [...output.matchAll(/^\[(warning|info)\] (\S+): ([\w-]+): /gm)].map(
    ([, level = '', path = '', rule = '']) => `${rule} ${path} ${level}`,
  );
  return [...annotated, ...thrown, ...printed].sort();
}

function reportFindings(plugin: (app: App) => EksGuardrails | EksGuardrailsChecks): string[] {
  const app = misconfiguredApp();
  Validations.of(app).addPlugins(plugin(app));
  outputOf(app);
  return linesOf(reportOf(app)?.violations ?? []);
}

function matcherFindings(): string[] {
  try {
    expect(misconfiguredApp()).toPassEksGuardrails({ failOn: 'unverifiable' });
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return [...message.matchAll(/^ {2}(error|warning|info|unverifiable) ([\w-]+) on (\S+)/gm)]
      .map(([, level = '', rule = '', path = '']) => `${rule} ${path} ${level === 'unverifiable' ? 'info' : level}`)
      .sort();
  }
  return [];
}

describe('one misconfigured app', () => {
  const { all: expected, failing } = commandFindings();

  it('has the pitfalls that the command finds in its assembly', () => {
    expect(expected.filter((line) => line.endsWith(' error'))).toEqual(MISCONFIGURED_ERRORS);
    expect(expected.filter((line) => line.endsWith(' warning')).length).toBeGreaterThan(0);
  });

  it('gets the same findings from the plugin', () => {
    expect(reportFindings(() => new EksGuardrails())).toEqual(expected);
  });

  it('gets the same findings from the cdk-nag pack', () => {
    expect(reportFindings((app) => new EksGuardrailsChecks(app))).toEqual(expected);
  });

  it('gets the same findings from the aspect', () => {
    expect(aspectFindings()).toEqual(expected);
  });

  it('gets the same findings from the Jest matcher', () => {
    expect(matcherFindings()).toEqual(failing);
  });
});
