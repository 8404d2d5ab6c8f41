import { Duration } from 'aws-cdk-lib';
import {
  type HeadersFrameOption,
  type HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  type ResponseSecurityHeadersBehavior,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';

/**
 * How CloudFront sets the headers that it knows. It refuses them among custom headers.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/understanding-response-headers-policies.html
 */
const known: Record<string, (value: string) => ResponseSecurityHeadersBehavior> = {
  'Content-Security-Policy': (contentSecurityPolicy) => ({
    contentSecurityPolicy: { contentSecurityPolicy, override: true },
  }),
  'X-Content-Type-Options': () => ({ contentTypeOptions: { override: true } }),
  'Strict-Transport-Security': (value) => ({
    strictTransportSecurity: {
      accessControlMaxAge: Duration.seconds(Number(/max-age=(\d+)/.exec(value)?.[1])),
      includeSubdomains: value.includes('includeSubDomains'),
      override: true,
    },
  }),
  'Referrer-Policy': (value) => ({
    referrerPolicy: { referrerPolicy: value as HeadersReferrerPolicy, override: true },
  }),
  'X-Frame-Options': (value) => ({
    frameOptions: { frameOption: value as HeadersFrameOption, override: true },
  }),
};

/** Sets these headers on every response, and replaces those of the origin. */
export function headersPolicy(scope: Construct, headers: Record<string, string>): ResponseHeadersPolicy {
  const entries = Object.entries(headers);
  return new ResponseHeadersPolicy(scope, 'Headers', {
    securityHeadersBehavior: Object.assign({}, ...entries.map(([name, value]) => known[name]?.(value))),
    customHeadersBehavior: {
      customHeaders: entries
        .filter(([name]) => !(name in known))
        .map(([header, value]) => ({ header, value, override: true })),
    },
  });
}
