import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeFolder, root, temporaryFolder } from '../../../support/stack/stackProcess.ts';
import { keysIn, openStreamed, type Streamed } from './streamFixture.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

/** The changes that a function gets after a start, up to one more change that marks the end. */
async function handedBy(streamed: Streamed, end = 'end'): Promise<string[]> {
  const got: string[] = [];
  const stop = await streamed.begin(async (event) => got.push(...keysIn(event)));
  await streamed.put(end);
  await expect.poll(() => got).toContain(end);
  await stop();
  return got;
}

async function during<T>(work: (streamed: Streamed) => Promise<T>): Promise<T> {
  const streamed = await openStreamed(folder);
  try {
    return await work(streamed);
  } finally {
    await streamed.end();
  }
}

const answers = (endpoint: string): Promise<boolean> =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );

test('after kill -9 in the middle of a batch, every change that was not handled comes again', async () => {
  // The function finishes the first batch and hangs in the second one.
  const script = `import { keysIn, openStreamed } from '${root}/test/infra/local/stream/streamFixture.ts';
    const streamed = await openStreamed(${JSON.stringify(folder)});
    for (const key of ['a', 'b', 'c', 'd']) await streamed.put(key);
    await streamed.begin(async (event) => {
      if (keysIn(event).includes('a')) return;
      console.log(streamed.database.endpoint);
      return new Promise(() => {});
    }, { BatchSize: 2 });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const endpoint = String((await once(child.stdout, 'data'))[0]).trim();
  child.kill('SIGKILL');
  await exited;
  // Its watchdog ends the database, which would otherwise hold the file.
  while (await answers(endpoint)) await sleep(20);
  expect(await during(handedBy)).toEqual(['c', 'd', 'end']);
});
