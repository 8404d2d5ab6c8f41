import { introduction } from '../prose/api.ts';
import { type Contract, operationsOf } from './contract.ts';
import { escaped } from './html.ts';
import type { Page } from './layout.ts';
import { inline } from './markdown.ts';

/** The first page: the way to everything, and the files for programs. */
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
  const html = `<h1>${escaped(title)}</h1>
<p class="lead">${inline(introduction)}</p>
<p class="address">${contract.servers.map(({ url, description }) => `<code>${escaped(url)}</code> ${escaped(description)}`).join('<br>')}</p>
<h2>Guides</h2>
<ul class="cards">${guides.map(({ name, title: guide, description }) => `<li><a href="${name}">${escaped(guide)}</a><p>${escaped(description)}</p></li>`).join('')}</ul>
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
  return { name: 'index.html', title, description: introduction, html, markdown };
}
