import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientConfiguration, endpoints } from '../aws/configuration.ts';

const configuration = () => ({
  ...clientConfiguration(endpoints.dynamodb()),
  accountIdEndpointMode: 'disabled' as const,
  endpointDiscoveryEnabled: false,
  // The SDK's decoder first matches each text against a regular expression, which takes longer than decoding it. A filter reads hundreds of
  // texts.
  base64Decoder: (text: string) => Buffer.from(text, 'base64'),
});

let client: DynamoDBDocumentClient | undefined;

/** Returns the only DynamoDB client of this process. The first use creates it from the environment of that moment. */
export function dynamodb(): DynamoDBDocumentClient {
  client ??= DynamoDBDocumentClient.from(new DynamoDBClient(configuration()), {
    // The SDK treats an object with a field named `constructor` as an instance of a class, and a field may have any name.
    marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true },
  });
  return client;
}
