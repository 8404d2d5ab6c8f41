import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../../lib/dynamodb/client.ts';
import { env, required } from '../../../lib/env.ts';
import { hashOf } from '../../../lib/keys/format.ts';

/** The use of a secret as authorizers of older releases noted it. */
export async function givenOlderUse(text: string, time: string): Promise<void> {
  await dynamodb().send(
    new UpdateCommand({
      TableName: required(env.keysTable),
      Key: { pk: hashOf(text) },
      UpdateExpression: 'SET last_used_at = :time',
      ExpressionAttributeValues: { ':time': time },
    }),
  );
}
