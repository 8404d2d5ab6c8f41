import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientConfiguration, endpoints } from '../aws.ts';

const configuration = () => ({
  ...clientConfiguration(endpoints.dynamodb()),
  accountIdEndpointMode: 'disabled' as const,
  endpointDiscoveryEnabled: false,
});

let client: DynamoDBDocumentClient | undefined;

/** The one DynamoDB client of this process, made on first use from the environment of that moment. */
export function dynamodb(): DynamoDBDocumentClient {
  client ??= DynamoDBDocumentClient.from(new DynamoDBClient(configuration()), {
    // An object may have a field of any name, and by one named `constructor` the SDK takes it for an instance of a class.
    marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true },
  });
  return client;
}
