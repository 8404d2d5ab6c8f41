import { introduction } from '../prose/api.ts';
import type { Contract } from './contract.ts';
import type { Page } from './layout.ts';

const entry = ({ name, title, description }: Page): string => `- [${title}](${name}.md): ${description}`;

/** Returns the pages for language models, as https://llmstxt.org describes. */
export const llmsText = (contract: Contract, guides: readonly Page[], operations: readonly Page[]): string =>
  `# ${contract.info.title}

> ${introduction}

${contract.servers.map(({ url, description }) => `The API is at ${url}. ${description}`).join('\n')}
Every request has the header \`X-Api-Key\`. Bodies are JSON. Errors from every layer are \`{"error": …, "message": …}\`.

## Guides

${guides.map(entry).join('\n')}

## Operations

${operations.map(entry).join('\n')}

## Optional

- [openapi.json](openapi.json): The contract as OpenAPI 3.1.
- [llms-full.txt](llms-full.txt): All pages in one file, with requests in curl alone.
`;

/** Returns all pages in one text. Models write programs from one request, and pay for each further one. */
export const llmsFullText = (pages: readonly Page[]): string =>
  pages.map(({ markdown, brief = markdown }) => brief).join('\n');
