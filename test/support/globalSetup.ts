import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { auditLog } from './logAudit.ts';
import { removeFolder, startStackProcess, temporaryFolder } from './stackProcess.ts';
import { testLogFile } from './testLog.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The base URL of the API under test. */
    apiUrl: string;
    /** The data directory of the local stack under test; undefined for a deployed one. */
    dataFolder: string | undefined;
    /** The name of the deployed stack under test; undefined for a local one. */
    stackName: string | undefined;
  }
}

/**
 * One local stack for all suites that go in by the front door. API_URL and API_STACK point them at a deployed one
 * instead, with AWS credentials that may write to its tables.
 */
export default async function globalSetup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { API_URL, API_STACK } = process.env;
  if (API_URL) {
    project.provide('apiUrl', API_URL);
    project.provide('dataFolder', undefined);
    project.provide('stackName', API_STACK);
    return undefined;
  }
  const folder = temporaryFolder();
  const stack = await startStackProcess(folder);
  project.provide('apiUrl', stack.ready.url);
  project.provide('dataFolder', folder);
  project.provide('stackName', undefined);
  return async () => {
    await stack.stop();
    const linesOf = (file: string): string[] =>
      existsSync(join(folder, file))
        ? readFileSync(join(folder, file), 'utf8').trim().split('\n').filter(Boolean)
        : [];
    const problems = auditLog([...linesOf('lambda.log'), ...linesOf(testLogFile)]);
    removeFolder(folder);
    if (problems.length > 0)
      throw new Error(
        `The log of the whole run has ${problems.length} problems:\n${problems.slice(0, 20).join('\n')}`,
      );
  };
}
