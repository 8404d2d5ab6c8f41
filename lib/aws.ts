import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/**
 * Without an `info` the SDK does not walk every returned item to redact it for a line nobody writes: half of the
 * CPU time of a list. And `error` would get the whole input of a failed command, with the data of people in it.
 */
const quiet = { trace() {}, debug() {}, warn: console.warn, error() {} } as unknown as NonNullable<
  DynamoDBClientConfig['logger']
>;

/**
 * How every client of an AWS service is made. Everything is said here that the SDK would otherwise go looking for, in
 * files too, on the first call of a cold start.
 * @param endpoint where the service is, when it is not where it is on AWS
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
    // Three attempts of two seconds each stay inside a request's deadline. Without throwOnRequestTimeout the
    // SDK only warns and goes on waiting.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true },
    logger: quiet,
  } satisfies Partial<DynamoDBClientConfig>;
}

/** Where the services are that the local stack embeds. */
export const endpoints = {
  dynamodb: () => process.env.AWS_ENDPOINT_URL_DYNAMODB,
  sqs: () => process.env.AWS_ENDPOINT_URL_SQS,
};
