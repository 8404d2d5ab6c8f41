import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openapiFile } from '../../infra/ops/documents/openapiFiles.ts';
import { packageOf } from '../support/run/packages.ts';

/** What this file uses of Spectral. */
interface Core {
  Spectral: new () => {
    setRuleset(rules: object): void;
    run(document: object): Promise<{ code: string | number; path: (string | number)[]; message: string }[]>;
  };
  Document: new (text: string, parser: unknown, file: string) => object;
}

const part = async <T>(name: string): Promise<T> =>
  (await packageOf<{ default: T }>(import.meta.dirname, `@stoplight/spectral-${name}`)).default;

const core = await part<Core>('core');
const owasp = await part<object>('owasp-ruleset');
const parsers = await part<{ Json: unknown }>('parsers');
const rulesets = await part<{ oas: object }>('rulesets');

/** Every rule of these sets. */
const rules = { extends: [rulesets.oas, owasp].map((set) => [set, 'all']) };

/** What the rules find and we keep, with the reason. One that is no longer found has to go. */
const exceptions: Record<string, string> = {
  'contact-properties': 'There is no address of the makers that is known to everyone who deploys this.',
  'license-url': 'OpenAPI 3.1 names a licence by its SPDX identifier; a url beside it is forbidden.',
  'openapi-tags-alphabetical': 'The tags are in the order in which one needs them.',
  'oas3-operation-security-defined':
    'The rule is that of OpenAPI 3.0, where only OAuth has scopes; 3.1 allows them for every scheme.',
  'owasp:api8:2023-no-server-http': 'The local stack is on loopback, where there is no TLS.',
  'owasp:api8:2023-define-cors-origin': 'Keys stay on servers, so no browser is to read the answers.',
  'owasp:api4:2023-rate-limit': 'This API sets no limits of its own; those of the platform tell no state.',
  'owasp:api4:2023-string-restricted':
    'Text that people write has a length and no form: its pattern would only say that it has no control characters.',
  'owasp:api4:2023-string-limit':
    'The message of an error names every problem; how long that is depends on what was sent.',
};

test('the rules of Spectral and OWASP find nothing but what has a reason', async () => {
  const spectral = new core.Spectral();
  spectral.setRuleset(rules);
  const document = new core.Document(readFileSync(openapiFile, 'utf8'), parsers.Json, openapiFile);
  // What a value is not has no limit: a longer list is none either.
  const found = (await spectral.run(document)).filter(
    ({ code, path }) => code !== 'owasp:api4:2023-array-limit' || path.at(-1) !== 'not',
  );
  const open = found.filter(({ code }) => !(code in exceptions));
  expect(open.map(({ code, path, message }) => `${code} ${path.join('.')} ${message}`)).toEqual([]);
  expect(Object.keys(exceptions).sort()).toEqual([...new Set(found.map(({ code }) => `${code}`))].sort());
  const messages = found.filter(({ code }) => code === 'owasp:api4:2023-string-limit');
  expect(messages.map(({ path }) => path.join('.'))).toEqual([
    'components.schemas.ErrorBody.properties.message',
  ]);
});
