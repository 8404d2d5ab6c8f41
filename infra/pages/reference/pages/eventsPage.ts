import { type Contract, type Example, nameOf, type Operation, type Schema } from './contract.ts';
import { fieldsOf, parameterRows } from './fieldRows.ts';
import { jsonBlock } from './html.ts';
import type { Page } from './layout.ts';
import { htmlOf, inline } from './markdown.ts';
import { fencedJson, fieldLines } from './operationMarkdown.ts';

const contentOf = ({ requestBody }: Operation) => requestBody?.content['application/json'];

/** Returns the schema that all events of a resource share. */
const componentIn = (operation: Operation): Schema => contentOf(operation)?.schema.allOf?.[0] as Schema;

const examplesOf = (operation: Operation): Example[] => Object.values(contentOf(operation)?.examples ?? {});

function typeHtml(type: string, operation: Operation): string {
  const name = nameOf(componentIn(operation));
  const examples = examplesOf(operation).map(
    ({ summary, value }) => `<details><summary>${summary}</summary>${jsonBlock(value)}</details>`,
  );
  return `<h2 id="${type}"><code>${type}</code></h2>${htmlOf(operation.description)}<p>Its fields are those of <a href="#${name}">${name}</a>.</p>${examples.join('')}`;
}

const componentHtml = (contract: Contract, name: string, component: Schema): string =>
  `<h2 id="${name}">${name}</h2>${fieldsOf(contract, component, { path: [name] })}`;

const intro = (contract: Contract): string =>
  contract.tags.find(({ name }) => name === 'Events')?.description ?? '';

/** Returns the page about the requests that receivers get. */
export function eventsPage(contract: Contract): Page {
  const types = Object.entries(contract.webhooks);
  const [, { post: first }] = types[0] as [string, { post: Operation }];
  const components = [
    ...new Map(types.map(([, { post }]) => [nameOf(componentIn(post)) as string, componentIn(post)])),
  ];
  const answers = Object.entries(first.responses);
  const parameters = first.parameters ?? [];
  const html = `<h1>Events</h1><p>${inline(intro(contract))} See the guide to <a href="webhooks.html">webhooks</a>.</p>
<h2 id="headers">Headers</h2>${parameterRows(contract, parameters)}
<h2 id="answers">How your receiver responds</h2><div class="table" tabindex="0"><table><thead><tr><th>Status</th><th>Effect</th></tr></thead><tbody>${answers
    .map(
      ([status, { description }]) =>
        `<tr><td><code>${status}</code></td><td>${inline(description)}</td></tr>`,
    )
    .join('')}</tbody></table></div>
${types.map(([type, { post }]) => typeHtml(type, post)).join('\n')}
${components.map(([name, component]) => componentHtml(contract, name, component)).join('\n')}`;
  const markdown = [
    '# Events',
    intro(contract),
    '## Headers',
    parameters.map(({ name, description }) => `- \`${name}\`: ${description}`).join('\n'),
    '## How your receiver responds',
    answers.map(([status, { description }]) => `- ${status}: ${description}`).join('\n'),
    ...types.flatMap(([type, { post }]) => [
      `## ${type}`,
      post.description,
      ...examplesOf(post)
        .slice(0, 1)
        .map(({ value }) => fencedJson(value)),
    ]),
    ...components.flatMap(([name, component]) => [
      `## ${name}`,
      fieldLines(contract, component, false).join('\n'),
    ]),
  ];
  return {
    name: 'events.html',
    title: 'Events',
    description: intro(contract),
    html,
    markdown: `${markdown.join('\n\n')}\n`,
  };
}
