import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { currentAssembly } from '../../../infra/local/template/assembly.ts';
import { differences } from '../permissions/compare.ts';
import { grantsOf, mappingNeedsOf } from '../permissions/grants.ts';
import { notesFile, notesIn } from '../permissions/note.ts';
import { readNotes } from '../permissions/readNotes.ts';
import { currentDemoData } from '../stack/demoData.ts';
import { demoDataFolder, removeFolder, startStackProcess, temporaryFolder } from '../stack/stackProcess.ts';
import { readAssembly } from '../stack/synth.ts';
import { auditLog } from './logAudit.ts';
import { hasBrowserPackage } from './packages.ts';
import { testLogFile } from './testLog.ts';
import { ranWholeAndPassed, withEarlierRuns } from './wholeRun.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The base URL of the API under test. */
    apiUrl: string;
    /** The URL below which the console's API is. */
    consoleUrl: string;
    /** The data directory of the local stack under test; undefined for a deployed one. */
    dataFolder: string | undefined;
    /** A data directory with the demo data, for stacks that tests start; undefined for a deployed one. */
    demoData: string | undefined;
    /** The name of the deployed stack under test; undefined for a local one. */
    stackName: string | undefined;
  }
}

/**
 * Starts one local stack for all suites that use HTTP. API_URL and API_STACK select a deployed stack instead, and CONSOLE_URL its
 * console; this needs AWS credentials that may write to its tables.
 */
export default async function globalSetup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { API_URL, API_STACK, CONSOLE_URL = '' } = process.env;
  if (API_URL) {
    project.provide('apiUrl', API_URL);
    project.provide('consoleUrl', CONSOLE_URL.replace(/\/$/, ''));
    project.provide('dataFolder', undefined);
    project.provide('demoData', undefined);
    project.provide('stackName', API_STACK);
    return undefined;
  }
  // Once, before the workers that open it.
  if (hasBrowserPackage) await (await import('../stack/browser.ts')).browserFile();
  // A test that needs a registry fails everywhere, and not only where there is none.
  process.env.npm_config_registry = 'http://127.0.0.1:9';
  process.env.npm_config_fetch_retries = '0';
  const folder = temporaryFolder();
  process.env[notesFile] = notesIn(folder);
  const demoData = await currentDemoData();
  process.env[demoDataFolder] = demoData;
  const stack = await startStackProcess(folder);
  const template = readAssembly(await currentAssembly());
  project.provide('apiUrl', stack.ready.url);
  project.provide('consoleUrl', `${new URL(stack.ready.url).origin}/console`);
  project.provide('dataFolder', folder);
  project.provide('demoData', demoData);
  project.provide('stackName', undefined);
  return async () => {
    await stack.stop();
    const linesOf = (file: string): string[] =>
      existsSync(join(folder, file))
        ? readFileSync(join(folder, file), 'utf8').trim().split('\n').filter(Boolean)
        : [];
    const found = [
      ...complaint('The log of the run', auditLog([...linesOf('lambda.log'), ...linesOf(testLogFile)])),
      ...complaint(
        'The actions of functions and the permissions of their roles',
        differences({
          done: readNotes(withEarlierRuns(notesIn(folder), 'permissions')),
          granted: grantsOf(template),
          byMappings: mappingNeedsOf(template),
          whole: ranWholeAndPassed(project),
        }),
      ),
    ];
    const failed = project.vitest.state.getTestModules().some((module) => module.state() === 'failed');
    if (failed || found.length > 0) keepLogs(folder);
    for (const one of [folder, demoData]) removeFolder(one);
    if (found.length > 0) throw new Error(found.join('\n'));
  };
}

/** Keeps the logs of a run that failed: those of the functions, and of the handlers that ran inside of tests. */
function keepLogs(folder: string): void {
  const kept = join(import.meta.dirname, '..', '..', '..', 'build', 'failed-run');
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(kept, { recursive: true });
  for (const log of globSync('*.log', { cwd: folder })) cpSync(join(folder, log), join(kept, log));
  process.stderr.write(`  The logs are in  ${kept}\n`);
}

const complaint = (about: string, problems: readonly string[]): string[] =>
  problems.length === 0
    ? []
    : [`${about}, problems: ${problems.length}\n${problems.slice(0, 20).join('\n')}`];
