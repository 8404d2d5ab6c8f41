import { afterAll, inject } from 'vitest';
import { readStackFile } from '../../../infra/local/process/stackFile.ts';
import { connect, outputsOf } from '../../../infra/ops/connection.ts';
import { env } from '../../../lib/env.ts';
import { runningFunction } from '../permissions/asFunction.ts';
import { noteRequests, notesFile, notesIn } from '../permissions/note.ts';
import { useStackEnvironment } from '../stack/stackEnvironment.ts';
import { demoDataFolder } from '../stack/stackProcess.ts';

// Points the stores of this process at the system under test, as the commands for ops do.
const stack = inject('stackName');
const data = inject('dataFolder');
const connection = await connect({ ...(stack ? { stack } : {}), data: data ?? '.local' });
await connection.useIds();
const localStack = data === undefined ? undefined : readStackFile(data);
if (localStack) useStackEnvironment(localStack);
if (stack) useStackEnvironment(await queuesOf(stack), process.env[env.allowLoopbackReceivers] ?? '0');
const demoData = inject('demoData');
if (demoData !== undefined) process.env[demoDataFolder] = demoData;
if (data !== undefined) {
  process.env[notesFile] = notesIn(data);
  afterAll(noteRequests(notesIn(data), runningFunction));
}

/** The queues of a deployed stack. A deployed stack does not send to loopback, unless the environment says so. */
async function queuesOf(name: string) {
  const outputs = new Map([...(await outputsOf(name)), ...(await outputsOf(`${name}-console`))]);
  const url = (output: string) => outputs.get(output) as string;
  return {
    quickDeliveriesUrl: url('QuickDeliveriesUrl'),
    slowDeliveriesUrl: url('SlowDeliveriesUrl'),
    deferredFanOutUrl: url('DeferredFanOutUrl'),
    deferredIndexUrl: url('DeferredIndexUrl'),
    keyChangesUrl: url('KeyChangesUrl'),
  };
}
