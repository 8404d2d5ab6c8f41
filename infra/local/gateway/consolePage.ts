import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConsolePageFile } from '../../pages/consoleFiles.ts';
import { cacheControlOf } from '../../pages/headers.ts';
import { pagePath } from '../../pages/paths.ts';
import type { Listener } from './server.ts';
import { staticFiles } from './staticFiles.ts';

/**
 * Serves the console as CloudFront does: its page at /console/, and its API below /console/api/, with the same headers.
 * @param headers of every answer
 * @param build makes the files of the page
 * @param api answers requests of the API
 * @returns answers a request below /console; returns undefined for all others and does not answer them
 */
export function consolePage(
  headers: Record<string, string>,
  build: () => Promise<ConsolePageFile[]>,
  api: Listener,
): (request: IncomingMessage, response: ServerResponse) => unknown {
  // Built at the first request: most starts never need them.
  let files: Promise<ConsolePageFile[]> | undefined;
  const answersFile = staticFiles(pagePath, async (name) => {
    files ??= build();
    const file = (await files).find((one) => one.name === name);
    if (!file) return undefined;
    return {
      content: file.content,
      headers: { 'Content-Type': file.type, 'Cache-Control': cacheControlOf(file) },
    };
  });
  return (request, response) => {
    const { url = '' } = request;
    if (!/^\/console(?:[/?]|$)/.test(url)) return undefined;
    response.setHeaders(new Map(Object.entries(headers)));
    return url.startsWith(`${pagePath}api/`)
      ? api(fromCloudFront(request), response)
      : answersFile(request, response);
  };
}

/**
 * A request as CloudFront passes it on: with the address of the client at the end of X-Forwarded-For. API Gateway adds that of
 * CloudFront, which is this machine here.
 */
function fromCloudFront(request: IncomingMessage): IncomingMessage {
  const { remoteAddress = '127.0.0.1' } = request.socket;
  request.rawHeaders = [...request.rawHeaders, 'X-Forwarded-For', remoteAddress];
  return request;
}
