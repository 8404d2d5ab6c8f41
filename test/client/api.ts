import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './build/api.ts';

export type Api = Client<paths>;

/** What goes in or comes out, by the name that it has in the document. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** @param log called with the method, path and status of every answer */
export function connect(baseUrl: string, key: string, log: (line: string) => void): Api {
  const api = createClient<paths>({ baseUrl, headers: { 'X-Api-Key': key } });
  api.use({
    onResponse: ({ request, schemaPath, response }) =>
      log(`${request.method} ${schemaPath} ${response.status}`),
  });
  return api;
}

/** An answer that is an error. Its message says what is allowed. */
export class ApiError extends Error {
  constructor({ error, message }: Schema<'ErrorBody'>, { status }: Response) {
    super(`${status} ${error}: ${message}`);
  }
}

type Answer<Body> =
  | { data: Body; error?: never; response: Response }
  | { data?: never; error: Schema<'ErrorBody'>; response: Response };

/** The body of an answer. @throws {ApiError} */
export function bodyOf<Body>({ data, error, response }: Answer<Body>): Body {
  if (error) throw new ApiError(error, response);
  return data;
}
