import { Readable } from 'node:stream';
import { sqs } from '../../../lib/aws/queues.ts';
import { dynamodb } from '../../../lib/dynamodb/client.ts';

/** A call to DynamoDB or SQS below the SDK: retries, tokens and parsing happen above. */
export interface Call {
  /** The operation: `TransactWriteItems`, `SendMessageBatch`. */
  name: string;
  input: Record<string, unknown>;
}

interface Answer {
  response: { statusCode: number; headers: Record<string, string>; body: Readable };
}

/** Sends a call, optionally to another port and with another request timeout. */
export type Send = (port?: number, requestTimeout?: number) => Promise<Answer>;
type Hook = (call: Call, send: Send) => Promise<Answer>;

/** Puts a hook between the SDK and the wire until the returned function is called. */
export function onWire(hook: Hook): () => void {
  const undo = [dynamodb().config, sqs().config].map((config) => hookInto(config, hook));
  return () => {
    for (const one of undo) one();
  };
}

/** Does something just before the next transaction, as when a request waits for the DNS meanwhile. */
export function beforeTheCommit(work: () => Promise<unknown>): void {
  const undo = onWire(async ({ name }, send) => {
    if (name !== 'TransactWriteItems') return send();
    undo();
    await work();
    return send();
  });
}

function hookInto(
  config: Pick<ReturnType<typeof dynamodb>['config'], 'requestHandler'>,
  hook: Hook,
): () => void {
  const handler = config.requestHandler;
  const wrapped = Object.create(handler) as typeof handler;
  wrapped.handle = (async (
    request: { headers: Record<string, string>; body: string | Uint8Array },
    options: { abortSignal?: AbortSignal } = {},
  ) => {
    const name = (request.headers['x-amz-target'] ?? '').split('.')[1] ?? '';
    const send: Send = (port, requestTimeout) => {
      const sent = port === undefined ? request : Object.assign(Object.create(request), { port });
      const patience = requestTimeout === undefined ? {} : { requestTimeout };
      return handler.handle(sent as never, { ...options, ...patience }) as unknown as Promise<Answer>;
    };
    const input = JSON.parse(textOf(request.body)) as Record<string, unknown>;
    return Promise.race([hook({ name, input }, send), abortionOf(options.abortSignal)]);
  }) as unknown as typeof handler.handle;
  config.requestHandler = wrapped;
  return () => {
    config.requestHandler = handler;
  };
}

/** Fails when the caller stops waiting, as the SDK's own handler does. */
const abortionOf = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () =>
      reject(Object.assign(new Error('aborted'), { name: 'AbortError' })),
    );
  });

const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);

const headers = { 'content-type': 'application/x-amz-json-1.0' };
const bodyOf = (value: object) => Readable.from([Buffer.from(JSON.stringify(value))]);

/** An error as it comes over the wire. SQS names its errors in the same header. */
export const failure = (type: string, more: object = {}, statusCode = 400): Answer => ({
  response: {
    statusCode,
    headers,
    body: bodyOf({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: type, ...more }),
  },
});

/** A made-up successful answer. */
export const success = (value: object): Answer => ({
  response: { statusCode: 200, headers, body: bodyOf(value) },
});

/** The error of a broken connection. The SDK cannot know whether the call took effect, so it repeats it. */
export const connectionLost = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
