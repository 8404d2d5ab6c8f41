import { EndpointAccessMode, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import type { StageSettings } from '../stages/stages.ts';

/** The policies of API Gateway. All ciphers have forward secrecy, and both allow TLS 1.3. */
const policies = {
  '1.2': SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  '1.3': SecurityPolicy.TLS13_1_3_2025_09,
};

/**
 * The TLS settings of the API and of its domain. Both need them, because API Gateway also applies the API's policy to requests through the
 * domain. Without a policy, an API accepts TLS 1.0.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-custom-domain-tls-version.html
 */
export const tlsOf = ({ minimumTls, tlsHostCheck }: StageSettings) => ({
  securityPolicy: policies[minimumTls],
  endpointAccessMode: tlsHostCheck ? EndpointAccessMode.STRICT : EndpointAccessMode.BASIC,
});
