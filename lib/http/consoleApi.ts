import { type AnyConsoleOperation, consoleOperations } from '../contract/console/index.ts';
import { type ConsoleRun, consoleEndpoint } from './consoleEndpoint.ts';
import type { Handler } from './pipeline.ts';

/** The operations that one function answers. A test of a receiver waits for the receiver, so it has a function of its own. */
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
