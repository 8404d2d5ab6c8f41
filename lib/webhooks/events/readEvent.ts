import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../../dynamodb/client.ts';
import { env, required } from '../../env.ts';
import { eventKey } from '../keys.ts';
import type { StoredEvent } from './storedEvent.ts';

/** The item of an event, which may be the mark of an erasure; undefined when it is not kept any more. */
export async function readEvent(account: string, id: string): Promise<Partial<StoredEvent> | undefined> {
  const { Item } = await dynamodb().send(
    new GetCommand({
      TableName: required(env.webhooksTable),
      Key: eventKey(account, id),
      ConsistentRead: true,
    }),
  );
  return Item as Partial<StoredEvent> | undefined;
}
