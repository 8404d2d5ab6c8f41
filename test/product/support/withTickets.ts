import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from '../../support/documents/documents.ts';
import { blocksIn } from '../../support/documents/prose.ts';
import { copyProject, scriptCommand } from '../../support/stack/stackProcess.ts';
import { readExample } from './givenPostgres.ts';

/**
 * Copies this project, and adds the tickets of docs/package.md to the copy.
 * @returns its folder, and what makes the tables of the example with those of tickets, of which `app sql` writes a part in the copy
 * @throws Error with what a command prints that fails
 */
export function projectWithTickets(folder: string): { project: string; sqls: string[] } {
  const project = copyProject(folder);
  const [declaration = ''] = blocksIn(documents.get('docs/package.md') as string, 'ts');
  writeFileSync(
    join(project, 'tickets.ts'),
    declaration.replace('#postern/declare', './lib/resources/declare.ts'),
  );
  const add = `import declared from './tickets.ts';
    import { addResource } from './infra/ops/new/resourceFiles.ts';
    addResource('tickets', declared);`;
  run(project, [process.execPath, '--input-type=module', '-e', add]);
  const mapping = readExample('mapping.txt').replace('tickets.person_id', '$&, support_tickets.person_id');
  writeFileSync(join(project, 'mapping.txt'), `${mapping}${readExample('tickets.txt')}`);
  run(project, [...scriptCommand('ops'), 'app', 'sql', 'mapping.txt']);
  const api = readFileSync(join(project, 'api.sql'), 'utf8');
  return { project, sqls: [readExample('tables.sql'), readExample('tickets.sql'), api] };
}

function run(cwd: string, [command, ...args]: [string, ...string[]]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout + stderr);
}
