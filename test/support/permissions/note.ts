import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { join } from 'node:path';
import type { Access } from './access.ts';
import { type AwsRequest, accessesOf } from './requests.ts';

/** The environment variable that names the file of the notes. Where it is not set, nothing is noted. */
export const notesFile = 'PERMISSION_NOTES_FILE';

/** The file of the notes of a run, in the data directory of its stack. Each line is an `Access`, and may come more than once. */
export const notesIn = (dataFolder: string): string => join(dataFolder, 'permissions.jsonl');

/**
 * Notes the requests of functions to AWS from this thread, before they are sent. It sees requests through `node:http`,
 * which the SDK uses, and `node:https`.
 * @param functionName returns the function that is running; undefined when there is none
 * @returns ends it
 */
export function noteRequests(file: string, functionName: () => string | undefined): () => void {
  const noted = new Set<string>();
  const note = (message: unknown): void => {
    const { request } = message as { request: ClientRequest };
    const name = functionName();
    const service = signedServiceOf(request);
    if (name === undefined || service === undefined) return;
    onBody(request, (body) => {
      const operation = operationOf(request);
      for (const access of accessesOf({ service, operation, body })) {
        const line = `${JSON.stringify({ functionId: name, ...access } satisfies Access)}\n`;
        if (noted.has(line)) continue;
        noted.add(line);
        appendFileSync(file, line);
      }
    });
  };
  subscribe(created, note);
  return () => void unsubscribe(created, note);
}

const created = 'http.client.request.created';

/** Only requests to AWS are signed like this. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
const signedServiceOf = (request: ClientRequest): AwsRequest['service'] | undefined =>
  /Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\//.exec(String(request.getHeader('Authorization')))?.[1];

/** The JSON protocols name their operation in a header, the others by method and path. */
const operationOf = (request: ClientRequest): AwsRequest['operation'] =>
  String(request.getHeader('X-Amz-Target') ?? `${request.method} ${request.path}`).replace(/^\w+\./, '');

/** The SDK hands over a body, if there is one, whole and at the end. */
function onBody(request: ClientRequest, read: (body: string) => void): void {
  const end = request.end.bind(request) as (...args: unknown[]) => ClientRequest;
  request.end = ((...args: unknown[]) => {
    const [body] = args;
    read(typeof body === 'string' ? body : Buffer.from((body as Uint8Array | undefined) ?? []).toString());
    return end(...args);
  }) as typeof request.end;
}
