import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { pageFiles } from '../../../../infra/pages/referenceFiles.ts';
import { resourceTypes } from '../../../../lib/resources/index.ts';
import { document, type Response, resolved } from '../../../support/documents/openapi.ts';

// The files of the reference, as any server of static files gives them.

const server = { url: 'https://api.example.com/v1', description: 'This API.' };
const files = pageFiles(server);
const contentOf = (name: string): string => files.find((one) => one.name === name)?.content as string;
const pages = files.filter(({ name }) => name.endsWith('.html'));
const markdown = files.filter(({ name }) => name.endsWith('.md'));

/** The text of a page as a person reads it without scripts. */
const textOf = (html: string): string =>
  html
    .slice(html.indexOf('<main'))
    .replace(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const idsIn = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string);

test('openapi.json has at most 150 KB and 50 KB for each resource, and no JSON that is served has white space for people', () => {
  expect(Buffer.byteLength(contentOf('openapi.json'))).toBeLessThanOrEqual(
    150_000 + 50_000 * resourceTypes.length,
  );
  for (const { name, content } of files)
    if (name.endsWith('.json')) expect(content === JSON.stringify(JSON.parse(content)), name).toBe(true);
});

test('the contract is that of the tree, at the address of the API', () => {
  const { servers, ...rest } = JSON.parse(contentOf('openapi.json'));
  expect(servers).toEqual([server]);
  expect({ ...document, servers: [] }).toEqual({ ...rest, servers: [] });
});

describe('links', () => {
  test('between pages lead to a page and a place of it, and each place has a name of its own', () => {
    const broken = pages.flatMap(({ name, content }) =>
      [...content.matchAll(/(?:href|src|data-search)="([^"]+)"/g)]
        .map(([, link]) => link as string)
        .filter((link) => !/^https?:/.test(link))
        .filter((link) => {
          const [file = '', id] = link.split('#');
          const target = file === '' ? content : contentOf(file);
          return target === undefined || (id !== undefined && !idsIn(target).includes(id));
        })
        .map((link) => `${name}: ${link}`),
    );
    expect(broken).toEqual([]);
    for (const { name, content } of pages) {
      const ids = idsIn(content);
      expect(
        ids.filter((id, n) => ids.indexOf(id) !== n),
        name,
      ).toEqual([]);
    }
  });

  test('between Markdown files lead to Markdown, and to files that there are', () => {
    const names = new Set(files.map(({ name }) => name));
    const links = [...markdown, ...files.filter(({ name }) => name === 'llms.txt')].flatMap(({ content }) =>
      [...content.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string),
    );
    const own = links.filter((link) => !/^https?:/.test(link)).map((link) => link.split('#')[0] as string);
    expect(own.length).toBeGreaterThan(50);
    expect(own.filter((link) => !names.has(link) || link.endsWith('.html'))).toEqual([]);
  });
});

/** What the program of a request has in each language. */
const programs = ['curl ', 'urllib.request', 'await fetch', 'package main', '<?php'];

describe('a page without scripts', () => {
  test.each(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, operation]) => [operation.operationId, path, method, operation] as const,
      ),
    ),
  )('%s says all that the contract says', (id, path, method, operation) => {
    const text = textOf(contentOf(`${id}.html`));
    const { summary, description, parameters = [], requestBody, responses } = operation;
    const told = [
      path,
      method.toUpperCase(),
      summary,
      ...parameters.flatMap((one) => [resolved(one).name, resolved(one).description as string]),
      ...Object.entries(responses).flatMap(([status, one]) => [
        status,
        resolved(one).description,
        ...Object.keys(resolved(one).headers ?? {}).slice(0, 1),
      ]),
      // The guide to errors has their fields.
      ...[requestBody, responses[200] ?? responses[201] ?? responses[202]].flatMap((one) => {
        const { content } = one ? resolved(one as Response) : {};
        const schema = content && resolved(content['application/json'].schema);
        return Object.entries(schema?.properties ?? {}).flatMap(([name, field]) => {
          // What has no fields of its own is described where it is used.
          const forms = [field, ...(field.anyOf ?? [])]
            .filter(({ $ref }) => $ref)
            .map((form) => resolved(form));
          const whole = forms.filter(({ properties, enum: words }) => !properties && !words);
          return [name, ...[field, ...whole].flatMap(({ description = [] }) => description)];
        });
      }),
      ...description.split('\n\n'),
      ...programs,
    ];
    expect(told.filter((one) => !text.includes(one.replaceAll('`', ''))).slice(0, 3)).toEqual([]);
  });

  test('every type of event has its description and an example of each payload', () => {
    const text = textOf(contentOf('events.html'));
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      expect(text).toContain(post.description.replaceAll('`', ''));
      const examples = Object.values(post.requestBody?.content['application/json'].examples ?? {});
      for (const { value } of examples) expect(text, type).toContain(JSON.stringify(value, null, 2));
    }
  });
});

test('a browser loads 60 KB at most to show any page, and keeps what has a hash in its name', () => {
  const kept = files.filter(({ immutable }) => immutable);
  for (const { name } of kept) expect(name).toMatch(/^\w+\.[0-9a-f]{8}\.(js|css|json|svg)$/);
  const size = (content: string) => gzipSync(content).length;
  for (const { content } of pages) {
    const loaded = kept.filter(({ name }) => content.includes(`"${name}"`) && !name.startsWith('search'));
    const bytes = [content, ...loaded.map((one) => one.content)].map(size);
    expect(bytes.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(60_000);
  }
});

test('the first guide begins with the address of the API', () => {
  for (const name of ['getting-started.html.md', 'llms-full.txt'])
    expect(contentOf(name)).toContain(`\nexport URL=${server.url}\n`);
  expect(textOf(contentOf('getting-started.html'))).toContain(`export URL=${server.url}\n`);
});
