import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { connect } from '../../../infra/ops/connection.ts';
import { Receiver } from '../pipeline/receiver.ts';
import { useStackEnvironment } from './stackEnvironment.ts';
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

/** The same for commands that connect to it: this process uses its tables and queues, and its webhooks can go to a receiver. */
export function ownStackWithReceiver() {
  const { folder, started } = ownStackProcess();
  const receiver = new Receiver();
  beforeAll(async () => {
    await connect({ data: folder });
    useStackEnvironment(started().description);
    await receiver.open();
  });
  afterAll(() => receiver.close());
  return { folder, receiver, running: () => started().description };
}

export async function until(done: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await done())) await sleep(50);
}
