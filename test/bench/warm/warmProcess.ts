import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { env } from '../../../lib/env.ts';
import { region } from '../handlers/tlsProxy.ts';
import type { Batch, BatchResult } from './warmRuntime.ts';

/** A loaded handler in a process of its own. */
export interface WarmProcess {
  ask(batch: Batch): Promise<BatchResult>;
  close(): Promise<void>;
}

/**
 * @param answers of DynamoDB, by operation
 * @param logFile for the output of the function
 */
export function openWarm(file: string, answers: Record<string, object>, logFile: string): WarmProcess {
  const log = openSync(logFile, 'a');
  const child = fork(join(import.meta.dirname, 'warmRuntime.ts'), [file, JSON.stringify(answers)], {
    execArgv: [],
    env: {
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      [env.recordsTable]: 'records',
      [env.metricsNamespace]: 'bench',
    },
    // The log goes into a file: to read it from a pipe would take processor time from the measurement.
    stdio: ['ignore', log, 'inherit', 'ipc'],
  });
  closeSync(log);
  const ended = once(child, 'exit');
  const crashed = ended.then(([code]) => {
    throw new Error(`The process of ${file} ended with ${code}`);
  });
  crashed.catch(() => {});
  return {
    ask: async (batch) => {
      const done = once(child, 'message');
      child.send(batch);
      const [message] = await Promise.race([done, crashed]);
      return message as BatchResult;
    },
    close: async () => {
      child.kill();
      await ended;
    },
  };
}
