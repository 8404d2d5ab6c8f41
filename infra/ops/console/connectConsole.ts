import { env } from '../../../lib/env.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { type Connection, connect, outputsOf, runningStack, type Target } from '../connection.ts';

/**
 * Connects the stores of this process to a system with a console. An operator makes links and ends sessions with these and not with the
 * functions: so the functions, which the backend of the product invokes, record the product alone.
 * @throws OpsError when there is no console
 */
export async function connectConsole({ stack, data }: Target): Promise<Connection> {
  const ending = '-console';
  const api = stack?.endsWith(ending) ? stack.slice(0, -ending.length) : stack;
  const connection = await connect(api === undefined ? { data } : { stack: api, data });
  process.env[env.consoleUrl] =
    api === undefined ? (await runningStack(data)).consoleUrl : await urlOnAws(`${api}${ending}`);
  return connection;
}

async function urlOnAws(stack: string): Promise<string> {
  const url = (await outputsOf(stack)).get('ConsoleUrl');
  if (!url)
    throw new OpsError(`The stack ${stack} has no output ConsoleUrl: it is not the stack of a console.`);
  return url;
}
