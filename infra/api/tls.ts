import { EndpointAccessMode, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import type { StageSettings } from '../stages.ts';

/** Forward secrecy in every cipher, and TLS 1.3 for those who speak it. */
const policies = {
  '1.2': SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  '1.3': SecurityPolicy.TLS13_1_3_2025_09,
};

/**
 * How clients may connect: to the API and to its domain alike, as API Gateway goes by the policy of the API also when the
 * request came by the domain. An API that says nothing speaks TLS 1.0.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-custom-domain-tls-version.html
 */
export const tlsOf = ({ minimumTls, tlsHostCheck }: StageSettings) => ({
  securityPolicy: policies[minimumTls],
  endpointAccessMode: tlsHostCheck ? EndpointAccessMode.STRICT : EndpointAccessMode.BASIC,
});
