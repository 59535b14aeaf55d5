// npm run fuzz [seconds] [seed]: breaks real-looking templates at random and checks that nothing throws, no rule crashes, the time
// stays in proportion, and whatever is reported has a place. Too heavy for npm test, which has small property tests of the same kind.
import { createRequire } from 'node:module';
import { generateTemplate } from '../bench/generate-template.mjs';
import { installIfMissing, root, run } from './install.mjs';
import { join } from 'node:path';

installIfMissing();
run(process.execPath, [join(root, 'scripts', 'build.mjs')], { shell: false });
const require = createRequire(import.meta.url);
const { checkTemplates, render } = require('../dist/lib/index.js');
const yaml = require('yaml');

const seconds = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
const random = generator(seed);
console.log(`fuzzing for ${seconds} s with seed ${seed}`);

const original = generateTemplate(60);
/** What is put in the place of something else: each is right somewhere and wrong elsewhere. */
const replacements = [
  null, true, false, 0, 1, 2, -1, 1.5, '', 'x', '1', '${', '${A', '${AWS::NoValue}', '{}', '[', '{"a":', [], {}, [[]], [null], { Ref: 'Nothing' }, { Ref: 'AWS::NoValue' }, { Ref: 'AWS::Region' },
  { Ref: [] }, { 'Fn::GetAtt': 'C0' }, { 'Fn::GetAtt': ['C0', 'Arn', 'x'] }, { 'Fn::If': ['Missing', 1, 2] }, { 'Fn::If': [] }, { 'Fn::Sub': '${C0}${' }, { 'Fn::Sub': ['${a}', { a: { Ref: 'C0' } }] },
  { 'Fn::Join': ['', [{ Ref: 'C0' }, 1, null]] }, { 'Fn::Select': ['9', []] }, { 'Fn::FindInMap': ['a', 'b', 'c'] }, { 'Fn::ImportValue': { 'Fn::ImportValue': 'x' } }, { 'Fn::Base64': { 'Fn::Base64': 'x' } },
  'AWS::EKS::Nodegroup', 'OVERWRITE', 'AL2_x86_64', 'v1.0.0', 'not-a-version', '\u0000', '\ud800', 'constructor', '__proto__',
];

const end = Date.now() + seconds * 1000;
let rounds = 0;
let slowest = 0;
while (Date.now() < end) {
  const template = structuredClone(original);
  const changes = 1 + Math.floor(random() * 12);
  for (let change = 0; change < changes; change++) mutate(template);
  let text = random() < 0.75 ? JSON.stringify(template, undefined, random() < 0.5 ? 1 : 0) : yaml.stringify(template);
  if (random() < 0.2) text = damage(text);
  examine(text);
  rounds++;
}
console.log(`${rounds} templates, nothing broke; the slowest took ${slowest.toFixed(0)} ms`);

function examine(text) {
  const start = performance.now();
  let result;
  try {
    result = checkTemplates([{ file: 'fuzz.yaml', text }], { today: '2026-11-21', preset: 'strict' });
    for (const { source, rule, message } of result.findings) {
      const { line, column } = source.locate();
      if (!(line >= 1 && column >= 1)) throw new Error(`a finding of ${rule} has no place`);
      if (rule === 'rule-crashed') throw new Error(message);
      if (/\{\{\w+\}\}|\bundefined\b|\[object/.test(message)) throw new Error(`a message of ${rule} is not filled in: ${message}`);
    }
    for (const format of ['json', 'text']) render(format, result, { version: '0.0.0', readSource: () => text, colour: false, width: 80, list: { info: true, unverifiable: true, suppressed: true } });
  } catch (error) {
    console.error(`seed ${seed}, round ${rounds}: ${error.stack}\n${text.slice(0, 4000)}`);
    process.exit(1);
  }
  slowest = Math.max(slowest, performance.now() - start);
}

/** Replaces, removes, renames or moves something at a random place. */
function mutate(template) {
  let parent = template;
  for (let depth = 0; depth < 12; depth++) {
    const keys = Object.keys(parent);
    if (keys.length === 0) return;
    const key = pick(keys);
    const child = parent[key];
    if (typeof child === 'object' && child !== null && random() < 0.85) {
      parent = child;
      continue;
    }
    const kind = random();
    if (kind < 0.6) parent[key] = structuredClone(pick(replacements));
    else if (kind < 0.8) delete parent[key];
    else parent[pick(keys)] = child;
    return;
  }
}

/** Breaks the text itself. */
function damage(text) {
  const at = Math.floor(random() * text.length);
  switch (Math.floor(random() * 4)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + pick(['"', '{', '}', '[', ']', ':', ',', '\n', '\t', '\0', '&a ', '*a', '!Ref ', '- ', '#']) + text.slice(at);
    case 2:
      return text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 40));
    default:
      return `\ufeff${text.replaceAll('\n', '\r\n')}`;
  }
}

function pick(list) {
  return list[Math.floor(random() * list.length)];
}

/** Mulberry32: small, and the same everywhere for one seed. */
function generator(start) {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
