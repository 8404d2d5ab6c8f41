import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { StackDescription } from '../../../infra/local/process/stackFile.ts';

/** What the programs of the example product read from their environment, on the local stack. @param queues in the place of its queues */
export const productVariables = (
  running: StackDescription,
  database: string,
  queues = new URL(running.recordsInboxUrl).origin,
): Record<string, string> => ({
  DATABASE: database,
  INBOX_URL: queues + new URL(running.recordsInboxUrl).pathname,
  OUTBOX_URL: queues + new URL(running.recordsOutboxUrl).pathname,
  AWS_ENDPOINT_URL: queues,
  AWS_REGION: running.region,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});

/** The process of the relay and the consumer. */
export class ExampleProduct {
  private readonly variables: () => Record<string, string>;
  private child: ChildProcess | undefined;
  output = '';

  constructor(variables: () => Record<string, string>) {
    this.variables = variables;
  }

  start(): void {
    this.child = spawn(process.execPath, [join(import.meta.dirname, '..', 'product.ts')], {
      env: { ...process.env, ...this.variables() },
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    this.child.stderr?.on('data', (text) => {
      this.output = (this.output + text).slice(-10_000);
    });
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}
