import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the reference, as a server gives it. */
export interface PageFile {
  name: string;
  type: string;
  content: string;
}

/** Where an API is, as the `servers` of an OpenAPI document have it. */
interface Server {
  url: string;
  description: string;
}

const here = import.meta.dirname;
const read = (...path: string[]): string => readFileSync(join(here, ...path), 'utf8');

const javascript = 'text/javascript; charset=utf-8';

/**
 * All files of the page.
 * @param server the address of the documented API; by default that of the committed document
 */
export const pageFiles = (server?: Server): PageFile[] => [
  { name: 'index.html', type: 'text/html; charset=utf-8', content: read('page.html') },
  { name: 'page.css', type: 'text/css; charset=utf-8', content: read('page.css') },
  { name: 'page.js', type: javascript, content: read('page.js') },
  // The renderer is one file that loads nothing else; as a package it would bring a thousand others.
  { name: 'scalar.js', type: javascript, content: read('vendor', 'scalar.js') },
  { name: 'icon.svg', type: 'image/svg+xml', content: read('icon.svg') },
  { name: 'openapi.json', type: 'application/json', content: documentOf(server) },
];

/** The committed document, for the API at an address. Its guides begin with it. */
function documentOf(server: Server | undefined): string {
  const text = read('..', '..', 'openapi.json');
  if (!server) return text;
  const document = JSON.parse(text) as { info: { description: string } };
  const description = document.info.description.replace(/^export URL=.*$/m, `export URL=${server.url}`);
  return JSON.stringify({ ...document, info: { ...document.info, description }, servers: [server] });
}
