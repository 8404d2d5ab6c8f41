import { EventEmitter } from 'node:events';
import https from 'node:https';
import { Readable } from 'node:stream';

/** Answers the HTTPS requests of this process at once, by the operation of DynamoDB that they call. Nothing is sent. */
export function stubDynamodb(answers: Record<string, object>): void {
  const bodies = new Map(
    Object.entries(answers).map(([operation, answer]) => [operation, Buffer.from(JSON.stringify(answer))]),
  );
  https.request = ((
    { headers }: { headers: Record<string, string> },
    respond: (response: Readable) => void,
  ) => {
    const body = bodies.get(headers['x-amz-target']?.split('.')[1] ?? '');
    return Object.assign(new EventEmitter(), {
      // The socket of an open connection.
      socket: { connecting: false, setKeepAlive() {}, setTimeout() {}, removeListener() {} },
      destroy() {},
      end: () => setImmediate(() => respond(answerOf(body))),
    });
  }) as unknown as typeof https.request;
}

const answerOf = (body: Buffer | undefined): Readable => {
  const response = new Readable({ read() {} });
  response.push(body ?? '{}');
  response.push(null);
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  return Object.assign(response, { statusCode: body ? 200 : 400, headers });
};
