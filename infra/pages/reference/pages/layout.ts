import { type Contract, operationsOf } from './contract.ts';
import { escaped } from './html.ts';

/** A page before its layout. */
export interface Page {
  /** The name of its file. */
  name: string;
  title: string;
  /** One sentence for search engines. */
  description: string;
  /** The content in HTML, beginning with a heading. */
  html: string;
  markdown: string;
  /** A shorter Markdown version for the file with all pages, if there is one. */
  brief?: string;
  /** True if code is shown next to the text instead of below it. */
  isWide?: boolean;
}

/** The names of the files that pages load. They change with their content. */
export interface Assets {
  style: string;
  icon: string;
  app: string;
  search: string;
  /** The file with the entries of the search. */
  entries: string;
  /** The script that sends requests, if the API is on the same machine. */
  send?: string;
}

const item = (name: string, label: string, current: string): string =>
  `<li><a href="${name}"${name === current ? ' aria-current="page"' : ''}>${label}</a></li>`;

const group = (title: string, items: string[]): string => `<h2>${title}</h2><ul>${items.join('')}</ul>`;

/** Returns the links to every page. */
function navigation(contract: Contract, guides: readonly Page[], current: string): string {
  const all = operationsOf(contract);
  const ofTag = (tag: string) =>
    all
      .filter(({ tags }) => tags[0] === tag)
      .map(({ operationId, summary, method }) =>
        item(
          `${operationId}.html`,
          `<span>${escaped(summary)}</span> <code class="method ${method}">${method}</code>`,
          current,
        ),
      );
  const types = Object.keys(contract.webhooks).map((type) =>
    item(`events.html#${type}`, `<span>${type}</span>`, current),
  );
  return [
    group(
      'Guides',
      guides.map(({ name, title }) => item(name, `<span>${escaped(title)}</span>`, current)),
    ),
    ...contract.tags
      .map(({ name }) => [name, ofTag(name)] as const)
      .filter(([, items]) => items.length > 0)
      .map(([name, items]) => group(escaped(name), items)),
    group('Events', [item('events.html', '<span>What every event has</span>', current), ...types]),
  ].join('');
}

/**
 * Restricts what the page loads and sends, wherever it is served. What people type here, including keys, can only go to the place that this
 * page came from.
 */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";

/** Returns a page of the reference in HTML. */
export function htmlPage(
  contract: Contract,
  guides: readonly Page[],
  { name, title, description, html, isWide = false }: Page,
  { style, icon, app, search, entries, send }: Assets,
): string {
  const product = escaped(contract.info.title);
  const scripts = [app, ...(send === undefined ? [] : [send])];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="description" content="${escaped(description)}">
<title>${title === contract.info.title ? product : `${escaped(title)} · ${product}`}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${style}">
<link rel="alternate" type="text/markdown" href="${name}.md">
${scripts.map((script) => `<script type="module" src="${script}"></script>`).join('\n')}
</head>
<body data-search="${search}" data-entries="${entries}"${send === undefined ? '' : ` data-api="${escaped(contract.servers[0]?.url ?? '')}"`}>
<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="brand" href="index.html"><img src="${icon}" alt="" width="24" height="24"> ${product}</a>
<button type="button" class="search" hidden>Search <kbd>⌘K</kbd></button>
<a class="download" href="openapi.json" download>Download OpenAPI</a>
<a class="menu" href="#menu">Menu</a>
</header>
<nav id="menu" aria-label="Reference">
<a class="close" href="#main">Close</a>
${navigation(contract, guides, name)}
</nav>
<main id="main"${isWide ? ' class="wide"' : ''}>
${html}
<footer><a href="${name}.md">This page as Markdown</a> · <a href="openapi.json">openapi.json</a> · <a href="llms.txt">llms.txt</a></footer>
</main>
</body>
</html>
`;
}
