import { GetQueueAttributesCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { StatedResource } from '../../../lib/contract/inbox.ts';
import { ApiError } from '../../../lib/errors/apiError.ts';
import type { Said } from '../../../lib/inbox/message.ts';
import { collectionOf } from '../../../lib/inbox/resources.ts';
import { draftOf, type Entry } from '../../../lib/records/upsert/entry.ts';
import { findRecords } from '../../../lib/records/upsert/find.ts';
import type { Stored } from '../../../lib/resources/collection.ts';
import { bodyBytesMax } from '../../../lib/values/json.ts';
import { OpsError } from '../../terminal/opsError.ts';
import type { Connection } from '../connection.ts';
import { checkedLines } from './checkedLines.ts';
import type { LineJob } from './lineCommand.ts';
import type { Line } from './lines.ts';

/** The most messages of one call, and the most bytes of them together. */
const messagesMax = 10;
const bytesMax = 1_000_000;

/** After so many messages the command looks how far the inbox and the index are. */
const paceAfter = 100;

const tooLong = `the message that the line becomes, in ASCII, must be at most ${bodyBytesMax} bytes`;

interface Message {
  line: Line;
  entry: Entry<Stored> | undefined;
  body: string;
}

/** Puts every line of a stream on the inbox, as the record of a message. */
export async function sendLines({
  resource,
  account,
  chunks,
  report,
  connection,
  pace,
}: LineJob<'sent'>): Promise<void> {
  let messages: Message[] = [];
  let bytes = 0;
  let unpaced = 0;
  const inbox = connection.inbox();
  const { sqs, recordsInboxUrl } = inbox;
  const send = async () => {
    const sending = messages;
    const Entries = sending.map(({ body }, i) => ({ Id: String(i), MessageBody: body }));
    messages = [];
    bytes = 0;
    if (Entries.length === 0) return;
    const { Successful = [], Failed = [] } = await sqs.send(
      new SendMessageBatchCommand({ QueueUrl: recordsInboxUrl, Entries }),
    );
    for (const { Id } of Successful) report.done((sending[Number(Id)] as Message).line, 'sent');
    if (Failed.length > 0)
      throw new OpsError(`The inbox refused messages: ${Failed[0]?.Message ?? Failed[0]?.Code}`);
    unpaced += sending.length;
    if (unpaced < paceAfter) return;
    unpaced = 0;
    const { entry } = sending.at(-1) as Message;
    if (!entry) return;
    await pace.follow(async () => ((await isLong(inbox)) ? undefined : stored(resource, account, entry)));
  };
  for await (const { line, value, said } of checkedLines(resource, chunks, report)) {
    const body = inAscii(JSON.stringify({ account, resource, ...(said.entry ? { record: value } : value) }));
    const problem = body.length > bodyBytesMax ? tooLong : whyNot(resource, said);
    if (problem !== undefined) {
      report.refused(line, problem);
      continue;
    }
    if (messages.length === messagesMax || bytes + body.length > bytesMax) await send();
    messages.push({ line, entry: said.entry, body });
    bytes += body.length;
  }
  await send();
}

/** Whether the inbox has many messages that nobody has received yet. */
async function isLong({ sqs, recordsInboxUrl: QueueUrl }: ReturnType<Connection['inbox']>): Promise<boolean> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
  );
  return Number(Attributes?.ApproximateNumberOfMessages) > 2 * paceAfter;
}

/** Reads the record of an entry; `refused` when the inbox refuses it. */
async function stored(resource: StatedResource, account: string, entry: Entry<Stored>) {
  const found = (await findRecords(collectionOf(resource), account, [entry])).get(entry);
  if (found?.kind === 'record') return found.state.record;
  return found?.kind === 'refused' || found?.kind === 'late' ? ('refused' as const) : undefined;
}

/** Why the inbox could not store a record although each field is valid. */
export function whyNot(resource: StatedResource, { entry }: Said): string | undefined {
  try {
    if (entry) draftOf(collectionOf(resource), entry);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/** The same JSON in ASCII: SQS refuses some characters. */
const inAscii = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
