import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * Without an `info` the SDK does not walk every returned item to redact it for a line nobody writes: half of the
 * CPU time of a list. And `error` would get the whole input of a failed command, with the data of people in it.
 */
const quiet = { trace() {}, debug() {}, warn: console.warn, error() {} } as unknown as NonNullable<
  DynamoDBClientConfig['logger']
>;

/** Everything is said here that the SDK would otherwise go looking for, in files too, on the first call of a cold start. */
function configuration(): DynamoDBClientConfig {
  const { AWS_REGION: region, AWS_ENDPOINT_URL_DYNAMODB: endpoint } = process.env;
  return {
    ...(region ? { region } : {}),
    ...(endpoint ? { endpoint } : {}),
    ignoreConfiguredEndpointUrls: true,
    maxAttempts: 3,
    retryMode: 'standard',
    defaultsMode: 'standard',
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    accountIdEndpointMode: 'disabled',
    authSchemePreference: ['sigv4'],
    endpointDiscoveryEnabled: false,
    userAgentAppId: '',
    disableClockSkewCorrection: false,
    // Three attempts of two seconds each stay inside a request's deadline. Without throwOnRequestTimeout the
    // SDK only warns and goes on waiting.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true },
    logger: quiet,
  };
}

let client: DynamoDBDocumentClient | undefined;

/** The one DynamoDB client of this process, made on first use from the environment of that moment. */
export function dynamodb(): DynamoDBDocumentClient {
  client ??= DynamoDBDocumentClient.from(new DynamoDBClient(configuration()), {
    // An object may have a field of any name, and by one named `constructor` the SDK takes it for an instance of a class.
    marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true },
  });
  return client;
}
