import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { Context, Handler } from 'aws-lambda';

// An execution environment of a Lambda: a thread that loads the bundle and processes one event at a time.

export interface Environment {
  folder: string;
  /** `file.export`, as in the template. */
  handler: string;
  functionName: string;
  functionArn: string;
  memoryMb: number;
}

export interface Invocation {
  event: string;
  requestId: string;
  /** When the invocation times out, in epoch milliseconds. */
  deadline: number;
}

export type Outcome = { result: string | undefined } | { error: { name: string; message: string } };

// The code cache belongs to the local stack. Functions only have the variables of the template.
delete process.env.NODE_COMPILE_CACHE;

const { folder, handler, functionName, functionArn, memoryMb } = workerData as Environment;
const [file, name] = handler.split('.') as [string, string];
const run = createRequire(import.meta.url)(`${folder}/${file}.js`)[name] as Handler;

const contextOf = ({ requestId, deadline }: Invocation): Context => ({
  functionName,
  functionVersion: '$LATEST',
  invokedFunctionArn: functionArn,
  memoryLimitInMB: String(memoryMb),
  awsRequestId: requestId,
  logGroupName: `/local/${functionName}`,
  logStreamName: 'local',
  callbackWaitsForEmptyEventLoop: true,
  getRemainingTimeInMillis: () => deadline - Date.now(),
  done() {},
  fail() {},
  succeed() {},
});

parentPort?.on('message', async (invocation: Invocation) => {
  let outcome: Outcome;
  try {
    outcome = {
      result: JSON.stringify(await run(JSON.parse(invocation.event), contextOf(invocation), () => {})),
    };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
    outcome = { error: { name, message } };
  }
  parentPort?.postMessage(outcome);
});

// The code is loaded. The function's timeout starts here.
parentPort?.postMessage('ready');
