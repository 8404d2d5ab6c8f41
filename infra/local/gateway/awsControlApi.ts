import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AsyncInvocations } from '../lambda/asyncInvocations.ts';
import type { Lambda } from '../lambda/lambda.ts';
import { bodyBytesMax, TooLarge } from './compression.ts';
import { readBody } from './request.ts';
import { type ErrorResponse, type Listener, sendError } from './server.ts';

const flushPath = /^\/restapis\/[^/]+\/stages\/[^/]+\/cache\/authorizers$/;
const invokePath = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

export interface ControlTargets {
  /** The required value of X-Amz-Security-Token. An SDK sends the session token of its credentials in that header. */
  token: string;
  flushAuthorizers(): void;
  lambdas: ReadonlyMap<string, Pick<Lambda, 'invoke'>>;
  invocations: Pick<AsyncInvocations, 'begin'>;
}

/**
 * The AWS control API of the local stack: FlushStageAuthorizersCache of API Gateway, and Invoke of Lambda.
 * https://docs.aws.amazon.com/apigateway/latest/api/API_FlushStageAuthorizersCache.html
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export const awsControlApi =
  (controlled: ControlTargets): Listener =>
  async (request, response) => {
    const { method, url = '', headers } = request;
    if (headers['x-amz-security-token'] !== controlled.token) return sendError(response, invalidToken);
    const functionName = invokePath.exec(url)?.[1] ?? '';
    if (method === 'DELETE' && flushPath.test(url)) {
      controlled.flushAuthorizers();
      response.writeHead(202).end();
    } else if (method === 'POST' && controlled.lambdas.has(functionName))
      await invoke(functionName, controlled, request, response);
    else sendError(response, { status: 404, message: 'There is no such operation, or no such function' });
  };

/** Only the owner can read stack.json, so other users of the machine do not know the token. */
const invalidToken: ErrorResponse = {
  status: 403,
  message: 'The header X-Amz-Security-Token must be the controlToken of stack.json in the data directory',
};

async function invoke(
  functionName: string,
  { lambdas, invocations }: ControlTargets,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const event = await eventIn(request);
  if ('error' in event) return sendError(response, event.error);
  if (request.headers['x-amz-invocation-type'] === 'Event') {
    invocations.begin(functionName, event.value);
    response.writeHead(202).end();
    return;
  }
  try {
    const result = await lambdas.get(functionName)?.invoke(event.value);
    response.writeHead(200).end(result);
  } catch (error) {
    const { name: errorType, message: errorMessage } = error as Error;
    response
      .writeHead(200, { 'X-Amz-Function-Error': 'Unhandled' })
      .end(JSON.stringify({ errorType, errorMessage }));
  }
}

async function eventIn(request: IncomingMessage): Promise<{ value: unknown } | { error: ErrorResponse }> {
  try {
    return { value: JSON.parse(String((await readBody(request)) ?? '{}')) };
  } catch (error) {
    if (error instanceof TooLarge)
      return { error: { status: 413, message: `The event must be at most ${bodyBytesMax} bytes` } };
    return { error: { status: 400, message: 'The event must be JSON' } };
  }
}
