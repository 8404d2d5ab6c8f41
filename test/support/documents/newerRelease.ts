import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { knownWords } from '../../../infra/pages/reference/openapi/jsonSchema.ts';
import { apiUrl } from '../http/api.ts';
import { document, resolved, type Schema } from './openapi.ts';

export const newWord = 'a_word_of_tomorrow';

/** A value of today with one more field in every object, and with a new word wherever the contract allows new ones. */
function grown(of: Schema, value: unknown): unknown {
  const schema = resolved(of);
  const [form] = schema.anyOf ?? [];
  if (form) return grown(form, value);
  if (typeof value === 'string' && knownWords in schema) return newWord;
  if (Array.isArray(value)) return value.map((one) => grown(schema.items ?? {}, one));
  const { properties } = schema;
  if (typeof value !== 'object' || value === null || !properties) return value;
  const fields = Object.entries(value).map(([name, one]) => [name, grown(properties[name] ?? {}, one)]);
  return { ...Object.fromEntries(fields), a_field_of_tomorrow: { and: ['more', null] } };
}

/** The schema of an operation's answer with a body. */
function schemaOf(method: string, path: string, status: number): Schema | undefined {
  const [, item] =
    Object.entries(document.paths).find(([template]) =>
      new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
    ) ?? [];
  const response = item?.[method.toLowerCase()]?.responses[status];
  return response && resolved(response).content?.['application/json'].schema;
}

/** Passes requests on to the API, and answers as a later release within v1 may. */
export async function startTomorrow(): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    const answer = await fetch(apiUrl + url, {
      method,
      headers: { 'X-Api-Key': `${headers['x-api-key']}`, 'Content-Type': 'application/json' },
      ...(body ? { body } : {}),
    });
    const schema = schemaOf(method, url.split('?')[0] as string, answer.status);
    const answerText = await answer.text();
    response
      .writeHead(answer.status, { 'Content-Type': 'application/json' })
      .end(schema ? JSON.stringify(grown(schema, JSON.parse(answerText))) : answerText);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address?.port;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
