import { mkdtempSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SettingsError, settingsOf } from '../../../infra/stacks/stages/stages.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';
import { synthesize } from '../../support/stack/synth.ts';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => removeFolder(folder));

const good = {
  keepData: false,
  authorizerCacheSeconds: 60,
  logRetentionDays: 14,
  memoryMb: 512,
  tracing: true,
  concurrency: { deliveries: 10, inbox: 2 },
  unusual: { refusedKeys: 300, requestsOfKey: 3000, attemptsOfAccount: 3000, suspendedAccounts: 3 },
};

const domain = {
  name: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:000000000000:certificate/1',
};

const console = {
  domain: 'integrations.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/1',
};

/** The message about a stage with this file, without the file's name before each sentence. */
function messageOf(content: unknown, stage = 'mine'): string {
  const own = mkdtempSync(join(folder, 'stages-'));
  const file = join(own, `${stage}.json`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  try {
    settingsOf(stage, own);
  } catch (error) {
    if (error instanceof SettingsError) return error.message.replaceAll(relative('', file), 'FILE');
    throw error;
  }
  return 'nothing';
}

test('a stage says all that it has to, and the rest is off', () => {
  expect(messageOf(good)).toBe('nothing');
  for (const stage of ['dev', 'prod'])
    expect(settingsOf(stage)).toMatchObject({
      functionMemoryMb: {},
      activityDays: 400,
      console: { embedIn: [] },
    });
  expect(messageOf({ ...good, console: { ...console, embedIn: ['https://app.example.com:8443'] } })).toBe(
    'nothing',
  );
});

describe('a wrong setting is refused in a sentence that names it, what it is and what is allowed', () => {
  test.each([
    ['keepData', 'yes', 'must be true or false, and is "yes"'],
    ['tracing', 1, 'must be true or false, and is 1'],
    ['authorizerCacheSeconds', -1, 'must be a whole number of seconds from 0 to 3600, and is -1'],
    ['authorizerCacheSeconds', 3601, 'must be a whole number of seconds from 0 to 3600, and is 3601'],
    ['memoryMb', 127, 'must be a whole number of MB from 128 to 10240, and is 127'],
    ['activityDays', 0, 'must be a whole number of days from 1 to 3650, and is 0'],
    [
      'console',
      true,
      'must be an object with domain, certificateArn, embedIn, renewUrl, referenceUrl, brand, linkRole, and is true',
    ],
    ['outbox', true, 'must be one of clients, all, and is true'],
    [
      'productRole',
      'product',
      'must be the ARN of a role of IAM like "arn:aws:iam::<account>:role/<name>", and is "product"',
    ],
    ['minimumTls', '1.1', 'must be one of 1.2, 1.3, and is "1.1"'],
    ['firewall', true, 'must be an object with requestsPerAddress, and is true'],
    [
      'gradualDeployment',
      'AllAtOnce',
      'must be one of Canary10Percent5Minutes, Canary10Percent10Minutes, Canary10Percent15Minutes, Linear10PercentEvery1Minute, Linear10PercentEvery2Minutes, and is "AllAtOnce"',
    ],
    [
      'domain',
      'api.example.com',
      'must be an object with name, certificateArn, hostedZone, and is "api.example.com"',
    ],
  ])('%s: %j', (name, value, sentence) => {
    expect(messageOf({ ...good, [name]: value })).toBe(`FILE: ${name} ${sentence}`);
  });

  test.each([
    ['requestsPerAddress', { firewall: { requestsPerAddress: 9 } }, /from 10 to 2000000000, and is 9$/],
    ['name', { domain: { ...domain, name: 'https://api.example.com' } }, /a host name in lower case like/],
    [
      'certificateArn',
      { domain: { ...domain, certificateArn: 'mine' } },
      /the ARN of a certificate of ACM like/,
    ],
    ['deliveries', { concurrency: { deliveries: 1, inbox: 2 } }, /batches at once from 2 to 1000, and is 1$/],
    [
      'hostedZone.id',
      { domain: { ...domain, hostedZone: { id: '/hostedzone/Z1', name: 'example.com' } } },
      /the id of a hosted zone of Route 53 like/,
    ],
    [
      'hostedZone.name',
      { domain: { ...domain, hostedZone: { id: 'Z1', name: 'ample.com' } } },
      /a zone that holds "api\.example\.com", and is "ample\.com"$/,
    ],
    [
      'certificateArn',
      { console: { ...console, certificateArn: domain.certificateArn } },
      /the ARN of a certificate of ACM in us-east-1, the region of CloudFront, like/,
    ],
    ['certificateArn', { console: { domain: console.domain } }, /given with domain, and domain with/],
    ['referenceUrl', { console: { referenceUrl: 'https://docs.example.com/#a' } }, /without a fragment/],
    ['renewUrl', { console: { renewUrl: 'http://app.example.com' } }, /an address like "https:\/\/app/],
    [
      'accent.light',
      { console: { brand: { accent: { light: '#9aa8ff', dark: '#9aa8ff' } } } },
      /a contrast of 4\.5 to #ffffff/,
    ],
    ['linkRole', { console: { linkRole: 'product-backend' } }, /the ARN of a role of IAM like/],
    [
      'embedIn[0]',
      { console: { ...console, embedIn: ['https://app.example.com/settings'] } },
      /one of at most 5 different origins like "https:\/\/app\.example\.com", and is "https:/,
    ],
    [
      'embedIn',
      { console: { ...console, embedIn: ['https://app.example.com', 'https://app.example.com'] } },
      /at most 5 different origins like/,
    ],
    [
      'embedIn',
      { console: { ...console, embedIn: ['https://app.example.org'] } },
      /origins of the site of domain, like .*: in a frame of another site, browsers send no cookie/,
    ],
    ['embedIn', { console: { embedIn: ['https://app.example.com'] } }, /origins of the site of domain/],
  ])('within a group: %s', (name, change, rule) => {
    const message = messageOf({ ...good, ...change });
    expect(message).toContain(`.${name} must be `);
    expect(message).toMatch(rule);
    expect(message).not.toContain('\n');
  });
});

test('all problems are reported at once, one line each', () => {
  expect(messageOf({ ...good, keepData: 0, tracing: 0, x: 0 }).split('\n')).toHaveLength(3);
});

test.each(['../stages/dev', '/etc/passwd', '', 'dev.json'])(
  '%j is no stage, and no way out of the folder',
  (stage) => {
    expect(() => settingsOf(stage)).toThrow(
      `There is no stage "${stage}"; there are dev, prod, small in infra/stacks/stages`,
    );
  },
);

test('who runs cdk reads the sentence, and no stack trace', () => {
  writeFileSync(join(folder, 'mine.json'), JSON.stringify({ ...good, memoryMb: 1 }));
  expect(() => synthesize('mine', { stages: folder })).toThrow(
    /^.*mine\.json: memoryMb must be a whole number of MB from 128 to 10240, and is 1\n.*Subprocess exited with error 1\n*$/,
  );
});
