import { InvalidArgumentError } from 'commander';
import { changeQuery } from '../../../lib/contract/changes.ts';
import { hostOf, isLoopbackHost, receiverUrl } from '../../../lib/values/receiverUrl.ts';
import { newSecret } from '../../../lib/webhooks/sending/sendSigned.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { parseAddress } from '../values.ts';

/** The address of an API that gets a key: over TLS, or on this machine. It has no slash at its end. */
export function parseApi(value: string): string {
  const url = new URL(parseAddress(value));
  if (url.protocol !== 'https:' && !isLoopbackHost(hostOf(url)))
    throw new InvalidArgumentError('A key is sent over https only, or over http to localhost and 127.0.0.1.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** The URL of a receiver on this machine. */
export function parseReceiver(value: string): string {
  const { data } = receiverUrl().safeParse(value);
  if (data === undefined || !isLoopbackHost(hostOf(new URL(data))))
    throw new InvalidArgumentError(
      'Events are forwarded to this machine only: to localhost or 127.0.0.1, as in http://127.0.0.1:4000.',
    );
  return data;
}

export function parseTypes(value: string): string {
  const { data, error } = changeQuery().shape.types.safeParse(value);
  if (data === undefined) throw new InvalidArgumentError(`They ${error?.issues[0]?.message}.`);
  return data.join();
}

export function parseNumber(value: string): number {
  const { data, error } = changeQuery().shape.after.safeParse(value);
  if (data === undefined) throw new InvalidArgumentError(`It ${error?.issues[0]?.message}.`);
  return data;
}

/** The key of the API. Command lines are in the history of the shell and can be read by others, so none holds it. @throws OpsError */
export function keyOf({ KEY }: NodeJS.ProcessEnv): string {
  // The value of a header.
  if (!/^[\x21-\x7e]{1,500}$/.test(KEY ?? ''))
    throw new OpsError(
      'The environment variable KEY must hold a key of the API: KEY=pak_… npm run ops -- listen …',
    );
  return KEY as string;
}

/** The secret that signs: a new one, unless the environment variable SECRET has one. @throws OpsError */
export function secretOf({ SECRET }: NodeJS.ProcessEnv): string {
  if (SECRET === undefined) return newSecret();
  if (!/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(SECRET))
    throw new OpsError(
      'The environment variable SECRET must be whsec_ and 24 to 64 bytes in base64, as this command prints it when SECRET is not set.',
    );
  return SECRET;
}
