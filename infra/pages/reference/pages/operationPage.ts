import {
  type Answer,
  type Contract,
  exampleOf,
  nameOf,
  type Placed,
  type Schema,
  schemaIn,
} from './contract.ts';
import { exampleCall, parametersIn } from './exampleCalls.ts';
import { fieldsOf, parameterRows } from './fieldRows.ts';
import { codeTabs, escaped } from './html.ts';
import type { Page } from './layout.ts';
import { htmlOf, inline, plain } from './markdown.ts';
import { operationMarkdown } from './operationMarkdown.ts';
import { languages } from './programs.ts';

const places = { path: 'Path parameters', query: 'Query parameters', header: 'Headers' } as const;

function parametersHtml(contract: Contract, operation: Placed): string {
  const parts = Object.entries(places).map(([place, title]) => {
    const parameters = parametersIn(operation, place as keyof typeof places);
    return parameters.length === 0 ? '' : `<h2>${title}</h2>${parameterRows(contract, parameters)}`;
  });
  return parts.join('');
}

const bodySchemaOf = ({ content }: { content?: Answer['content'] }): Schema | undefined =>
  content?.['application/json'].schema;

function bodyHtml(contract: Contract, { requestBody }: Placed): string {
  const schema = requestBody && bodySchemaOf(requestBody);
  if (!schema) return '';
  const { description = '' } = schemaIn(contract, schema);
  const leftOut = requestBody?.required ? '' : ' It may be left out.';
  const path = [nameOf(schema) as string];
  return `<h2>Body</h2><p>${inline(description + leftOut)}</p>${fieldsOf(contract, schema, { id: (name) => `body.${name}`, isInput: true, path })}`;
}

const isSuccess = (status: string): boolean => /^[23]/.test(status);

/** Returns a successful response in HTML: its headers and its fields. */
function successHtml(contract: Contract, status: string, answer: Answer): string {
  const schema = bodySchemaOf(answer);
  const headers = Object.keys(answer.headers ?? {}).map((name) => `<code>${name}</code>`);
  const fields = schema ? fieldsOf(contract, schema, { path: [nameOf(schema) as string] }) : '';
  return `<h3 id="answer-${status}">${status}</h3><p>${inline(answer.description)}</p>
<p class="headers">Headers: ${headers.join(', ')}</p>${fields}`;
}

/** Returns the errors as a table, each with an example of its message. */
function errorsHtml(contract: Contract, errors: [string, Answer][]): string {
  const always = Object.keys(errors.find(([status]) => status === '401')?.[1].headers ?? {});
  const rows = errors.map(([status, answer]) => {
    const own = Object.keys(answer.headers ?? {}).filter((name) => !always.includes(name));
    const headers = own.map((name) => ` Header: <code>${name}</code>.`).join('');
    const { message } = exampleOf(contract, answer.content) as { message: string };
    return `<tr><td><code class="status">${status}</code></td><td>${inline(answer.description)}${headers}<br><samp>${escaped(message)}</samp></td></tr>`;
  });
  return `<h2>Errors</h2><p>All have the form that the guide to <a href="errors.html">errors</a> shows.</p><div class="table" tabindex="0"><table><thead><tr><th>Status</th><th>When, and an example of its message</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

/** Returns the program for a request in each language. */
export function programsHtml(contract: Contract, operation: Placed): string {
  const call = exampleCall(contract, operation);
  return codeTabs(
    'language',
    languages.map(({ name, write }) => ({ name, code: write(call) })),
  );
}

/** Returns everything that the page needs to send a request of the operation. */
function sendable(contract: Contract, operation: Placed): string {
  const { method, path } = operation;
  const { body } = exampleCall(contract, operation);
  const parameters = (operation.parameters ?? []).map(({ name, in: place, example, schema }) => ({
    name,
    place,
    // Only path parameters start with their example. With the example of a filter, a list might be empty.
    value: place === 'path' ? `${example}` : `${schema.default ?? ''}`,
  }));
  return escaped(JSON.stringify({ method, path, parameters, ...(body === undefined ? {} : { body }) }));
}

/** Returns the page of an operation. */
export function operationPage(contract: Contract, operation: Placed): Page {
  const { operationId, summary, description, method, path, responses } = operation;
  const answers = Object.entries(responses);
  const successes = answers.filter(([status]) => isSuccess(status));
  const examples = answers.flatMap(([status, answer]) => {
    const example = exampleOf(contract, answer.content);
    return example === undefined ? [] : [{ name: status, code: JSON.stringify(example, null, 2) }];
  });
  const html = `<h1>${escaped(summary)}</h1>
<p class="route"><code class="method ${method}">${method}</code> <code>${escaped(path)}</code></p>
<div class="columns">
<div class="about">
${htmlOf(description)}
</div>
<div class="text">
${parametersHtml(contract, operation)}
${bodyHtml(contract, operation)}
<h2>Responses</h2>
${successes.map(([status, answer]) => successHtml(contract, status, answer)).join('')}
${errorsHtml(
  contract,
  answers.filter(([status]) => !isSuccess(status)),
)}
</div>
<div class="code" data-operation="${sendable(contract, operation)}">
${programsHtml(contract, operation)}
<h2>Responses</h2>${codeTabs('status', examples, 'Status')}
</div>
</div>`;
  return {
    name: `${operationId}.html`,
    title: summary,
    description: plain(description.split(/(?<=\.)\s/)[0] as string),
    html,
    markdown: operationMarkdown(contract, operation),
    brief: operationMarkdown(contract, operation, languages.slice(0, 1)),
    isWide: true,
  };
}
