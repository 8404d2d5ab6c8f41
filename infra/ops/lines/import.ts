import { importLines, importOutcomes } from './importLines.ts';
import { lineCommand } from './lineCommand.ts';

// npm run import -- <resource> FILE.ndjson --account A

export const program = lineCommand({
  name: 'import',
  description:
    'Import records from a file of JSON lines. Each line is the whole state of a record, found again by its external_id, ' +
    'so importing a file twice changes nothing.',
  outcomes: importOutcomes,
  repeatable: 'what has been imported is found by its external_id.',
  lagMaxMs: 2000,
  work: importLines,
});
