import { type AnyConsoleOperation, consoleOperations } from '../contract/console/index.ts';
import { type ConsoleRun, consoleEndpoint } from './consoleEndpoint.ts';
import type { Handler } from './pipeline.ts';

/** The operations that one function serves. A test of a receiver has its own function, because it waits for the receiver. */
type Answered = Exclude<AnyConsoleOperation, { timeoutSeconds: number }>;

export function consoleApi(runs: { [O in Answered as O['id']]: ConsoleRun<O> }): Handler {
  const byRoute = new Map<string, Handler>();
  for (const operation of consoleOperations) {
    const run = (runs as Partial<Record<string, ConsoleRun<typeof operation>>>)[operation.id];
    if (run) byRoute.set(`${operation.method} ${operation.path}`, consoleEndpoint(operation, run));
  }
  return (event, context) => {
    const endpoint = byRoute.get(`${event.httpMethod} ${event.resource}`);
    if (!endpoint) throw new Error(`The console's API has no route ${event.httpMethod} ${event.resource}`);
    return endpoint(event, context);
  };
}
