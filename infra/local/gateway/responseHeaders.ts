import { StartError } from '../process/startError.ts';
import { assertKnownProperties } from '../template/assertKnownProperties.ts';
import type { JsonObject } from '../template/intrinsics.ts';
import type { Template } from '../template/template.ts';

/** How each part of a policy is sent as a header. https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-cloudfront-responseheaderspolicy-securityheadersconfig.html */
const securityHeaders: Record<string, [name: string, value: (part: JsonObject) => string]> = {
  ContentSecurityPolicy: ['Content-Security-Policy', (part) => String(part.ContentSecurityPolicy)],
  ContentTypeOptions: ['X-Content-Type-Options', () => 'nosniff'],
  FrameOptions: ['X-Frame-Options', ({ FrameOption }) => String(FrameOption)],
  ReferrerPolicy: ['Referrer-Policy', (part) => String(part.ReferrerPolicy)],
  StrictTransportSecurity: [
    'Strict-Transport-Security',
    ({ AccessControlMaxAgeSec, IncludeSubdomains }) =>
      `max-age=${AccessControlMaxAgeSec}${IncludeSubdomains ? '; includeSubDomains' : ''}`,
  ],
};

/**
 * The headers that CloudFront sets on every answer under /console/.
 * @throws StartError when there is not one policy, or it has what the local stack does not know
 */
export function responseHeadersOf(template: Template): Record<string, string> {
  const [policy, ...others] = template.resources('AWS::CloudFront::ResponseHeadersPolicy');
  if (!policy || others.length > 0)
    throw new StartError('The template must have one response headers policy');
  const config = policy.properties.ResponseHeadersPolicyConfig as JsonObject;
  assertKnownProperties(policy.id, config, ['CustomHeadersConfig', 'Name', 'SecurityHeadersConfig']);
  const security = config.SecurityHeadersConfig as Record<string, JsonObject>;
  assertKnownProperties(policy.id, security, Object.keys(securityHeaders));
  const { Items } = config.CustomHeadersConfig as { Items: JsonObject[] };
  const known = Object.entries(security).map(([part, values]) => {
    const [name, headerOf] = securityHeaders[part] as (typeof securityHeaders)[string];
    return [name, headerOf(values)];
  });
  return Object.fromEntries([...known, ...Items.map(({ Header, Value }) => [Header, Value])]);
}
