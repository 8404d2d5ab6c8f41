import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientConfiguration, endpoints } from '../aws/configuration.ts';

const configuration = () => ({
  ...clientConfiguration(endpoints.dynamodb()),
  accountIdEndpointMode: 'disabled' as const,
  endpointDiscoveryEnabled: false,
  // The SDK's own first compares each text with a regular expression, which takes longer than to decode it. A filter reads hundreds.
  base64Decoder: (text: string) => Buffer.from(text, 'base64'),
});

let client: DynamoDBDocumentClient | undefined;

/** The one DynamoDB client of this process, made on first use from the environment of that moment. */
export function dynamodb(): DynamoDBDocumentClient {
  client ??= DynamoDBDocumentClient.from(new DynamoDBClient(configuration()), {
    // The SDK takes an object with a field named `constructor` for an instance of a class, and a field may have any name.
    marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true },
  });
  return client;
}
