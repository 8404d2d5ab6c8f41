import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { cacheControlOf, type PageFile } from '../../pages/pageHeaders.ts';
import { noFileMessage, pagePath } from '../../pages/paths.ts';
import { StartError } from '../process/startError.ts';
import type { JsonObject } from '../template/intrinsics.ts';
import { assertKnownProperties } from '../template/resourceTypes.ts';
import type { Template } from '../template/template.ts';
import { type Listener, sendError } from './server.ts';

/**
 * Serves the console as CloudFront does: its page at /console/, and its API below /console/api/, with the same headers.
 * @param headers of every response
 * @param build creates the files of the page
 * @param api handles requests of the API
 * @returns a listener that handles requests below /console, and returns undefined for all others
 */
export function consolePage(
  headers: Record<string, string>,
  build: () => Promise<PageFile[]>,
  api: Listener,
): (request: IncomingMessage, response: ServerResponse) => unknown {
  const answersFile = staticFiles(pagePath, madeOnce(build));
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
 * Returns a request as CloudFront forwards it, with the client's address at the end of X-Forwarded-For. API Gateway adds the address of
 * CloudFront, which is this machine here.
 */
function fromCloudFront(request: IncomingMessage): IncomingMessage {
  const { remoteAddress = '127.0.0.1' } = request.socket;
  request.rawHeaders = [...request.rawHeaders, 'X-Forwarded-For', remoteAddress];
  return request;
}

/**
 * Serves the reference at /docs. The address without a path redirects there, because people open that.
 * @param baseUrl of the API
 * @param demoKey the API key for reading the ids of the examples, if there is one
 */
export function referencePage(baseUrl: string, demoKey: () => string | undefined): FolderListener {
  const fileAt = madeOnce(async () =>
    (await import('../../pages/referenceFiles.ts')).pageFiles(
      { url: baseUrl, description: 'This local stack.' },
      { sends: true, console: new URL(pagePath, baseUrl).href },
    ),
  );
  const inFolder = staticFiles('/docs/', async (name) => {
    if (name !== 'ids.json') return fileAt(name);
    // The page that sends requests asks for this document, with ids of records that exist here.
    const document = (await fileAt('openapi.json')) as PageFile;
    const key = demoKey();
    const ids = key === undefined ? {} : await idsFor(document.content, baseUrl, key);
    return { ...document, content: JSON.stringify(ids) };
  });
  return (request, response) => {
    if (request.url?.startsWith('/docs')) response.setHeaders(headers);
    if (request.url !== '/' || request.method !== 'GET') return inFolder(request, response);
    response.writeHead(302, { Location: '/docs/' }).end();
    return Promise.resolve();
  };
}

/** X-Frame-Options keeps other sites from showing the page in a frame. A `<meta>` element cannot do that. */
const headers = new Map([
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
]);

interface Document {
  paths: Record<string, object>;
  components: { parameters: Record<string, { example?: string }> };
}

/**
 * Returns ids of existing records, by the ids in the examples of the OpenAPI document, so that the reference can send its example requests. An
 * id is left out if the account has no such record.
 * @param baseUrl of the API
 * @param key an API key of the account with the records
 */
async function idsFor(document: string, baseUrl: string, key: string): Promise<Record<string, string>> {
  const { paths, components } = JSON.parse(document) as Document;
  const found: Record<string, string> = {};
  const ids: Record<string, string> = {};
  // The path of a record consists of the path of its list and its id. A list comes before the lists below its records.
  for (const path of Object.keys(paths)) {
    const [, list = '', name = ''] = /^(.+)\/\{(\w+)\}$/.exec(path) ?? [];
    const example = components.parameters[name]?.example;
    const id =
      example && (await firstId(baseUrl + list.replace(/\{(\w+)\}/g, (_, of) => ids[of] ?? ''), key));
    if (!id) continue;
    ids[name] = id;
    found[example] = id;
  }
  return found;
}

async function firstId(list: string, key: string): Promise<string | undefined> {
  const answer = await fetch(`${list}?limit=1`, { headers: { 'X-Api-Key': key } });
  const { data } = (await answer.json()) as { data?: { id: string }[] };
  return data?.[0]?.id;
}

/** Finds files by their names. They are created at the first request, because most starts never need them. */
function madeOnce(make: () => Promise<PageFile[]>): (name: string) => Promise<PageFile | undefined> {
  let files: Promise<PageFile[]> | undefined;
  return async (name) => {
    files ??= make();
    return (await files).find((one) => one.name === name);
  };
}

const headersOf = (file: PageFile) => ({ 'Content-Type': file.type, 'Cache-Control': cacheControlOf(file) });

/** Handles a request below a folder. Returns undefined for all others, without handling them. */
type FolderListener = (request: IncomingMessage, response: ServerResponse) => Promise<void> | undefined;

/** The smallest file that CloudFront compresses. */
const compressedFrom = 1000;

/** Sends a file as CloudFront does: compressed, and with an ETag, so that browsers can ask whether it has changed. */
async function send(
  { headers: asked }: IncomingMessage,
  response: ServerResponse,
  file: PageFile,
): Promise<void> {
  const { content } = file;
  const isCompressed = content.length >= compressedFrom && /\bgzip\b/.test(`${asked['accept-encoding']}`);
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 16);
  const tag = `${isCompressed ? 'W/' : ''}"${hash}"`;
  const all = { ...headersOf(file), ETag: tag, Vary: 'Accept-Encoding' };
  if (asked['if-none-match']?.includes(`"${hash}"`)) response.writeHead(304, all).end();
  else if (isCompressed)
    response.writeHead(200, { ...all, 'Content-Encoding': 'gzip' }).end(await promisify(gzip)(content));
  else response.writeHead(200, all).end(content);
}

/**
 * Serves the files of a folder as CloudFront does: `index.html` for the folder, and a redirect to the folder if its final slash is missing.
 * @param folder its path, with a slash at both ends
 * @param fileAt returns undefined for a name that the folder does not contain
 */
function staticFiles(
  folder: string,
  fileAt: (name: string) => Promise<PageFile | undefined>,
): FolderListener {
  async function answer(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    const file = await fileAt(name);
    const missing = file ? undefined : await fileAt('404.html');
    if (file) await send(request, response, file);
    else if (missing) response.writeHead(404, headersOf(missing)).end(missing.content);
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

/** How each part of a policy is sent as a header. https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-cloudfront-responseheaderspolicy-securityheadersconfig.html */
const securityHeaders: Record<string, [name: string, value: (part: JsonObject) => string]> = {
  ContentSecurityPolicy: ['Content-Security-Policy', (part) => String(part.ContentSecurityPolicy)],
  ContentTypeOptions: ['X-Content-Type-Options', () => 'nosniff'],
  FrameOptions: ['X-Frame-Options', ({ FrameOption }) => String(FrameOption)],
  ReferrerPolicy: ['Referrer-Policy', (part) => String(part.ReferrerPolicy)],
  StrictTransportSecurity: [
    'Strict-Transport-Security',
    ({ AccessControlMaxAgeSec, IncludeSubdomains }) =>
      `max-age=${AccessControlMaxAgeSec}${IncludeSubdomains ? '; includeSubDomains' : ''}`,
  ],
};

/**
 * Returns the headers that CloudFront sets on every response under /console/.
 * @throws StartError unless there is exactly one policy and the local stack supports everything in it
 */
export function responseHeadersOf(template: Template): Record<string, string> {
  const [policy, ...others] = template.resources('AWS::CloudFront::ResponseHeadersPolicy');
  if (!policy || others.length > 0)
    throw new StartError('The template must have one response headers policy');
  const config = policy.properties.ResponseHeadersPolicyConfig as JsonObject;
  assertKnownProperties(policy.id, config, ['CustomHeadersConfig', 'Name', 'SecurityHeadersConfig']);
  const security = config.SecurityHeadersConfig as Record<string, JsonObject>;
  assertKnownProperties(policy.id, security, Object.keys(securityHeaders));
  const { Items } = config.CustomHeadersConfig as { Items: JsonObject[] };
  const known = Object.entries(security).map(([part, values]) => {
    const [name, headerOf] = securityHeaders[part] as (typeof securityHeaders)[string];
    return [name, headerOf(values)];
  });
  return Object.fromEntries([...known, ...Items.map(({ Header, Value }) => [Header, Value])]);
}
