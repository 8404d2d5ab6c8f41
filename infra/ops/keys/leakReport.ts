import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import * as z from 'zod';
import { mayBeKey, withoutKeys } from '../../../lib/keys/format.ts';
import { OpsError } from '../../terminal/opsError.ts';

// A report of GitHub's secret scanning partner programme: the body of a POST, signed with ECDSA over P-256 and SHA-256.
// https://docs.github.com/en/code-security/secret-scanning/secret-scanning-partnership-program/secret-scanning-partner-program

/** Where GitHub publishes the keys that its signatures are verified with. */
export const gitHubKeysUrl = 'https://api.github.com/meta/public_keys/secret_scanning';

/** More than any report has. */
const bytesMax = 10_000_000;

const urlMax = 2048;

const report = z.array(z.unknown());

/** An entry of a report. Whatever is odd beside the token keeps no key alive. */
const entry = z.object({
  token: z.string().min(1),
  type: z.string().catch(''),
  /** Where it was found; left out when it was found in a place that has no address. */
  url: z.string().nullable().catch(null),
});

/** A text that GitHub takes for a key of ours. */
export type Found = z.output<typeof entry>;

/** An entry, without keys in its URL; undefined when it has no text as its token. */
function entryOf(value: unknown): Found | undefined {
  const { data } = entry.safeParse(value);
  if (!data?.url) return data;
  return { ...data, url: withoutKey(data.url, data.token.trim()).slice(0, urlMax).toWellFormed() };
}

/** A text without keys in the present format, and without a key in the older one. */
function withoutKey(text: string, key: string): string {
  const without = withoutKeys(text);
  if (!mayBeKey(key)) return without;
  return without.replaceAll(key, '…').replaceAll(encodeURIComponent(key.toWellFormed()), '…');
}

const publicKeys = z.object({
  public_keys: z.array(z.object({ key_identifier: z.string(), key: z.string() })),
});

/** The headers Github-Public-Key-Identifier and Github-Public-Key-Signature of the POST. */
export interface Signature {
  keyIdentifier: string;
  /** Base64. */
  signature: string;
}

/**
 * The entries of a report, each judged alone: undefined when it has no text as its token.
 * @param body the bytes of the POST, unchanged
 * @throws OpsError when GitHub has not signed them, or they are not a report
 */
export async function readReport(
  body: Buffer,
  signed: Signature,
  keysUrl: string,
): Promise<(Found | undefined)[]> {
  if (body.length > bytesMax) throw new OpsError(`A report has at most ${bytesMax} bytes.`);
  const pem = await publicKey(signed.keyIdentifier, keysUrl);
  if (!isSignedBy(pem, body, signed.signature))
    throw new OpsError(
      'The signature does not fit the report. The file must have exactly the bytes of the body that GitHub sent. Nothing was revoked.',
    );
  try {
    return report.parse(JSON.parse(body.toString())).map(entryOf);
  } catch {
    throw new OpsError('The report is not a list. Nothing was revoked.');
  }
}

function isSignedBy(pem: string, body: Buffer, signature: string): boolean {
  const key = keyIn(pem);
  if (key?.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new OpsError('The public key is not one for ECDSA over P-256.');
  return verify('sha256', body, key, Buffer.from(signature, 'base64'));
}

function keyIn(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}

async function publicKey(identifier: string, keysUrl: string): Promise<string> {
  const keys = await fetch(keysUrl, { signal: AbortSignal.timeout(10_000) })
    .then(async (answer) => publicKeys.parse(await answer.json()).public_keys)
    .catch((error) => {
      throw new OpsError(`The public keys of ${keysUrl} could not be read: ${(error as Error).message}`);
    });
  const found = keys.find(({ key_identifier }) => key_identifier === identifier);
  if (!found)
    throw new OpsError(
      `${keysUrl} has no key with this identifier. It must be the header Github-Public-Key-Identifier of the report.`,
    );
  return found.key;
}
