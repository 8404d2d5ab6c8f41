import { type Constant, constant } from '../../errors/constant.ts';

/**
 * The problem of the media type of a body; undefined for JSON, or a format based on JSON such as application/merge-patch+json, in
 * UTF-8 (RFC 8259 § 8.1). Unknown parameters are ignored.
 */
export function mediaTypeProblem(contentTypes: readonly string[]): Constant | undefined {
  const [type = '', ...parameters] = (contentTypes[0] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  if (contentTypes.length !== 1 || !/^application\/(?:[a-z0-9!#$&^_.-]+\+)?json$/.test(type))
    return constant`The header Content-Type must be application/json, or another type that ends in +json`;
  const [, charset] =
    parameters
      .map((text) => text.split('=').map((part) => part.trim()))
      .find(([name]) => name === 'charset') ?? [];
  // ASCII is the same bytes in UTF-8.
  if (charset !== undefined && !/^["']?(?:utf-?8|us-ascii|ascii)["']?$/.test(charset))
    return constant`The header Content-Type must not name a charset other than utf-8`;
  return undefined;
}

/** The problem of the content coding of a body; undefined when it has none. */
export const contentCodingProblem = (codings: readonly string[]): Constant | undefined =>
  codings.every((coding) => coding.trim().toLowerCase() === 'identity')
    ? undefined
    : constant`The header Content-Encoding must not name a coding: bodies are not decompressed here`;
