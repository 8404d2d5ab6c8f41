import { globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openapi } from '../../../lib/contract/openapi.ts';
import { stagesFolder } from '../../stages.ts';
import { OpsCommand } from '../command.ts';
import { runNode } from '../nodeProcess.ts';
import { OpsError } from '../opsError.ts';
import { eventTypesOfChanges } from './eventTypes.ts';
import {
  releasedData,
  releasedDocument,
  releasedEventTypes,
  releasedExamples,
  releasedFolder,
} from './released.ts';
import { dataTemplate, shapeOf } from './unchangeable.ts';

// npm run release

const root = join(import.meta.dirname, '..', '..', '..');

/** Each step writes one part of the release into the folder. */
const steps: readonly ((folder: string) => void | Promise<void>)[] = [
  keepDocument,
  keepExamples,
  keepTemplates,
  keepData,
  keepEventTypes,
];

const prose = new Set(['description', 'summary', 'example', 'examples']);

/**
 * A field of a schema can have the name of a prose keyword. Its value is then an object, or the name is an item of a
 * list.
 */
const withoutProse = (key: string, value: unknown): unknown =>
  prose.has(key) && (typeof value === 'string' || key.startsWith('example')) ? undefined : value;

function keepDocument(folder: string): void {
  writeFileSync(join(folder, releasedDocument), `${JSON.stringify(openapi(), withoutProse, 1)}\n`);
}

async function keepExamples(folder: string): Promise<void> {
  await runFile('test/compatibility/examples.ts', [join(folder, releasedExamples)]);
}

/** The templates of the stages of the project, for `cdk diff --template`. */
async function keepTemplates(folder: string): Promise<void> {
  const templates = join(folder, 'templates');
  mkdirSync(templates);
  for (const stage of globSync('*.json', { cwd: stagesFolder }).map((file) => basename(file, '.json'))) {
    const assembly = mkdtempSync(join(tmpdir(), 'public-api-'));
    await runFile('infra/app.ts', [], {
      CDK_OUTDIR: assembly,
      CDK_CONTEXT_JSON: JSON.stringify({ stage }),
      CDK_VALIDATION: 'false',
      BUNDLE_DIR: join(assembly, 'bundle'),
    });
    for (const file of globSync('*.template.json', { cwd: assembly })) {
      const template = JSON.parse(readFileSync(join(assembly, file), 'utf8'));
      writeFileSync(join(templates, file.replace('.template', '')), inLines(template));
    }
    rmSync(assembly, { recursive: true });
  }
}

function keepData(folder: string): void {
  const shape = shapeOf(dataTemplate('prod'));
  writeFileSync(join(folder, releasedData), `${JSON.stringify(shape, null, 2)}\n`);
}

function keepEventTypes(folder: string): void {
  writeFileSync(join(folder, releasedEventTypes), `${JSON.stringify(eventTypesOfChanges(), null, 1)}\n`);
}

/** A template with one line for each resource, so that a diff shows one line for each changed resource. */
function inLines(template: object): string {
  const sections = Object.entries(template).map(([name, section]) => {
    if (typeof section !== 'object') return ` "${name}": ${JSON.stringify(section)}`;
    const lines = Object.entries(section).map(([id, one]) => `  "${id}": ${JSON.stringify(one)}`);
    return ` "${name}": {\n${lines.join(',\n')}\n }`;
  });
  return `{\n${sections.join(',\n')}\n}\n`;
}

/**
 * Runs a file of the project with this Node.js. Its standard output is dropped, its standard error is shown.
 * @throws OpsError
 */
async function runFile(file: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  const { status, stderr } = await runNode([join(root, file), ...args], { cwd: root, env });
  process.stderr.write(stderr);
  if (status !== 0) throw new OpsError(`${file} failed, so the last release stays what it was.`);
}

/** Replaces the whole last release at once. When a step fails, nothing is replaced. */
async function keepRelease(): Promise<void> {
  const draft = join(root, 'build', 'released');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  for (const step of steps) await step(draft);
  rmSync(releasedFolder, { recursive: true, force: true });
  renameSync(draft, releasedFolder);
}

export const program = new OpsCommand('npm run release')
  .description(
    'Store what the next release is compared with. Run it when this state of the project is deployed; it needs no AWS',
  )
  .action(keepRelease);

if (import.meta.main) await program.main();
