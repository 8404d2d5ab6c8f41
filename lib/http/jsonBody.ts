import httpJsonBodyParser from '@middy/http-json-body-parser';
import { badRequest } from '../errors.ts';
import type { ApiEvent, ApiRequest, Middleware } from './event.ts';
import { headerValues } from './headers.ts';
import { depthMax, structureOf } from './json.ts';

export const bodyBytesMax = 256 * 1024;

/** JSON, or a format made of JSON such as application/merge-patch+json, in UTF-8 (RFC 8259 § 8.1). */
const mediaType = /^application\/(?:[a-z0-9!#$&^_.-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

const mustBeObject = 'The body must be a JSON object';

const stock = httpJsonBodyParser({ disableContentTypeCheck: true });

/**
 * Replaces the body by the object it holds. middy's parser does the parsing; what it would answer with 415, 422 or not
 * at all ends as 400, with a sentence that says what is allowed.
 * @throws ApiError 400
 */
export const jsonBody = (): Middleware => ({
  before: async function jsonBodyBefore(request) {
    const { event } = request;
    assertMediaType(event);
    const text = textOf(event);
    const { depth, repeated } = structureOf(text);
    if (depth > depthMax) throw badRequest([`The body must not be nested deeper than ${depthMax} levels`]);
    await parse(request, text);
    if (repeated.length > 0)
      throw badRequest(
        [...new Set(repeated)].map(
          (name) => `The body has "${name.slice(0, 64)}" more than once in one object`,
        ),
      );
    if (typeof event.body !== 'object' || event.body === null || Array.isArray(event.body))
      throw badRequest([mustBeObject]);
  },
});

function assertMediaType({ multiValueHeaders }: ApiEvent): void {
  const types = headerValues(multiValueHeaders, 'Content-Type');
  if (types.length !== 1 || !mediaType.test(types[0] as string))
    throw badRequest(['The header Content-Type must be application/json']);
}

function textOf({ body, isBase64Encoded }: ApiEvent): string {
  const text = isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '');
  if (Buffer.byteLength(text) > bodyBytesMax)
    throw badRequest([`The body must be at most ${bodyBytesMax} bytes`]);
  if (text.trim() === '') throw badRequest([`${mustBeObject}, and it is empty`]);
  return text;
}

async function parse(request: ApiRequest, text: string): Promise<void> {
  request.event.body = text;
  request.event.isBase64Encoded = false;
  try {
    await stock.before?.(request as Parameters<NonNullable<typeof stock.before>>[0]);
  } catch (error) {
    throw badRequest([whyNot(error)], { cause: error });
  }
}

/** middy's parser also refuses the names that could reach an object's prototype. */
function whyNot(error: unknown): string {
  const { data, message } = ((error as Error).cause ?? {}) as { data?: string; message?: string };
  if (message === undefined) return `The body must not have a field named "${data}"`;
  const where = /line \d+ column \d+/.exec(message)?.[0];
  return `The body is not valid JSON${where ? ` (${where})` : ''}`;
}
