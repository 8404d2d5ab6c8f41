import { lineCommand } from './lineCommand.ts';
import { sendLines } from './sendLines.ts';

// npm run ops -- send <resource> FILE.ndjson --account A

export const program = lineCommand({
  name: 'send',
  description:
    'Put records from a file of JSON lines on the records inbox, as the systems of the product do. Each line is the whole ' +
    'state of a record, found again by its external_id.',
  outcomes: { sent: 'sent' },
  repeatable: 'a record that is sent twice changes nothing the second time.',
  // Two seconds more than an import, because a message waits for others of its batch before it is stored.
  lagMaxMs: 4000,
  work: sendLines,
});
