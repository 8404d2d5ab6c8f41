import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/**
 * If `info` were set, the SDK would redact every returned item for a log line, which takes half of the CPU time of a list. `error` would
 * receive the whole input of a failed command, with personal data in it.
 */
const quiet = { trace() {}, debug() {}, warn: console.warn, error() {} } as unknown as NonNullable<
  DynamoDBClientConfig['logger']
>;

/**
 * Returns the configuration of every client of an AWS service. It sets everything that the SDK would otherwise look up on the first call of a
 * cold start, even in files.
 * @param endpoint of the service, unless it is AWS's own
 */
export function clientConfiguration(endpoint: string | undefined) {
  const { AWS_REGION: region } = process.env;
  return {
    ...(region ? { region } : {}),
    ...(endpoint ? { endpoint } : {}),
    ignoreConfiguredEndpointUrls: true,
    maxAttempts: 3,
    retryMode: 'standard',
    defaultsMode: 'standard',
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    authSchemePreference: ['sigv4'],
    userAgentAppId: '',
    disableClockSkewCorrection: false,
    // Three attempts of two seconds each fit into a request's deadline. Without throwOnRequestTimeout, the SDK only warns and keeps waiting.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true },
    logger: quiet,
  } satisfies Partial<DynamoDBClientConfig>;
}

const endpointOf = (service: string) => (): string | undefined =>
  process.env[`AWS_ENDPOINT_URL_${service}`] || process.env.AWS_ENDPOINT_URL || undefined;

/** The endpoints of the services unless they are AWS's own. Read from the environment, as the SDK would do. */
export const endpoints = {
  dynamodb: endpointOf('DYNAMODB'),
  sqs: endpointOf('SQS'),
  apiGateway: endpointOf('API_GATEWAY'),
};
