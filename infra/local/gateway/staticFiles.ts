import type { IncomingMessage, ServerResponse } from 'node:http';
import { noFileMessage } from '../../console/paths.ts';
import { sendError } from './badRequests.ts';

/** What a folder gives for the name of a file. */
export interface StaticFile {
  content: string;
  headers: Record<string, string>;
}

/** Answers a request below a folder. Returns undefined for all others, and does not answer them. */
export type FolderListener = (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void> | undefined;

/**
 * Serves the files of a folder as CloudFront does: `index.html` for the folder, and a redirect to it without its last slash.
 * @param folder its path, with a slash at both ends
 * @param fileAt returns undefined for a name that the folder does not have
 */
export function staticFiles(
  folder: string,
  fileAt: (name: string) => Promise<StaticFile | undefined>,
): FolderListener {
  async function answer(response: ServerResponse, name: string): Promise<void> {
    const file = await fileAt(name);
    if (file) response.writeHead(200, file.headers).end(file.content);
    else sendError(response, { status: 404, message: noFileMessage });
  }
  return ({ method, url = '' }, response) => {
    const path = url.split('?')[0] as string;
    if (path !== folder.slice(0, -1) && !path.startsWith(folder)) return undefined;
    if (method !== 'GET' && method !== 'HEAD')
      response.writeHead(405, { Allow: 'GET, HEAD' }).end('Only GET and HEAD are allowed.\n');
    // Relative addresses in the page need the slash at the end.
    else if (!path.startsWith(folder)) response.writeHead(301, { Location: folder }).end();
    else return answer(response, path.slice(folder.length) || 'index.html');
    return Promise.resolve();
  };
}
