import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OpsCommand } from '../../terminal/command.ts';
import { apiSql, dropSql } from './apiSql.ts';
import { readMapping } from './mapping.ts';

// npm run ops -- app sql | check | scaffold

export const program = new OpsCommand('app').description(
  'Connect the PostgreSQL database of your app with the API, by a mapping of its tables',
);

program
  .command('sql')
  .description('write api.sql and drop.sql from a mapping, into its folder')
  .argument('<mapping>', 'the file with the mapping; docs/adopt.md explains its lines')
  .action((mapping: string) => {
    const files = { 'api.sql': apiSql(readMapping(readFileSync(mapping, 'utf8'))), 'drop.sql': dropSql() };
    for (const [name, sql] of Object.entries(files)) writeFileSync(join(dirname(mapping), name), sql);
    console.log(`${Object.keys(files).join(' and ')} are written into ${dirname(mapping)}.`);
  });
