import { afterAll, beforeAll } from 'vitest';
import { removeFolder, type StackProcess, startStackProcess, temporaryFolder } from './stackProcess.ts';

/** A local stack of its own for the tests of a file. @returns its folder, and itself once it has started */
export function ownStackProcess(): { folder: string; started: () => StackProcess } {
  const folder = temporaryFolder();
  let stack: StackProcess;
  beforeAll(async () => {
    stack = await startStackProcess(folder);
  });
  afterAll(async () => {
    await stack.stop();
    removeFolder(folder);
  });
  return { folder, started: () => stack };
}
