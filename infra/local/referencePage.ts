import type { IncomingMessage, ServerResponse } from 'node:http';
import { type PageFile, pageFiles } from '../reference/page.ts';

const folder = '/docs/';

/**
 * Serves the reference beside the API, at /docs.
 * @param baseUrl of the API
 * @returns answers a request; false for one that is none for the reference, which it leaves alone
 */
export function referencePage(
  baseUrl: string,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  // Megabytes, which most starts never show to anybody.
  let files: PageFile[] | undefined;
  const fileAt = (name: string): PageFile | undefined => {
    files ??= pageFiles({ url: baseUrl, description: 'This local stack.' });
    return files.find((file) => file.name === name);
  };
  return ({ method, url = '' }, response) => {
    const path = url.split('?')[0] as string;
    if (path !== folder.slice(0, -1) && !path.startsWith(folder)) return false;
    if (method !== 'GET' && method !== 'HEAD')
      response.writeHead(405, { Allow: 'GET, HEAD' }).end('This is only read.\n');
    // Without the slash its files would be looked for beside it.
    else if (!path.startsWith(folder)) response.writeHead(301, { Location: folder }).end();
    else answer(response, fileAt(path.slice(folder.length) || 'index.html'));
    return true;
  };
}

/** No page of somebody else can show it in a frame: a page cannot forbid that itself. */
const headers = {
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

function answer(response: ServerResponse, file: PageFile | undefined): void {
  if (file) response.writeHead(200, { ...headers, 'Content-Type': file.type }).end(file.content);
  else response.writeHead(404, { 'Content-Type': 'text/plain' }).end('There is no such file.\n');
}
