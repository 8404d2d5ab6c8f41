import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { type PageFile, types } from './pageHeaders.ts';
import { operationsOf, readContract, type Server } from './reference/pages/contract.ts';
import { eventsPage } from './reference/pages/eventsPage.ts';
import { type Addresses, guidePages } from './reference/pages/guides.ts';
import { indexPage, missingPage } from './reference/pages/indexPage.ts';
import { type Assets, htmlPage, type Page } from './reference/pages/layout.ts';
import { llmsFullText, llmsText } from './reference/pages/llms.ts';
import { operationPage } from './reference/pages/operationPage.ts';
import { searchEntries } from './reference/pages/searchEntries.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const browserFile = (name: string): string => read('infra', 'pages', 'reference', 'pages', 'browser', name);

const file = (name: string, content: string, immutable = false): PageFile => ({
  name,
  type: types[extname(name)] as string,
  content,
  immutable,
});

/** A file whose name has a hash of its content. */
function hashed(name: string, content: string): PageFile {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
  return file(name.replace('.', `.${hash}.`), content, true);
}

/** The committed document, for the API at an address. */
function documentOf(server: Server | undefined): string {
  const document = JSON.parse(read('docs', 'contract', 'openapi.json')) as object;
  return JSON.stringify(server ? { ...document, servers: [server] } : document);
}

/** Links between Markdown files lead to Markdown. */
const betweenMarkdown = (markdown: string): string =>
  markdown.replace(/\]\(([\w-]+\.html)(?=[#)])/g, ']($1.md');

/** The search with what it needs, in one file. */
const searchScript = (): string =>
  buildSync({
    entryPoints: [join(root, 'infra', 'pages', 'reference', 'pages', 'browser', 'search.js')],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: ['chrome123', 'firefox125', 'safari17.5'],
    legalComments: 'none',
  }).outputFiles[0]?.text ?? '';

interface Options extends Pick<Addresses, 'console'> {
  /** Whether pages send requests to the API, if they come from its origin. */
  sends?: boolean;
}

/**
 * All files of the reference: pages that need no script, the same in Markdown, and the contract.
 * @param server the address of the documented API; by default those of the committed document
 */
export function pageFiles(server?: Server, { sends = false, console }: Options = {}): PageFile[] {
  const document = documentOf(server);
  const contract = readContract(document);
  const guides = guidePages({ api: server?.url, console });
  const operations = operationsOf(contract).map((operation) => operationPage(contract, operation));
  const events = eventsPage(contract);
  const index = indexPage(contract, guides);
  const pages = [index, ...guides, ...operations, events];
  const assets = {
    style: hashed('style.css', read('infra', 'pages', 'shared.css') + browserFile('style.css')),
    icon: hashed('icon.svg', read('infra', 'pages', 'reference', 'icon.svg')),
    app: hashed('app.js', browserFile('app.js')),
    // Without the address, which only CloudFormation knows: the hash would be of its stand-in.
    search: hashed('search.js', searchScript()),
    entries: hashed('search.json', JSON.stringify(searchEntries(contract, guidePages()))),
    ...(sends ? { send: hashed('send.js', browserFile('send.js')) } : {}),
  };
  const named = Object.fromEntries(Object.entries(assets).map(([key, { name }]) => [key, name]));
  const html = (page: Page): string => htmlPage(contract, guides, page, named as unknown as Assets);
  return [
    ...pages.map((page) => file(page.name, html(page))),
    file('404.html', html(missingPage(index))),
    // Programs guess the second name.
    ...pages.flatMap(({ name, markdown }) =>
      [`${name}.md`, name.replace(/\.html$/, '.md')].map((one) => file(one, betweenMarkdown(markdown))),
    ),
    ...Object.values(assets),
    file('llms.txt', llmsText(contract, guides, [...operations, events])),
    file('llms-full.txt', llmsFullText(pages)),
    file('openapi.json', document),
  ];
}
