import { userInfo } from 'node:os';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { awsOperator } from '../../../../infra/ops/operator.ts';
import type { ActivityEntry } from '../../../../lib/contract/console/activity.ts';
import { dynamodb } from '../../../../lib/dynamodb/client.ts';
import { env, required } from '../../../../lib/env.ts';
import { givenAccount, givenKey } from '../../../support/data/given.ts';
import { served } from '../../../support/http/served.ts';
import { run } from '../../../support/stack/commands.ts';

const keys = (...args: string[]) => run('keys', args);
const { username } = userInfo();

test('the history of a key has every change by a command, newest first, with the user of the computer', async () => {
  const made = JSON.parse(
    (await keys('create', '--account', givenAccount(), '--name', 'CRM sync', '--full-access', '--json'))
      .stdout,
  );
  await keys('update', made.key_id, '--name', 'Renamed', '--scope', 'orders:read');
  await keys('rotate', made.key_id, '--overlap', '0');
  await keys('revoke', made.key_id);
  const entries: ActivityEntry[] = JSON.parse((await keys('history', made.key_id, '--json')).stdout);
  const author = { kind: 'operator', id: username, name: username };
  expect(entries.map(({ action }) => action)).toEqual([
    'key.revoked',
    'key.rotated',
    'key.changed',
    'key.created',
  ]);
  for (const entry of entries) expect(entry).toMatchObject({ author, key_id: made.key_id, ip: null });
  expect(entries[2]).toMatchObject({
    before: { name: 'CRM sync', full_access: true, scopes: [] },
    after: { name: 'Renamed', full_access: false, scopes: ['orders:read'] },
  });
  const { stdout, stderr } = await keys('history', made.key_id);
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(5);
  expect(lines[0]).toMatch(/^TIME +CHANGE +KIND +AUTHOR +THE KEY AFTER IT$/);
  expect(lines[4]).toMatch(
    new RegExp(
      `Z +key\\.created +operator +${username} +"CRM sync", full access, expires never, secrets …\\w{4}$`,
    ),
  );
  expect(stderr).toBe('');
  expect(stdout).not.toContain(made.key);
});

test('show and history say that a key was changed outside these commands', async () => {
  const { key } = await givenKey(givenAccount());
  expect(JSON.parse((await keys('show', key.id, '--json')).stdout).changes_not_recorded).toBe(0);
  await dynamodb().send(
    new UpdateCommand({
      TableName: required(env.keysTable),
      Key: { pk: key.id },
      UpdateExpression: 'ADD revision :two',
      ExpressionAttributeValues: { ':two': 2 },
    }),
  );
  const warning = `The key ${key.id} was changed outside these commands: 2 of its 3 changes are not recorded.\n`;
  for (const command of ['show', 'history']) {
    const { code, stderr } = await keys(command, key.id);
    expect([code, stderr]).toEqual([0, warning]);
  }
  expect(JSON.parse((await keys('show', key.id, '--json')).stdout).changes_not_recorded).toBe(2);
});

test('without credentials that AWS knows, nothing is changed: a change is recorded with its author', async () => {
  const sts = await served((_, response) =>
    response
      .writeHead(403)
      .end(
        '<ErrorResponse><Error><Code>InvalidClientTokenId</Code><Message>The security token is invalid.</Message></Error></ErrorResponse>',
      ),
  );
  vi.stubEnv('AWS_ENDPOINT_URL_STS', sts);
  await expect(awsOperator()).rejects.toMatchObject({
    name: 'OpsError',
    message:
      'AWS does not say whose credentials these are, and a change is recorded with its author: The security token is invalid.',
  });
  vi.unstubAllEnvs();
});
