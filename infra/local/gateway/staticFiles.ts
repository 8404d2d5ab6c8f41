import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { noFileMessage } from '../../pages/paths.ts';
import { sendError } from './sendError.ts';

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

/** The smallest file that CloudFront compresses. */
const compressedFrom = 1000;

/** Sends a file as CloudFront does: compressed, and with an ETag by which a browser asks whether it has changed. */
async function send(
  { headers: asked }: IncomingMessage,
  response: ServerResponse,
  { content, headers }: StaticFile,
): Promise<void> {
  const isCompressed = content.length >= compressedFrom && /\bgzip\b/.test(`${asked['accept-encoding']}`);
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 16);
  const tag = `${isCompressed ? 'W/' : ''}"${hash}"`;
  const all = { ...headers, ETag: tag, Vary: 'Accept-Encoding' };
  if (asked['if-none-match']?.includes(`"${hash}"`)) response.writeHead(304, all).end();
  else if (isCompressed)
    response.writeHead(200, { ...all, 'Content-Encoding': 'gzip' }).end(await promisify(gzip)(content));
  else response.writeHead(200, all).end(content);
}

/**
 * Serves the files of a folder as CloudFront does: `index.html` for the folder, and a redirect to it without its last slash.
 * @param folder its path, with a slash at both ends
 * @param fileAt returns undefined for a name that the folder does not have
 */
export function staticFiles(
  folder: string,
  fileAt: (name: string) => Promise<StaticFile | undefined>,
): FolderListener {
  async function answer(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    const file = await fileAt(name);
    if (file) await send(request, response, file);
    else sendError(response, { status: 404, message: noFileMessage });
  }
  return (request, response) => {
    const { method, url = '' } = request;
    const path = url.split('?')[0] as string;
    if (path !== folder.slice(0, -1) && !path.startsWith(folder)) return undefined;
    if (method !== 'GET' && method !== 'HEAD')
      response.writeHead(405, { Allow: 'GET, HEAD' }).end('Only GET and HEAD are allowed.\n');
    // Relative addresses in the page need the slash at the end.
    else if (!path.startsWith(folder)) response.writeHead(301, { Location: folder }).end();
    else return answer(request, response, path.slice(folder.length) || 'index.html');
    return Promise.resolve();
  };
}
