import type { ApiEvent, Middleware } from '../event.ts';
import { headerValues } from '../headers.ts';

/** The prefix makes browsers refuse the cookie unless it is Secure, has the path / and no domain. */
const name = '__Host-console';

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** The distinct values of the session's cookie in a request. Two mean that somebody has set another one. */
export function sessionCookies({ multiValueHeaders }: Pick<ApiEvent, 'multiValueHeaders'>): string[] {
  const pairs = headerValues(multiValueHeaders, 'Cookie').flatMap((header) => header.split(';'));
  const values = pairs
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return [...new Set(values)];
}

/** Sets the cookie to a text, or removes it. Without Max-Age it ends with the browser. */
const cookieOf = (text: string | null): string =>
  text === null ? `${name}=; ${attributes}; Max-Age=0` : `${name}=${text}; ${attributes}`;

/** Sends the cookie that the operation's function has set. */
export const setCookie = (): Middleware => ({
  after: function setCookieAfter({ event, response }) {
    if (event.newCookie === undefined || !response) return;
    response.multiValueHeaders = {
      ...response.multiValueHeaders,
      'Set-Cookie': [cookieOf(event.newCookie)],
    };
  },
});
