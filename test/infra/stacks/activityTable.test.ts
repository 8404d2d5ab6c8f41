import { beforeAll, expect, test } from 'vitest';
import { currentAssembly } from '../../../infra/local/template/assembly.ts';
import { grantsOf } from '../../support/permissions/grants.ts';
import { readAssembly, type Synthesized } from '../../support/stack/synth.ts';

// The Activity table says who did what. Nobody who can run code of ours may change what it says.

let template: Synthesized;
beforeAll(async () => {
  template = readAssembly(await currentAssembly());
});

/** What functions may do with a table, by the beginning of its logical id. */
const grantsOn = (table: string) =>
  grantsOf(template).filter(
    ({ action, resource }) => action.startsWith('dynamodb:') && resource.startsWith(table),
  );

test('functions may put entries and read them, and may not change or delete one', () => {
  const actions = new Set(grantsOn('TablesActivity').map(({ action }) => action));
  expect([...actions].sort()).toEqual(['dynamodb:PutItem', 'dynamodb:Query']);
});

test('no function may do everything with every table', () => {
  // It knows no resource, and tells only the names of streams.
  for (const { functionId, action, resource } of grantsOf(template))
    if (/^(\*|dynamodb:)/.test(action) && action !== 'dynamodb:ListStreams')
      expect([action, resource], functionId).not.toContainEqual(expect.stringContaining('*'));
});

test('a function that changes keys may record it', () => {
  const writers = grantsOn('TablesKeys').filter(({ action }) => action === 'dynamodb:PutItem');
  const recorders = new Set(
    grantsOn('TablesActivity')
      .filter(({ action }) => action === 'dynamodb:PutItem')
      .map(({ functionId }) => functionId),
  );
  expect(writers.length).toBeGreaterThan(3);
  for (const { functionId } of writers) expect(recorders, functionId).toContain(functionId);
});

test('the public API reaches neither sessions nor entries', () => {
  const reaching = new Set(
    [...grantsOn('TablesActivity'), ...grantsOn('TablesSessions')].map(({ functionId }) => functionId),
  );
  const ofConsole = template.console.ofType('AWS::Lambda::Function').map(([id]) => id);
  for (const id of reaching)
    expect(
      ofConsole.some((name) => name.includes(id)),
      id,
    ).toBe(true);
});
