import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { env } from '../../../lib/env.ts';
import type { Handler } from './coldHandlers.ts';
import { region } from './tlsProxy.ts';

/** Milliseconds of one cold start, from the moment before its process is made. */
export interface Start {
  /** Until the runtime is about to load the function. */
  boot: number;
  load: number;
  /** The first call of the handler. */
  call: number;
  all: number;
  /** Processor time, of all threads. */
  cpu: number;
}

/** What a handler finds when it starts. */
export interface Surroundings {
  /** The port of the TLS proxy, which stands for AWS. */
  port: number;
  /** Its environment variables beside those that Lambda sets. */
  variables: Readonly<Record<string, string>>;
}

const runtime = join(import.meta.dirname, 'runtime.cjs');

/**
 * Starts a handler in a new process, and calls it once.
 * @throws Error when it ends without an answer
 */
export async function startCold<Answer>(
  { name, file }: Handler,
  event: object,
  { port, variables }: Surroundings,
): Promise<{ start: Start; answer: Answer }> {
  const spawned = process.hrtime.bigint();
  const child = spawn(process.execPath, [runtime, file, JSON.stringify(event), String(port)], {
    // What Lambda sets, as far as it matters here; nothing of the shell.
    env: {
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      // The proxy's certificate is for another name. NODE_EXTRA_CA_CERTS would add to the measured time.
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_NO_WARNINGS: '1',
      [env.metricsNamespace]: 'bench',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  child.stdout?.resume();
  const [output, [code]] = await Promise.all([text(child.stdio[3] as Readable), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  const { booted, loaded, answered, cpuMs, answer } = JSON.parse(output);
  const [boot, load, all] = [booted, loaded, answered].map(
    (moment) => Number(BigInt(moment) - spawned) / 1e6,
  ) as [number, number, number];
  return { start: { boot, load: load - boot, call: all - load, all, cpu: cpuMs }, answer };
}
