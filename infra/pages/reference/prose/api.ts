import { type Resource, resources, wordsFor } from '../../../../lib/resources/index.ts';

const and = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const isWritten = ({ scopes }: { scopes: readonly string[] }): boolean => scopes.length > 1;
const all: Resource[] = Object.values(resources);
const written = and.format(all.filter(isWritten).map(wordsFor));
const read = and.format(all.filter((facts) => !isWritten(facts)).map(wordsFor));

export const introduction = `Read and create ${written},${read && ` read ${read},`} and receive an event for every change, over HTTP with JSON.`;

/** The version in package.json. Its first number is the v1 of every address. */
export const version = '1.0.0-rc.1';

export const keyNote =
  'An API key of an account, which begins with `pak_live_` or `pak_test_`. Each operation says which scope the key needs. A key with full access can call every operation.';

export const servers = [
  {
    url: 'https://{api_id}.execute-api.{region}.amazonaws.com/v1',
    description:
      'A deployed stack (production). `api_id` is its id in API Gateway, and `region` its AWS region. The stack’s output BaseUrl contains both.',
    // Variables have no descriptions, because validators of OpenAPI 3.1 refuse them, following its JSON Schema.
    variables: { api_id: { default: 'a1b2c3d4e5' }, region: { default: 'eu-central-1' } },
    'x-internal': false,
  },
  {
    url: 'http://127.0.0.1:3000/v1',
    description: 'The local stack that `npm start` runs.',
    'x-internal': true,
  },
];
