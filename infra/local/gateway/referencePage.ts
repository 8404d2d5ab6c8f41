import type { IncomingMessage, ServerResponse } from 'node:http';
import { type PageFile, pageFiles } from '../../reference/page.ts';
import { withIdsOf } from './exampleIds.ts';

const folder = '/docs/';

/**
 * Serves the reference at /docs.
 * @param baseUrl of the API
 * @param demoKey the API key with which the ids for the examples are read, if there is one
 * @returns answers a request below /docs; returns undefined for all others and does not answer them
 */
export function referencePage(
  baseUrl: string,
  demoKey: () => string | undefined,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> | undefined {
  // Loaded at the first request: the files have megabytes, and most starts never need them.
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
      response.writeHead(405, { Allow: 'GET, HEAD' }).end('Only GET and HEAD are allowed.\n');
    // Relative addresses in the page need the slash at the end.
    else if (!path.startsWith(folder)) response.writeHead(301, { Location: folder }).end();
    else return answer(response, fileAt(path.slice(folder.length) || 'index.html'));
    return Promise.resolve();
  };
}

/** X-Frame-Options keeps other sites from showing the page in a frame. A `<meta>` element cannot do that. */
const headers = {
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};
