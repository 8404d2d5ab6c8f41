import type { IncomingHttpHeaders } from 'node:http';
import type { Message } from '@aws-sdk/client-sqs';
import { traceAttribute, traceHeader } from './traceHeaders.ts';

// SQS gives each message the trace header of the request that sent it, as the system attribute AWSTraceHeader. The embedded
// SQS does not know that attribute, but keeps the ones that senders give: there it is until the message is received.
// https://docs.aws.amazon.com/xray/latest/devguide/xray-services-sqs.html

interface Sent {
  MessageAttributes?: object;
}

/** Lets the messages that a request sends have its trace header. */
export function keepTrace({ body, headers }: { body: unknown; headers: IncomingHttpHeaders }): void {
  const StringValue = headers[traceHeader];
  const action = headers['x-amz-target'];
  if (StringValue === undefined || typeof body !== 'object' || body === null) return;
  const { Entries } = body as { Entries?: unknown };
  const sent =
    action === 'AmazonSQS.SendMessage' ? [body] : action === 'AmazonSQS.SendMessageBatch' ? Entries : [];
  for (const message of sent as Sent[])
    message.MessageAttributes = {
      ...message.MessageAttributes,
      [traceAttribute]: { DataType: 'String', StringValue },
    };
}

/** @returns the attribute as SQS has it */
export function keptTrace({ MessageAttributes }: Message): { [traceAttribute]?: string } {
  const header = MessageAttributes?.[traceAttribute]?.StringValue;
  return header === undefined ? {} : { [traceAttribute]: header };
}
