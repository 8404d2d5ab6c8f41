import { LambdaClient } from '@aws-sdk/client-lambda';
import type { Role } from '../../../lib/contract/console/operation.ts';
import type { Actor } from '../../../lib/contract/console/session.ts';
import { awsControlClientConfig } from '../../local/process/stackFile.ts';
import { outputsOf, runningStack, type Target } from '../connection.ts';
import { invoke } from '../invoke.ts';
import { OpsError } from '../opsError.ts';

interface Invoked {
  /** Who invokes the function with a command. */
  operator: Actor;
}

interface LinkInput extends Invoked {
  account: string;
  account_name?: string;
  actor: Actor;
  role: Role;
}

export interface ConsoleLink {
  url: string;
  expires_at: string;
}

/** The functions of the console without a URL, as the backend of the product calls them. */
export interface ConsoleFunctions {
  createLink(input: LinkInput): Promise<ConsoleLink>;
  /** Ends the sessions and the unused links of an account, or those of one person. @returns how many */
  endSessions(input: Invoked & { account: string; actor_id?: string }): Promise<{ ended: number }>;
}

/** The functions of a deployed console, or of that of the running local stack. @throws OpsError when there is none */
export async function consoleFunctions(target: Target): Promise<ConsoleFunctions> {
  const { lambda, createLink, endSessions } =
    target.stack === undefined ? await locally(target.data) : await onAws(target.stack);
  const calling = (name: string) => async (input: object) =>
    JSON.parse(await invoke(lambda, name, JSON.stringify(input)).catch(asOpsError));
  return { createLink: calling(createLink), endSessions: calling(endSessions) };
}

interface Found {
  lambda: LambdaClient;
  createLink: string;
  endSessions: string;
}

async function locally(data: string): Promise<Found> {
  const running = await runningStack(data);
  return {
    lambda: new LambdaClient(awsControlClientConfig(running)),
    createLink: running.consoleLinkFunction,
    endSessions: running.endConsoleSessionsFunction,
  };
}

/** @param stack of the API; the console is in a stack of its own */
async function onAws(stack: string): Promise<Found> {
  const name = stack.endsWith('-console') ? stack : `${stack}-console`;
  const outputs = await outputsOf(name);
  const output = (key: string): string => {
    const value = outputs.get(key);
    if (!value)
      throw new OpsError(`The stack ${name} has no output ${key}: it is not the stack of a console.`);
    return value;
  };
  return {
    lambda: new LambdaClient({}),
    createLink: output('ConsoleLinkFunction'),
    endSessions: output('EndConsoleSessionsFunction'),
  };
}

function asOpsError(error: unknown): never {
  const { name, message } = error as Error;
  // Errors of AWS have names of their own, and sentences of theirs in opsError.ts.
  throw name === 'Error' ? new OpsError(`The function of the console failed: ${message}`) : error;
}
