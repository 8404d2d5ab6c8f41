import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { languages } from '../../../../infra/pages/reference/pages/programs.ts';
import { operations } from '../../../../lib/contract/index.ts';
import { listContacts } from '../../../../lib/resources/contacts.ts';
import type { Operation } from '../../../../lib/resources/operation.ts';
import { givenAccount, givenKey } from '../../../support/data/given.ts';
import { expectValid, pointerOf } from '../../../support/documents/openapi.ts';
import { apiUrl, type Request } from '../../../support/http/api.ts';
import { pathOf } from '../../../support/http/pathOf.ts';
import { validRequests } from '../../../support/http/requests.ts';
import { removeFolder, temporaryFolder } from '../../../support/stack/stackProcess.ts';

// Runs the programs of the reference, in each language that is on this machine, with records that are there.

const tools: Record<string, { needs: string; file: string; run: string[] }> = {
  curl: { needs: 'curl', file: 'program.sh', run: ['bash', 'program.sh'] },
  Python: {
    needs: process.env.PYTHON ?? 'python3',
    file: 'program.py',
    run: [process.env.PYTHON ?? 'python3', 'program.py'],
  },
  'Node.js': { needs: process.execPath, file: 'program.mjs', run: [process.execPath, 'program.mjs'] },
  Go: { needs: 'go', file: 'program.go', run: ['go', 'run', 'program.go'] },
  PHP: { needs: 'php', file: 'program.php', run: ['php', 'program.php'] },
};

const isHere = (command: string) =>
  spawnSync(command, [command === 'go' ? 'version' : '--version']).status === 0;
const missing = languages.filter(({ name }) => !isHere(tools[name]?.needs as string)).map(({ name }) => name);
if (missing.length > 0)
  console.log(`The programs in ${missing.join(', ')} are not run: the language is not on this machine`);

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

/** What a program prints. */
async function outputOf(
  language: (typeof languages)[number],
  operation: Operation,
  query = '',
): Promise<string> {
  const account = givenAccount();
  const { text: KEY } = await givenKey(account);
  const request: Request = await validRequests[operation.id as keyof typeof validRequests](account);
  const { file, run } = tools[language.name] as (typeof tools)[string];
  const place = join(folder, `${language.name}-${operation.id}${query && '-wrong'}`);
  mkdirSync(place);
  const { method } = operation;
  const { body } = request;
  const path = `${pathOf(operation, request.params)}${query}`;
  const call = { method, path, ...(body === undefined ? {} : { body }) };
  writeFileSync(join(place, file), language.write(call));
  const [command, ...args] = run as [string, ...string[]];
  const env = { ...process.env, URL: apiUrl, KEY };
  const { stdout, stderr } = await promisify(execFile)(command, args, { cwd: place, env });
  expect(stderr.replace(/^.*% Total[\s\S]*$/, '')).toBe('');
  return stdout.trim();
}

test.for(
  languages.flatMap((language) => operations.map((operation: Operation) => ({ language, operation }))),
)(
  'the program of $operation.id in $language.name gets its answer',
  async ({ language, operation }, { skip }) => {
    skip(missing.includes(language.name), `${language.name} is not on this machine`);
    const { path, method, success } = operation;
    const output = await outputOf(language, operation);
    if (!success.body) expect(output).toBe('');
    else
      expectValid(
        `${pointerOf('paths', path, method.toLowerCase(), 'responses', `${success.status}`, 'content', 'application/json')}/schema`,
        JSON.parse(output),
      );
  },
);

test.for(languages.map((language) => ({ language })))(
  'a program in $language.name that is refused prints why',
  async ({ language }, { skip }) => {
    skip(missing.includes(language.name), `${language.name} is not on this machine`);
    const output = await outputOf(language, listContacts, '?limit=0');
    expect(JSON.parse(output)).toEqual({
      error: 'Bad Request',
      message: 'limit must be an integer from 1 to 100',
    });
  },
);
