import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Session } from '../console/sessions.ts';
import type { Kept, Problem } from '../errors/problem.ts';
import type { Access } from '../keys/access.ts';

export interface Caller {
  account: string;
  keyId: string;
  access: Access;
}

export interface Input {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
}

export interface RequestHeaders {
  ifMatch?: EntityTags;
  ifNoneMatch?: EntityTags;
  /** The SHA-256 of the Idempotency-Key. */
  idempotencyKey?: string;
}

/** The event of API Gateway, with a field for the result of each middleware. */
export type ApiEvent = APIGatewayProxyEvent & {
  caller?: Caller;
  session?: Session;
  /** The session cookie to set in the response; `null` removes the cookie. */
  newCookie?: string | null;
  /** The problems found in the request so far. */
  problems?: Problem[];
  kept?: Kept | undefined;
  requestHeaders?: RequestHeaders;
  input?: Input;
};

/** One of our middlewares. Its hooks have names, because stack traces and profilers show them. */
export type Middleware = middy.MiddlewareObj<ApiEvent, APIGatewayProxyResult>;
export type ApiRequest = middy.Request<ApiEvent, APIGatewayProxyResult>;

type MultiValueHeaders = Record<string, string[] | undefined> | null | undefined;

/** Returns the distinct values of a header. The case of its name does not matter, because API Gateway passes names on as the client sent them. */
export function headerValues(headers: MultiValueHeaders, name: string): string[] {
  const wanted = name.toLowerCase();
  const values = new Set<string>();
  for (const [key, given] of Object.entries(headers ?? {}))
    if (key.length === wanted.length && key.toLowerCase() === wanted)
      for (const value of given ?? []) values.add(value);
  return [...values];
}

/** Returns the API keys of a request. With more than one, the account of the request would be unclear. */
export const apiKeysOf = (headers: MultiValueHeaders): string[] => headerValues(headers, 'X-Api-Key');

/** The content of If-Match and If-None-Match (RFC 9110 § 8.8.3 and § 13.1): `*` for any tag, or a list of tags. */
export type EntityTags = '*' | readonly { weak: boolean; opaque: string }[];

/**
 * Matches one element of a list, which may be empty (RFC 9110 § 5.6.1.2). White space is matched in one place only: with two adjacent places,
 * the time would grow with its square.
 */
const element = /\s*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*)?(?:,|$)/y;

/** @returns undefined if the text is neither `*` nor a list of entity tags */
export function parseEntityTags(text: string): EntityTags | undefined {
  if (text.trim() === '*') return '*';
  const tags: { weak: boolean; opaque: string }[] = [];
  for (element.lastIndex = 0; element.lastIndex < text.length; ) {
    const found = element.exec(text);
    if (!found) return undefined;
    const [, weak, opaque] = found;
    if (opaque !== undefined) tags.push({ weak: weak !== undefined, opaque });
  }
  return tags.length > 0 ? tags : undefined;
}

/** Returns the entity tag of a record's version. It is strong (RFC 9110 § 8.8.1), because a version never names two different states. */
export const entityTag = (version: number): string => `"${version}"`;

/** Returns whether the tags match the version. If-Match needs the strong comparison, where a weak tag never matches. */
export const isTagMatch = (tags: EntityTags, version: number, comparison: 'strong' | 'weak'): boolean =>
  tags === '*' ||
  tags.some(({ weak, opaque }) => opaque === String(version) && (comparison === 'weak' || !weak));
