import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Request {
  method: string;
  path: string;
  key: string;
  body?: object;
  headers?: Record<string, string>;
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  /** The parsed JSON; undefined when there is no body. */
  body: unknown;
}

/** No answer of the API takes longer: API Gateway ends a request after 29 seconds. */
const answerMs = 35_000;

const agent = new Agent({ keepAlive: true, maxSockets: 128 });

/** Sends a request once. @throws Error when the connection breaks before the answer is there */
export async function send(url: string, { method, path, key, body, headers }: Request): Promise<Reply> {
  const json = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  httpRequest(
    `${url}${path}`,
    {
      method,
      agent,
      signal: AbortSignal.timeout(answerMs),
      headers: {
        'X-Api-Key': key,
        ...(json ? { 'Content-Type': 'application/json', 'Content-Length': json.length } : {}),
        ...headers,
      },
    },
    (answer) =>
      void text(answer).then(
        (content) =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: content === '' ? undefined : JSON.parse(content),
          }),
        reject,
      ),
  )
    .once('error', reject)
    .end(json);
  return promise;
}
