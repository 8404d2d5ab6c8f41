import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Option } from 'commander';
import { OpsCommand } from '../../terminal/command.ts';
import { apiSql, dropSql } from './apiSql.ts';
import { inDatabase } from './appDatabase.ts';
import { readCatalog } from './catalog.ts';
import { checkRecords } from './checkRecords.ts';
import { guessMapping } from './guess.ts';
import { readMapping } from './mapping.ts';

// npm run ops -- app scaffold | sql | check

export const program = new OpsCommand('app').description(
  'Connect the PostgreSQL database of your app with the API, by a mapping of its tables',
);

const database = () =>
  new Option('--database <url>', 'the address of the database, postgres://…')
    .env('DATABASE')
    .makeOptionMandatory();

program
  .command('scaffold')
  .description('write a mapping, guessed from the tables of the database, for you to correct')
  .argument('<mapping>', 'the file to write')
  .addOption(database())
  .action(async (mapping: string, { database: url }: { database: string }) => {
    const text = guessMapping(await inDatabase(url, readCatalog));
    writeFileSync(mapping, text, { flag: 'wx' });
    const count = (mark: string) => text.split(mark).length - 2;
    console.log(`${mapping} has ${count('#?')} lines to look at, and ${count('#!')} to write.`);
  });

program
  .command('sql')
  .description('write api.sql and drop.sql from a mapping, into its folder')
  .argument('<mapping>', 'the file with the mapping; docs/adopt.md explains its lines')
  .action((mapping: string) => {
    const files = { 'api.sql': apiSql(readMapping(readFileSync(mapping, 'utf8'))), 'drop.sql': dropSql() };
    for (const [name, sql] of Object.entries(files)) writeFileSync(join(dirname(mapping), name), sql);
    console.log(`${Object.keys(files).join(' and ')} are written into ${dirname(mapping)}.`);
  });

program
  .command('check')
  .description('print what the API would reject of the rows, and what you should look at; nothing is sent')
  .addOption(database())
  .action(async ({ database: url }: { database: string }) => {
    const { problems, questions } = await inDatabase(url, checkRecords);
    const print = (findings: typeof problems) => {
      for (const { text, count, example } of findings)
        console.log(`${String(count).padStart(8)} × ${text}${example ? ` (such as ${example})` : ''}`);
    };
    if (questions.length > 0) console.log('Is this right?');
    print(questions);
    console.log(problems.length > 0 ? 'The API would reject:' : 'The API would take every row.');
    print(problems);
    if (problems.length > 0) process.exitCode = 1;
  });
