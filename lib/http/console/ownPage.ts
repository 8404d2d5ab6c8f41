import { ApiError } from '../../errors/apiError.ts';
import type { Middleware } from '../event.ts';
import { headerValues } from '../headers.ts';

/**
 * Lets only the console's own page call. Browsers set the header on every request and let no page change it. SameSite alone would let
 * through what other subdomains of the product send.
 * https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Sec-Fetch-Site
 * @throws ApiError 403
 */
export const ownPage = (): Middleware => ({
  before: function ownPageBefore({ event }) {
    const [site, another] = headerValues(event.multiValueHeaders, 'Sec-Fetch-Site');
    if (site !== 'same-origin' || another !== undefined)
      throw new ApiError(
        403,
        "Only the console's own page may call this: the header Sec-Fetch-Site must be same-origin",
      );
  },
});
