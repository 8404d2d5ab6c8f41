import type { IncomingMessage, ServerResponse } from 'node:http';
import { type PageFile, pageFiles } from '../../reference/page.ts';
import { withIdsOf } from './exampleIds.ts';

const folder = '/docs/';

/**
 * Serves the reference beside the API, at /docs.
 * @param baseUrl of the API
 * @param demoKey the key with which the records are read whose ids are the examples, when there is one
 * @returns answers a request; undefined for one that is none for the reference, which it leaves alone
 */
export function referencePage(
  baseUrl: string,
  demoKey: () => string | undefined,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> | undefined {
  // Megabytes, which most starts never show to anybody.
  let files: PageFile[] | undefined;
  const fileAt = (name: string): PageFile | undefined => {
    files ??= pageFiles({ url: baseUrl, description: 'This local stack.' });
    return files.find((file) => file.name === name);
  };
  async function answer(response: ServerResponse, file: PageFile | undefined): Promise<void> {
    if (!file) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is no such file.\n');
      return;
    }
    const key = file.name === 'openapi.json' ? demoKey() : undefined;
    const content = key === undefined ? file.content : await withIdsOf(file.content, baseUrl, key);
    response.writeHead(200, { ...headers, 'Content-Type': file.type }).end(content);
  }
  return ({ method, url = '' }, response) => {
    const path = url.split('?')[0] as string;
    if (path !== folder.slice(0, -1) && !path.startsWith(folder)) return undefined;
    if (method !== 'GET' && method !== 'HEAD')
      response.writeHead(405, { Allow: 'GET, HEAD' }).end('This is only read.\n');
    // Without the slash its files would be looked for beside it.
    else if (!path.startsWith(folder)) response.writeHead(301, { Location: folder }).end();
    else return answer(response, fileAt(path.slice(folder.length) || 'index.html'));
    return Promise.resolve();
  };
}

/** No page of somebody else can show it in a frame: a page cannot forbid that itself. */
const headers = {
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};
