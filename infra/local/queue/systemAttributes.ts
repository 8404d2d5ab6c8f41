import type { IncomingHttpHeaders } from 'node:http';
import type { Message } from '@aws-sdk/client-sqs';
import { traceAttribute, traceHeader } from '../lambda/traceHeaders.ts';

// SQS sets two system attributes of a message: the trace header of the request that sent it, and its message group. The
// embedded SQS does not support them for standard queues, so they are stored as message attributes.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html

export const groupAttribute = 'MessageGroupId';

interface SentMessage {
  MessageAttributes?: object;
  MessageGroupId?: string;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Stores the trace header and the message group of each message that a request sends. */
export function keepSystemAttributes(request: { body: unknown; headers: IncomingHttpHeaders }): void {
  const { body, headers } = request;
  const action = headers['x-amz-target'];
  if (!isObject(body)) return;
  const { Entries } = body as { Entries?: unknown };
  const batch = action === 'AmazonSQS.SendMessageBatch' && Array.isArray(Entries) ? Entries : [];
  const sent = action === 'AmazonSQS.SendMessage' ? [body] : batch.filter(isObject);
  for (const message of sent as SentMessage[])
    message.MessageAttributes = {
      ...message.MessageAttributes,
      ...attribute(traceAttribute, headers[traceHeader]),
      ...attribute(groupAttribute, message.MessageGroupId),
    };
}

const attribute = (name: string, StringValue: unknown): object =>
  StringValue === undefined ? {} : { [name]: { DataType: 'String', StringValue } };

/** @returns the system attributes of a received message */
export const keptSystemAttributes = ({ MessageAttributes = {} }: Message): Record<string, string> =>
  Object.fromEntries(
    [traceAttribute, groupAttribute].flatMap((name) => {
      const value = MessageAttributes[name]?.StringValue;
      return value === undefined ? [] : [[name, value]];
    }),
  );
