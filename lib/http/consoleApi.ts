import { type AnyConsoleOperation, consoleOperations } from '../contract/console/index.ts';
import type { Handler } from './pipeline.ts';

/** The operations that one function answers. A test of a receiver waits for the receiver, so it has a function of its own. */
type Answered = Exclude<AnyConsoleOperation, { timeoutSeconds: number }>;

/** The Lambda of the console's API: passes each request to the endpoint of its operation. */
export function consoleApi(endpoints: Record<Answered['id'], Handler>): Handler {
  const byRoute = new Map(
    consoleOperations.map(({ id, method, path }) => [
      `${method} ${path}`,
      (endpoints as Partial<Record<string, Handler>>)[id],
    ]),
  );
  return (event, context) => {
    const endpoint = byRoute.get(`${event.httpMethod} ${event.resource}`);
    if (!endpoint) throw new Error(`The console's API has no route ${event.httpMethod} ${event.resource}`);
    return endpoint(event, context);
  };
}
