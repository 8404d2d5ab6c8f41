import { randomInt } from 'node:crypto';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readSubscriptions } from '../../../lib/webhooks/model/subscriptions.ts';
import { givenAccount, givenSubscription } from '../../support/data/given.ts';
import { accepts } from '../../support/pipeline/settings.ts';
import { run } from '../../support/stack/commands.ts';

const webhooks = (...args: string[]) => run('webhooks', args);
const json = async (...args: string[]) => JSON.parse((await webhooks(...args, '--json')).stdout);

/** A public address that no other test leads to. Nothing is sent there: nothing happens in these accounts. */
const aHost = (): string => `8.${[1, 2, 3].map(() => randomInt(1, 255)).join('.')}`;

let mine: string;
let other: string;
let host: string;
/** Subscriptions of two accounts to one host, and one of the first account to another. */
let ids: { mine: string; other: string; elsewhere: string };
beforeEach(async () => {
  [mine, other, host] = [givenAccount(), givenAccount(), aHost()];
  const given = async (account: string, url: string) => (await givenSubscription(account, { url })).id;
  ids = {
    mine: await given(mine, `https://${host}/a?token=canary`),
    other: await given(other, `https://${host}:8443/b`),
    elsewhere: await given(mine, `https://${aHost()}/c`),
  };
});

const idsOf = (found: { id: string }[]) => found.map(({ id }) => id).sort();
const statusesOf = async (account: string) =>
  Object.fromEntries(
    (await readSubscriptions(account)).map(({ id, status, status_reason }) => [id, [status, status_reason]]),
  );
const active = ['active', null];
const paused = ['paused', 'operator'];

describe('list', () => {
  test('shows those of an account, of a host in all accounts, or of both', async () => {
    expect(idsOf(await json('list', '--account', mine))).toEqual([ids.mine, ids.elsewhere].sort());
    expect(idsOf(await json('list', '--host', host))).toEqual([ids.mine, ids.other].sort());
    expect(idsOf(await json('list', '--account', mine, '--host', host))).toEqual([ids.mine]);
  });

  test('names the keys, and for a person only the host of the URL', async () => {
    const [found] = await json('list', '--account', other);
    expect(found).toMatchObject({
      id: ids.other,
      url: `https://${host}:8443/b`,
      status: 'active',
      created_by_key_id: expect.stringMatching(/^key_/),
      updated_by_key_id: expect.stringMatching(/^key_/),
    });
    const { stdout } = await webhooks('list', '--host', host);
    expect(stdout).toMatch(/^ACCOUNT +SUBSCRIPTION +STATUS +HEALTH +HOST +MADE BY +CHANGED BY$/m);
    expect(stdout).toMatch(
      new RegExp(`^${mine} +${ids.mine} +active +healthy +${host} +key_\\w+ +key_\\w+$`, 'm'),
    );
    expect(stdout).not.toContain('canary');
  });
});

describe('pause and resume', () => {
  test('change those that lead to a host, and no others; a second run changes nothing', async () => {
    for (let turn = 0; turn < 2; turn++) {
      const { code, stdout } = await webhooks('pause', '--host', host);
      expect(stdout).toMatch(new RegExp(`^${turn === 0 ? 2 : 0} of 2 subscriptions were paused\\.$`, 'm'));
      expect(code).toBe(0);
      expect(await statusesOf(mine)).toEqual({ [ids.mine]: paused, [ids.elsewhere]: active });
      expect(await statusesOf(other)).toEqual({ [ids.other]: paused });
    }
    await webhooks('resume', '--host', host);
    expect(await statusesOf(mine)).toEqual({ [ids.mine]: active, [ids.elsewhere]: active });
    expect(await statusesOf(other)).toEqual({ [ids.other]: active });
  });

  test('resume starts the release of what was held at once', async () => {
    for (const id of [ids.mine, ids.elsewhere]) await accepts({ account: mine, id });
    await webhooks('pause', '--account', mine);
    const sends = vi.spyOn(SQSClient.prototype, 'send');
    onTestFinished(() => sends.mockRestore());
    await webhooks('resume', '--account', mine);
    const started = sends.mock.calls.flatMap(([command]) =>
      command instanceof SendMessageBatchCommand
        ? (command.input.Entries ?? []).map(({ MessageBody = '' }) => JSON.parse(MessageBody))
        : [],
    );
    expect(idsOf(started.map(({ subscription_id: id }) => ({ id })))).toEqual(
      [ids.mine, ids.elsewhere].sort(),
    );
    for (const message of started) expect(message).toMatchObject({ account: mine, kind: 'recovery' });
  });
});
