import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../infra/local/process/freePort.ts';
import { createContact } from '../../../lib/resources/contacts.ts';
import { newSecret } from '../../../lib/webhooks/model/secrets.ts';
import { aContact, givenAccount, givenKey, givenSubscription } from '../../support/data/given.ts';
import { apiUrl, call } from '../../support/http/api.ts';
import { Receiver } from '../../support/pipeline/receiver.ts';
import { root } from '../../support/stack/stackProcess.ts';

test('docs/clients/listen.mjs posts the events of a full subscription, signed, also to a receiver that starts late', async () => {
  const account = givenAccount();
  const { text: key } = await givenKey(account);
  const [receiver, late] = [new Receiver(), new Receiver()];
  onTestFinished(() => [receiver, late].forEach((one) => void one.close()));
  await receiver.open();
  await givenSubscription(account, { url: receiver.url('webhook'), payload: 'full' });
  const [port, SECRET] = [await freePort(), newSecret()];
  late.trust('listen', SECRET);
  const args = ['docs/clients/listen.mjs', apiUrl, `http://127.0.0.1:${port}/listen`, 'contact.*', '-1'];
  const program = spawn(process.execPath, args, { cwd: root, env: { ...process.env, KEY: key, SECRET } });
  onTestFinished(() => void program.kill());
  let output = '';
  program.stdout.on('data', (text) => {
    output += text;
  });
  const { body } = await call(createContact, { key, body: aContact({ custom_fields: { plan: 'gold' } }) });
  await expect.poll(() => output).toMatch(/^0 contact\.created con_\w+ TypeError/);
  await late.open(port);
  await expect.poll(() => late.requestsAt('listen')).toHaveLength(1);
  const [request] = late.requestsAt('listen');
  expect(request?.verifiedBy).toEqual([SECRET]);
  const ofContact = () => receiver.requestsAt('webhook').filter((one) => one.body.includes(body.id));
  await expect.poll(ofContact).toMatchObject([{ id: request?.id, body: request?.body }]);
});
