import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync } from 'node:zlib';
import { close, listen } from '../../../infra/local/gateway/server.ts';

/** Answers with compressed bodies, as CloudFront sends those of the page. Each is compressed once. */
export async function compressing(target: string): Promise<{ url: string; close: () => Promise<void> }> {
  const compressed = new Map<string, Buffer>();
  const pass = async (request: IncomingMessage, response: ServerResponse, answer: IncomingMessage) => {
    const body = await buffer(answer);
    const { 'content-length': _, ...headers } = answer.headers;
    const isFile = !request.url?.includes('/api/');
    if (!isFile) return response.writeHead(answer.statusCode as number, headers).end(body);
    const small = compressed.get(request.url as string) ?? brotliCompressSync(body);
    compressed.set(request.url as string, small);
    return response
      .writeHead(answer.statusCode as number, { ...headers, 'Content-Encoding': 'br' })
      .end(small);
  };
  const { server, url } = await listen(0, (request, response) => {
    const { method } = request;
    const { origin, host } = new URL(target);
    // The stack refuses the pages of other servers.
    const headers = { ...request.headers, host, ...(request.headers.origin ? { origin } : {}) };
    const passed = ask(new URL(request.url as string, target), { method, headers }, (answer) =>
      pass(request, response, answer),
    );
    request.pipe(passed);
  });
  return { url, close: () => close(server) };
}
