import { introduction } from '../prose/api.ts';
import { type Contract, exampleOf, operationsOf } from './contract.ts';
import { escaped, jsonBlock } from './html.ts';
import type { Page } from './layout.ts';
import { inline } from './markdown.ts';
import { programsHtml } from './operationPage.ts';

/** Returns the page for an unknown address. */
export const missingPage = (index: Page): Page => ({
  ...index,
  title: 'Page not found',
  html: '<h1>Page not found</h1><p>The address may be cut or mistyped, or the page has moved. Search for it, choose it from the menu, or <a href="index.html">begin at the first page</a>.</p>',
  isWide: false,
});

/** The guides where most readers begin. */
const firstGuides = ['Getting started', 'Webhooks', 'Keep a copy in sync'];

/** Returns a request that creates something, and its response. */
function heroHtml(contract: Contract): string {
  const operation = operationsOf(contract).find(({ method }) => method === 'POST');
  if (!operation) return '';
  const example = exampleOf(contract, operation.responses[201]?.content);
  return `${programsHtml(contract, operation)}<h2>Response 201</h2>${jsonBlock(example)}`;
}

/** Returns the first page, which leads to everything else, including the files for programs. */
export function indexPage(contract: Contract, guides: readonly Page[]): Page {
  const { title, version } = contract.info;
  const operations = operationsOf(contract);
  const areas = contract.tags.filter(({ name }) => operations.some(({ tags }) => tags[0] === name));
  const ofArea = (name: string) => operations.filter(({ tags }) => tags[0] === name);
  const files = [
    ['openapi.json', 'the contract as OpenAPI 3.1, for generators of clients'],
    ['llms.txt', 'the pages as Markdown, for language models'],
    ['llms-full.txt', 'all of it in one file'],
  ] as const;
  const cards = (some: readonly Page[]): string =>
    `<ul class="cards">${some.map(({ name, title: guide, description }) => `<li><a href="${name}">${escaped(guide)}</a><p>${escaped(description)}</p></li>`).join('')}</ul>`;
  const isFirst = ({ title: guide }: Page) => firstGuides.includes(guide);
  const html = `<div class="columns">
<div class="about">
<h1>${escaped(title)}</h1>
<p class="lead">${inline(introduction)}</p>
<p class="address">${contract.servers.map(({ url, description }) => `<code>${escaped(url)}</code> ${escaped(description)}`).join('<br>')}</p>
${cards(guides.filter(isFirst))}
</div>
<div class="code">
${heroHtml(contract)}
</div>
</div>
<h2>Guides</h2>
${cards(guides.filter((guide) => !isFirst(guide)))}
<h2>Operations</h2>
${areas
  .map(
    ({ name, description }) =>
      `<h3>${escaped(name)}</h3><p>${inline(description)}</p><ul class="operations">${ofArea(name)
        .map(
          ({ operationId, method, path, summary }) =>
            `<li><a href="${operationId}.html">${escaped(summary)}</a> <code class="method ${method}">${method}</code> <code>${escaped(path)}</code></li>`,
        )
        .join('')}</ul>`,
  )
  .join('\n')}
<h2>Events</h2>
<p>${Object.keys(contract.webhooks)
    .map((type) => `<a href="events.html#${type}"><code>${type}</code></a>`)
    .join(', ')}</p>
<h2>Files for programs</h2>
<ul>${files.map(([name, what]) => `<li><a href="${name}">${name}</a>: ${what}</li>`).join('')}</ul>
<p>Version ${version}</p>`;
  const markdown = `# ${title}

${introduction}

${contract.servers.map(({ url, description }) => `- ${url}: ${description}`).join('\n')}

## Guides

${guides.map(({ name, title: guide, description }) => `- [${guide}](${name}): ${description}`).join('\n')}

## Operations

${operations.map(({ operationId, method, path, summary }) => `- [${summary}](${operationId}.html): \`${method} ${path}\``).join('\n')}

## Files for programs

${files.map(([name, what]) => `- [${name}](${name}): ${what}`).join('\n')}
`;
  return { name: 'index.html', title, description: introduction, html, markdown, isWide: true };
}
