import { Readable } from 'node:stream';
import { dynamodb } from '../../lib/dynamodb.ts';

/** A call to DynamoDB on its way, below the SDK: its retries, tokens and parsing are all above. */
export interface Call {
  /** The operation: `TransactWriteItems`. */
  name: string;
  input: Record<string, unknown>;
}

interface Answer {
  response: { statusCode: number; headers: Record<string, string>; body: Readable };
}

export type Send = () => Promise<Answer>;
type Hook = (call: Call, send: Send) => Promise<Answer>;

/** Puts a hook between the SDK and the wire until the returned function is called. */
export function onWire(hook: Hook): () => void {
  const { config } = dynamodb();
  const handler = config.requestHandler;
  const wrapped = Object.create(handler) as typeof handler;
  wrapped.handle = (async (
    request: { headers: Record<string, string>; body: string | Uint8Array },
    options: object,
  ) => {
    const name = (request.headers['x-amz-target'] ?? '').split('.')[1] ?? '';
    const send = () => handler.handle(request as never, options) as unknown as Promise<Answer>;
    return hook({ name, input: JSON.parse(textOf(request.body)) as Record<string, unknown> }, send);
  }) as unknown as typeof handler.handle;
  config.requestHandler = wrapped;
  return () => {
    config.requestHandler = handler;
  };
}

const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);

/** An error of DynamoDB as it comes over the wire. */
export function failure(type: string, more: object = {}): Answer {
  const body = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: type, ...more });
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  return { response: { statusCode: 400, headers, body: Readable.from([Buffer.from(body)]) } };
}
