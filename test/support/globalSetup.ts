import type { TestProject } from 'vitest/node';
import { removeFolder, startStackProcess, temporaryFolder } from './stackProcess.ts';

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
    removeFolder(folder);
  };
}
