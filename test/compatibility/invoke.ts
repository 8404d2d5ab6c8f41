import { join } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context, SQSRecord } from 'aws-lambda';
import { handler as authorizerHandler } from '../../functions/authorizer.ts';
import { handler as ingestHandler } from '../../functions/pipeline/ingestRecords.ts';
import { fileOf } from '../../lib/contract/index.ts';
import type { ResponseBody } from '../../lib/contract/responses.ts';
import type { Operation } from '../../lib/resources/operation.ts';
import type { Request } from '../support/http/api.ts';
import { authorizerEvent, gatewayEvent, lambdaContext } from '../support/http/events.ts';
import type { FunctionId } from '../support/permissions/access.ts';
import { asFunction } from '../support/permissions/asFunction.ts';
import { root } from '../support/stack/stackProcess.ts';

// Calls the functions as the platform does.

const authorizer = asFunction('authorizer', authorizerHandler);
const ingestRecords = asFunction('ingestRecords', ingestHandler);

/** The authorizer's context for a key, which the gateway caches and passes to the functions. */
export type AuthorizerContext = Record<string, unknown>;

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The longest that a request may take. */
const requestMs = 10_000;

export async function request(
  operation: Operation,
  context: AuthorizerContext,
  input: Request = {},
): Promise<APIGatewayProxyResult> {
  const { handler } = (await import(join(root, fileOf(operation)))) as { handler: Handler };
  const event = gatewayEvent(operation, context, input);
  return asFunction(operation.id as FunctionId, handler)(event, lambdaContext(requestMs));
}

/** The body of a successful answer. @throws Error for any other answer */
export async function call<O extends Operation>(
  operation: O,
  context: AuthorizerContext,
  input: Request = {},
): Promise<ResponseBody<O>> {
  const { statusCode, body } = await request(operation, context, input);
  if (statusCode !== operation.success.status) throw new Error(`${operation.id} ${statusCode}: ${body}`);
  return (body === '' ? undefined : JSON.parse(body)) as ResponseBody<O>;
}

/** @returns undefined when the key is refused */
export async function authorize(key: string): Promise<AuthorizerContext | undefined> {
  const answer = await authorizer(authorizerEvent({ 'X-Api-Key': [key] })).catch((error: Error) => {
    if (error.message !== 'Unauthorized') throw error;
  });
  return answer?.context ?? undefined;
}

/** One invocation of ingestRecords. @returns the bodies that it refused */
export async function ingest(bodies: readonly string[]): Promise<string[]> {
  const Records = bodies.map((body, i) => ({
    messageId: String(i),
    body,
    attributes: { ApproximateReceiveCount: '1' },
    eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:RecordsInbox',
  })) as SQSRecord[];
  const { batchItemFailures } = await ingestRecords({ Records }, lambdaContext(60_000));
  return batchItemFailures.map(({ itemIdentifier }) => bodies[Number(itemIdentifier)] as string);
}
