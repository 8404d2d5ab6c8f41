import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test } from 'vitest';
import { languages } from '../../../../infra/pages/reference/pages/programs.ts';
import { operations } from '../../../../lib/contract/index.ts';
import { responseOf } from '../../../../lib/contract/responses.ts';
import { listContacts } from '../../../../lib/resources/contacts.ts';
import type { Operation } from '../../../../lib/resources/operation.ts';
import { givenAccount, givenKey } from '../../../support/data/given.ts';
import { expectValid, pointerOf } from '../../../support/documents/openapi.ts';
import { apiUrl, type Request } from '../../../support/http/api.ts';
import { pathOf } from '../../../support/http/pathOf.ts';
import { validRequests } from '../../../support/http/requests.ts';
import { removeFolder, root, temporaryFolder } from '../../../support/stack/stackProcess.ts';

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
  Ruby: { needs: 'ruby', file: 'program.rb', run: ['ruby', 'program.rb'] },
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
    if (!responseOf(operation)) expect(output).toBe('');
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

/** Prints the result of a verifier, after its code. */
const mains: Record<string, string> = {
  'Node.js':
    'const { SECRET, HEADERS, BODY } = process.env;\nconsole.log(isGenuine(SECRET, JSON.parse(HEADERS), Buffer.from(BODY)));',
  Python:
    'import json, os\nprint(is_genuine(os.environ["SECRET"], json.loads(os.environ["HEADERS"]), os.environ["BODY"].encode()))',
  Go: `func main() {
	header := http.Header{}
	for _, line := range strings.Split(os.Getenv("LINES"), "\\n") {
		name, value, _ := strings.Cut(line, ": ")
		header.Set(name, value)
	}
	fmt.Println(isGenuine(os.Getenv("SECRET"), header, []byte(os.Getenv("BODY"))))
}`,
  PHP: "var_export(isGenuine(getenv('SECRET'), json_decode(getenv('HEADERS'), true), getenv('BODY')));",
  Ruby: 'require "json"\nputs genuine?(ENV["SECRET"], JSON.parse(ENV["HEADERS"]), ENV["BODY"])',
};

test.for(Object.keys(mains))(
  'the verifier in %s takes an event, and neither a forged nor an old one',
  async (language, { skip }) => {
    const { needs, file, run } = tools[language] as (typeof tools)[string];
    skip(!isHere(needs), `${language} is not on this machine`);
    const cwd = join(folder, `verifier-${language}`);
    mkdirSync(cwd);
    const code = readFileSync(join(root, 'docs', 'clients', `verify${extname(file)}`), 'utf8').trimEnd();
    const imported = code.replace('import (', 'import (\n\t"fmt"\n\t"os"');
    writeFileSync(join(cwd, file), `${language === 'Go' ? imported : code}\n\n${mains[language]}\n`);
    const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const id = 'evt_1';
    const results = async (BODY: string, at: Date) => {
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
        'webhook-signature': `v1,forged= ${new Webhook(SECRET).sign(id, at, '{"a":"ü"}')}`,
      };
      const LINES = Object.entries(headers)
        .map((one) => one.join(': '))
        .join('\n');
      const [command = '', ...args] = run;
      const env = { ...process.env, SECRET, BODY, LINES, HEADERS: JSON.stringify(headers) };
      const { stdout } = await promisify(execFile)(command, args, { cwd, env });
      return stdout.trim().toLowerCase();
    };
    expect(await results('{"a":"ü"}', new Date())).toBe('true');
    expect(await results('{"a":"u"}', new Date())).toBe('false');
    expect(await results('{"a":"ü"}', new Date(Date.now() - 3_600_000))).toBe('false');
  },
);
