import type { IncomingHttpHeaders } from 'node:http';
import type { Message } from '@aws-sdk/client-sqs';

/**
 * The message group, which SQS returns as a system attribute. The embedded SQS does not support it for standard queues, so it is stored
 * as a message attribute.
 */
export const groupAttribute = 'MessageGroupId';

interface SentMessage {
  MessageAttributes?: object;
  MessageGroupId?: string;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Stores the message group of each message that a request sends. */
export function keepMessageGroups(request: { body: unknown; headers: IncomingHttpHeaders }): void {
  const { body, headers } = request;
  const action = headers['x-amz-target'];
  if (!isObject(body)) return;
  const { Entries } = body as { Entries?: unknown };
  const batch = action === 'AmazonSQS.SendMessageBatch' && Array.isArray(Entries) ? Entries : [];
  const sent = action === 'AmazonSQS.SendMessage' ? [body] : batch.filter(isObject);
  for (const message of sent as SentMessage[])
    if (message.MessageGroupId !== undefined)
      message.MessageAttributes = {
        ...message.MessageAttributes,
        [groupAttribute]: { DataType: 'String', StringValue: message.MessageGroupId },
      };
}

/** @returns the system attributes of a received message */
export function keptMessageGroup({ MessageAttributes = {} }: Message): Record<string, string> {
  const group = MessageAttributes[groupAttribute]?.StringValue;
  return group === undefined ? {} : { [groupAttribute]: group };
}
