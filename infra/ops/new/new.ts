import { spawnSync } from 'node:child_process';
import { InvalidArgumentError } from 'commander';
import type { DeclaredField, DeclaredResource } from '../../../lib/resources/declare.ts';
import { OpsCommand } from '../../terminal/command.ts';
import { OpsError } from '../../terminal/opsError.ts';
import { examplesPath, fileOfLastRelease } from '../documents/lastRelease.ts';
import { addField, addResource, removeResource, root, written } from './resourceFiles.ts';
import { namesOf } from './resourceNames.ts';

// npm run new -- resource | field | remove

/** Reads an argument. @param form the expression for all of it @param rule what it consists of */
const named = (form: RegExp, rule: string) => (text: string) => {
  if (!form.test(text)) throw new InvalidArgumentError(`It must be ${rule}.`);
  return text;
};

const kebab = named(/^[a-z]+(-[a-z]+)*$/, 'words of a-z with - between them');

export const program = new OpsCommand('npm run new --').description(
  'Add a resource or a field, or remove a resource: the files and lines of code, and the documents that are made of them',
);

program
  .command('resource')
  .description('add a resource that your app writes, and that clients list and read, or write too')
  .argument('<path>', 'its path, such as support-tickets', kebab)
  .requiredOption('--one <name>', 'the name of one, such as support-ticket', kebab)
  .requiredOption(
    '--prefix <prefix>',
    'what its ids begin with, such as tkt',
    named(/^[a-z]{2,5}$/, '2 to 5 letters of a-z'),
  )
  .option('--writable', 'clients create and change its records')
  .option('--deletable', 'clients create, change and delete its records')
  .action(newResource);

program
  .command('field')
  .description('add a field to a resource')
  .argument('<resource>', 'the path of the resource, such as contacts')
  .argument(
    '<field>',
    'its name, such as job_level',
    named(/^[a-z]+(_[a-z0-9]+)*$/, 'words of a-z with _ between them'),
  )
  .requiredOption('--note <sentence>', 'what the reference says of it')
  .option('--example <value>', 'its value in the example: JSON, or text', 'null')
  .option('--is <kind>', 'its kind, of those in lib/resources/field.ts', 'line')
  .option('--values <values>', 'the values of the kind enum, separated by commas')
  .option('--to <prefix>', 'for the kind ref: the prefix of the ids')
  .option('--filter <filter>', 'lists find records by it: exact, any, all or range, as its kind allows')
  .option('--required', 'every record has it')
  .option('--writable', 'clients may write it, where they write the resource')
  .option('--before <field>', 'the field that it precedes', 'custom_fields')
  .action(newField);

program
  .command('remove')
  .description('remove a resource, with its demo records and tests')
  .argument('<path>', 'its path, such as event-registrations')
  .action((path: string) => {
    removeResource(path);
    generate();
  });

type ResourceOptions = Record<'one' | 'prefix', string> & Partial<Record<'writable' | 'deletable', true>>;

/** Creates a resource with these fields, which its owner then replaces. */
function newResource(path: string, { one, prefix, writable, deletable }: ResourceOptions): void {
  const { thing } = namesOf(one, path, prefix);
  const fields: DeclaredResource['fields'] = {
    external_id: {
      is: 'externalId',
      note: [`The id of the ${thing} in the system that it comes from.`, `${path}-1001`],
    },
    name: { is: 'line', note: [`The name of the ${thing}.`, 'An example'] },
    contact_id: {
      is: 'ref',
      to: 'con',
      filter: 'exact',
      note: [`The contact whose ${thing} it is, if known.`, 'con_9x7aej2svz025b0x7prpcchs'],
    },
    custom_fields: { is: 'custom', note: ['Fields that the product’s systems define.'] },
  };
  const open = writable || deletable ? { writable: Object.keys(fields) } : {};
  addResource(path, { one, prefix, fields, deletable: deletable === true, ...open });
  generate();
}

type FieldOptions = Record<'is' | 'note' | 'example' | 'before', string> &
  Partial<Record<'values' | 'to' | 'filter', string>> &
  Partial<Record<'required' | 'writable', true>>;

function newField(path: string, name: string, options: FieldOptions): void {
  const { is, note, example, values, to, filter, required, writable = false, before } = options;
  const field = { is, of: values?.split(','), to, required, filter, note: [note, parsed(example)] };
  addField(path, name, field as unknown as DeclaredField, { writable, before });
  generate();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Writes what is generated from the code. A deployed release keeps its examples. */
function generate(): void {
  const examples = fileOfLastRelease(examplesPath) === undefined ? ['examples'] : [];
  step('npx', ['biome', 'check', '--write', ...written]);
  for (const script of ['openapi', 'schema', ...examples, 'types']) step('npm', ['run', '--silent', script]);
  console.log('The code and its documents are written: "git status" lists them, and "npm test" proves them.');
}

/** Runs a command, and shows it, because some commands take half a minute. */
function step(command: string, words: readonly string[]): void {
  const shown = [command, ...words].join(' ');
  console.error(`${shown} …`);
  const { status } = spawnSync(command, words, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new OpsError(`${shown} failed: mend what it says, and run it again.`);
}

if (import.meta.main) await program.main();
