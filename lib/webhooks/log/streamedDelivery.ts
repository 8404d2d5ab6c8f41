import type { DynamoDBRecord } from 'aws-lambda';
import { partitionNumber } from '../../records/position.ts';
import { isAccount } from '../../values/account.ts';
import { isSubscriptionId } from '../model/readSubscriptions.ts';

/** A delivery that was written, as the stream of the Webhooks table names it: that stream has keys only. */
export interface StreamedDelivery {
  account: string;
  subscription: string;
  position: number;
  /** Names the change to the stream. */
  sequenceNumber: string;
}

/** The delivery that a stream record names; undefined for any other item, and for a deletion, which makes no list longer or shorter. */
export function streamedDelivery({ eventName, dynamodb }: DynamoDBRecord): StreamedDelivery | undefined {
  if (eventName === 'REMOVE') return undefined;
  const { pk, sk } = dynamodb?.Keys ?? {};
  const [account, subscription = '', partition, more] = String(pk?.S).split('#');
  const position = /^\d{12}$/.test(String(sk?.S)) ? Number(sk?.S) : undefined;
  if (!isAccount(account) || !isSubscriptionId(subscription) || position === undefined) return undefined;
  if (partition !== String(partitionNumber(position)) || more !== undefined) return undefined;
  return { account, subscription, position, sequenceNumber: dynamodb?.SequenceNumber as string };
}
