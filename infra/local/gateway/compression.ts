import { promisify } from 'node:util';
import { deflate, gzip } from 'node:zlib';
import type { Answer } from './gatewayAnswer.ts';

// Compresses responses as API Gateway does. Request bodies are left as they are, because a function refuses a body that names a
// coding, decompressed or not.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-gzip-compression-decompression.html

/**
 * The largest body. API Gateway accepts 10 MB, but the event of a Lambda may have 6 MB, of which 64 KB are for the rest of the event.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const bodyBytesMax = 6 * 1024 * 1024 - 64 * 1024;

export class TooLarge extends Error {}

const compress = { gzip: promisify(gzip), deflate: promisify(deflate) };

type Coding = keyof typeof compress;

const isCoding = (name: string): name is Coding => Object.hasOwn(compress, name);

/**
 * Compresses the response of a function if the client accepts that. It sets no Vary, because responses are `no-store`.
 * @param threshold the size in bytes from which responses are compressed; undefined for no compression
 */
export async function compressed(
  answer: Answer,
  requestHeaders: Readonly<Record<string, readonly string[]>>,
  threshold: number | undefined,
): Promise<Answer> {
  const body = Buffer.from(answer.body);
  if (threshold === undefined || body.length < threshold) return answer;
  const isEncoded = valuesOf(answer.headers, 'content-encoding').length > 0;
  const coding = isEncoded ? undefined : preferred(valuesOf(requestHeaders, 'accept-encoding'));
  if (!coding) return answer;
  const headers = { ...answer.headers, 'Content-Encoding': coding };
  return { ...answer, headers, body: await compress[coding](body) };
}

const valuesOf = (headers: Readonly<Record<string, string | readonly string[]>>, wanted: string): string[] =>
  Object.entries(headers).flatMap(([name, value]) => (name.toLowerCase() === wanted ? value : []));

/** Returns the first coding that API Gateway knows. Browsers and HTTP clients send no weights, so none are compared. */
const preferred = (accepted: readonly string[]): Coding | undefined =>
  accepted
    .join()
    .split(',')
    .map((wish) => wish.trim().toLowerCase())
    .find(isCoding);
