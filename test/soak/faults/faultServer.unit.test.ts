import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setEnvironmentData, Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FaultServer, openFaultServer } from './faultServer.ts';
import { type FaultSettings, faultsVariable } from './faultyCalls.ts';
import type { FaultKind } from './schedule.ts';

const preload = pathToFileURL(join(import.meta.dirname, 'faultyCalls.ts')).href;
const file = join(tmpdir(), `soak-faults-${process.pid}.json`);

/** How many calls have reached the database. */
let reached = 0;
const database = createServer((call, answer) => {
  reached += 1;
  call.resume().once('end', () => answer.end('stored'));
});

let faults: FaultServer;
beforeAll(async () => {
  await once(database.listen(0, '127.0.0.1'), 'listening');
  faults = await openFaultServer();
});
afterAll(() => {
  database.close();
  database.closeAllConnections();
  faults.close();
  rmSync(file, { force: true });
});
beforeEach(() => {
  reached = 0;
});

/** A thread of a Lambda that makes one call to the database, and tells what became of it. */
const lambda = `
  import { request } from 'node:http';
  import { parentPort, workerData } from 'node:worker_threads';
  const call = request({ host: '127.0.0.1', method: 'POST', ...workerData }, async (answer) => {
    parentPort.postMessage(answer.statusCode + ' ' + (await answer.toArray()).join(''));
  });
  call.on('timeout', () => parentPort.postMessage('no answer')).on('error', ({ code }) => parentPort.postMessage(code));
  call.end('a call');`;

/** What a Lambda gets while its calls meet this fault. */
async function called(kind: FaultKind, { from = 0, share = 1 } = {}): Promise<string> {
  writeFileSync(file, JSON.stringify([{ kind, from, to: Number.MAX_SAFE_INTEGER, share }]));
  const { port } = database.address() as AddressInfo;
  setEnvironmentData(faultsVariable, JSON.stringify({ file, port: faults.port } satisfies FaultSettings));
  const endpoint = `http://127.0.0.1:${port}`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(lambda)}`), {
    // Only a call that hangs may take too long.
    workerData: { port, timeout: kind === 'hangs' ? 300 : 0 },
    execArgv: ['--import', preload],
    env: {
      AWS_LAMBDA_FUNCTION_NAME: 'example',
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_ENDPOINT_URL_SQS: endpoint,
    },
  });
  const [what] = await once(worker, 'message');
  await worker.terminate();
  return what as string;
}

test.each<[FaultKind, RegExp, number]>([
  ['fails', /^500 .*InternalServerError/, 0],
  ['is throttled', /^400 .*ThrottlingException/, 0],
  ['is late', /^200 stored$/, 1],
  ['loses its answer', /^ECONNRESET$/, 1],
  ['hangs', /^no answer$/, 0],
])('a call that %s', async (kind, gets, reaches) => {
  const before = faults.counts[kind];
  expect(await called(kind)).toMatch(gets);
  expect(reached).toBe(reaches);
  expect(faults.counts[kind]).toBe(before + 1);
});

test.each([{ from: Date.now() + 3_600_000 }, { share: 0 }])(
  'a call at another time, or that is not among the share, is as always: %o',
  async (window) => {
    expect(await called('fails', window)).toBe('200 stored');
  },
);
