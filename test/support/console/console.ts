import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { expect } from 'vitest';
import { beginSession, createLink, type StartedSession } from '../../../lib/console/consoleLinks.ts';
import type { ConsoleOperation, Role } from '../../../lib/contract/console/consoleOperation.ts';
import type { Actor } from '../../../lib/contract/console/consoleSession.ts';
import { consoleFunctionOf } from '../../../lib/contract/console/index.ts';
import { type ResponseBody, responseOf } from '../../../lib/contract/responses.ts';
import type { ErrorBody } from '../../../lib/errors/apiError.ts';
import { inAnHour } from '../data/given.ts';
import { checkError, checkHeaders, type Request } from '../http/api.ts';
import { gatewayEvent, lambdaContext } from '../http/events.ts';
import { asFunction } from '../permissions/asFunction.ts';

/** Somebody whose name no log line may have. */
export const aPerson: Actor = { id: 'user-canary', name: 'Jane Canary' };

/** The code of a new link. */
export async function givenCode(
  account: string,
  { role = 'admin', actor = aPerson }: { role?: Role; actor?: Actor } = {},
): Promise<string> {
  const { url } = await createLink({ account, account_name: 'Canary Ltd', actor, role }, undefined);
  return new URL(url).hash.slice('#code='.length);
}

/** A new session, with its cookie. */
export async function givenSession(
  account: string,
  options: { role?: Role; actor?: Actor } = {},
): Promise<StartedSession> {
  const code = await givenCode(account, options);
  return beginSession(code, { before: undefined, origin: {}, deadline: inAnHour() });
}

export interface ConsoleRequest extends Request {
  /** The session's cookie. */
  cookie?: string | undefined;
}

export interface ConsoleReply<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

type Handler = (event: object, context: Context) => Promise<APIGatewayProxyResult>;

/** The handler of the function that answers an operation. */
export async function handlerOf(operation: ConsoleOperation): Promise<Handler> {
  const id = consoleFunctionOf(operation);
  const file = (await import(`../../../functions/console/${id}.ts`)) as { handler: Handler };
  const handler = asFunction(id, file.handler);
  return handler;
}

/** The request of the console's page, as API Gateway hands it over. */
export const consoleEvent = (operation: ConsoleOperation, { cookie, headers, ...request }: ConsoleRequest) =>
  gatewayEvent(operation, null, {
    ...request,
    headers: {
      'Sec-Fetch-Site': 'same-origin',
      ...(cookie === undefined ? {} : { Cookie: `theme=dark; __Host-console=${cookie}` }),
      ...headers,
    },
  });

/** Calls the handler of an operation, and checks its answer against the contract. */
export async function callConsole<O extends ConsoleOperation>(
  operation: O,
  request: ConsoleRequest = {},
  context = lambdaContext(),
): Promise<ConsoleReply<ResponseBody<O> & ErrorBody>> {
  const handler = await handlerOf(operation);
  const reply = replyOf(await handler(consoleEvent(operation, request), context));
  checkConsoleReply(operation, reply);
  return reply as ConsoleReply<ResponseBody<O> & ErrorBody>;
}

export function replyOf({
  statusCode,
  headers: single = {},
  multiValueHeaders = {},
  body,
}: APIGatewayProxyResult): ConsoleReply<unknown> {
  const headers = new Headers(Object.entries(single).map(([name, value]) => [name, String(value)]));
  for (const [name, values] of Object.entries(multiValueHeaders))
    for (const value of values ?? []) headers.append(name, String(value));
  return { status: statusCode, headers, body: body === '' ? '' : JSON.parse(body) };
}

const errorStatuses = [400, 401, 403, 404, 409, 412, 422, 500];

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

/** The body of an error of the console, which shows each problem at its field, so that the page needs no text of a message. */
export function checkConsoleError(status: number, body: unknown): void {
  const { problems = [], ...error } = body as { problems?: unknown[] };
  for (const problem of problems)
    expect(problem).toEqual({ field: expect.toSatisfy(isTextOrNull), message: expect.any(String) });
  checkError(status, error);
}

/** Checks that hold for every answer. */
export function checkConsoleReply(operation: ConsoleOperation, reply: ConsoleReply<unknown>): void {
  const { status, headers, body } = reply;
  checkHeaders(headers);
  const { success } = operation;
  if (status === 204 && success.status === 204) expect(body).toBe('');
  else expect(headers.get('Content-Type')).toBe('application/json');
  if (status === success.status) {
    // Parsing adds missing fields and sorts them, so an answer with a missing field or another order is not equal.
    const schema = responseOf(operation);
    const parsed = schema ? JSON.stringify(schema().parse(body)) : '""';
    expect(parsed).toBe(JSON.stringify(body));
    for (const name of success.headers ?? []) expect(headers.get(name), name).toBeTruthy();
  } else {
    expect(errorStatuses, JSON.stringify(body)).toContain(status);
    checkConsoleError(status, body);
  }
}
