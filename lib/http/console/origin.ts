import type { Origin } from '../../console/sessions/start.ts';
import type { ApiEvent } from '../event.ts';
import { headerValues } from '../headers.ts';

const userAgentMax = 200;

/** Where a request came from, for the record of a change. All of it is as the client says, so it is reduced to harmless characters. */
export function originOf(event: ApiEvent): Origin {
  const { requestId = '' } = event.requestContext;
  const [userAgent = ''] = headerValues(event.multiValueHeaders, 'User-Agent');
  return {
    ip: addressOf(event),
    userAgent: printable(userAgent.slice(0, userAgentMax)).trim() || undefined,
    requestId: printable(requestId.slice(0, 128)).trim() || undefined,
  };
}

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

/**
 * CloudFront adds the address of its client to X-Forwarded-For, and API Gateway adds that of CloudFront: so it is the last but one.
 * With fewer entries, the request came directly.
 */
function addressOf({ multiValueHeaders, requestContext }: ApiEvent): string | undefined {
  const entries = headerValues(multiValueHeaders, 'X-Forwarded-For').flatMap((header) => header.split(','));
  const forwarded = entries.at(-2)?.trim() ?? '';
  return [forwarded, requestContext.identity?.sourceIp].find((text) => text && addressShape.test(text));
}

/** IPv4 or IPv6, not checked further. */
const addressShape = /^[0-9A-Fa-f:.]{2,45}$/;
