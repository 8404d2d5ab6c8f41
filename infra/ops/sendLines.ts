import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { checkedLines } from './checkedLines.ts';
import type { LineJob } from './lineCommand.ts';
import { OpsError } from './opsError.ts';

/** The most messages of one call, and the most bytes of them together. */
const messagesMax = 10;
const bytesMax = 1_000_000;

/** Puts every line of a stream on the inbox, as the record of a message. */
export async function sendLines({
  resource,
  account,
  chunks,
  report,
  connection,
}: LineJob<'sent'>): Promise<void> {
  let bodies: string[] = [];
  let bytes = 0;
  const { sqs, recordsInboxUrl } = connection.inbox();
  const send = async () => {
    const Entries = bodies.map((MessageBody, i) => ({ Id: String(i), MessageBody }));
    const { Failed = [] } =
      Entries.length > 0
        ? await sqs.send(new SendMessageBatchCommand({ QueueUrl: recordsInboxUrl, Entries }))
        : {};
    if (Failed.length > 0)
      throw new OpsError(`The inbox refused messages: ${Failed[0]?.Message ?? Failed[0]?.Code}`);
    report.done('sent', bodies.length);
    bodies = [];
    bytes = 0;
  };
  for await (const { line } of checkedLines(resource, chunks, report)) {
    // The line's own words and not what the schema made of them: it is the inbox that reads them.
    const body = `{"account":${JSON.stringify(account)},"resource":"${resource}","record":${line.text.trim()}}`;
    const more = Buffer.byteLength(body);
    if (bodies.length === messagesMax || bytes + more > bytesMax) await send();
    bodies.push(body);
    bytes += more;
  }
  await send();
}
