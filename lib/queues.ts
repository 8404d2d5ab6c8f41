import { SQSClient } from '@aws-sdk/client-sqs';
import { clientConfiguration, endpoints } from './aws.ts';

let client: SQSClient | undefined;

/** The one SQS client of this process, made on first use from the environment of that moment. */
export function sqs(): SQSClient {
  client ??= new SQSClient(clientConfiguration(endpoints.sqs()));
  return client;
}

/** JSON without the two characters that JSON allows and SQS does not: SQS would replace them, or refuse the message. */
export const messageText = (value: unknown): string =>
  JSON.stringify(value).replaceAll('\ufffe', '\\ufffe').replaceAll('\uffff', '\\uffff');
