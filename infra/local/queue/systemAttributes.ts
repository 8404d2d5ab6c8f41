import type { IncomingHttpHeaders } from 'node:http';
import type { Message } from '@aws-sdk/client-sqs';
import { traceAttribute, traceHeader } from '../lambda/traceHeaders.ts';

// SQS gives each message system attributes: the trace header of the request that sent it, and its group. The embedded SQS knows
// neither of a standard queue, but keeps the attributes that senders give: there they are until the message is received.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html

export const groupAttribute = 'MessageGroupId';

interface SentMessage {
  MessageAttributes?: object;
  MessageGroupId?: string;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Lets the messages that a request sends have its trace header, and each its group. */
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

/** @returns the attributes as SQS has them */
export const keptSystemAttributes = ({ MessageAttributes = {} }: Message): Record<string, string> =>
  Object.fromEntries(
    [traceAttribute, groupAttribute].flatMap((name) => {
      const value = MessageAttributes[name]?.StringValue;
      return value === undefined ? [] : [[name, value]];
    }),
  );
