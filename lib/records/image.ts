import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';

type Image = NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];

/** An item as a stream record has it. */
export const imageOf = (image: Image): Record<string, unknown> | undefined =>
  image && unmarshall(image as Record<string, AttributeValue>);
