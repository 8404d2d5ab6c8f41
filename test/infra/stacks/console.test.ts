import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { responseHeadersOf } from '../../../infra/local/gateway/localPages.ts';
import { currentAssembly } from '../../../infra/local/template/assembly.ts';
import { readTemplate } from '../../../infra/local/template/template.ts';
import { consolePageFiles } from '../../../infra/pages/consoleFiles.ts';
import { consoleHeaders } from '../../../infra/pages/pageHeaders.ts';
import { settingsOf } from '../../../infra/stacks/stages/stages.ts';
import { isWhole } from '../../support/run/extent.ts';
import { removeFolder, temporaryFolder } from '../../support/stack/stackProcess.ts';
import { stacksOf } from '../../support/stack/stacks.ts';
import { type CfnResource, fullStages, readAssembly, type Synthesized } from '../../support/stack/synth.ts';

// The stack of the console in dev, and, without bundles and without the page, in a stage that sets all that can be set.

const code = temporaryFolder();

let dev: Synthesized;
let full: Synthesized;
beforeAll(async () => {
  dev = readAssembly(await currentAssembly());
  if (isWhole) full = readAssembly(stacksOf(settingsOf('full', fullStages), code).app.synth().directory);
});
afterAll(() => {
  for (const folder of [code, full?.folder ?? []].flat()) removeFolder(folder);
});

const testOfFull = test.runIf(isWhole);

const only = ({ console }: Synthesized, type: string): CfnResource['Properties'] => {
  const found = console.ofType(type);
  expect(found, type).toHaveLength(1);
  return found[0]?.[1].Properties;
};
const distributionOf = (stage: Synthesized) =>
  only(stage, 'AWS::CloudFront::Distribution').DistributionConfig;
const embedIn = () => settingsOf('full', fullStages).console?.embedIn ?? [];

describe('the API', () => {
  testOfFull(
    'limits tests of receivers as the public API does: how many may begin, and how many run at once',
    () => {
      const throttleOf = (stacks: Synthesized['console']) =>
        stacks
          .ofType('AWS::ApiGateway::Stage')
          .flatMap(([, { Properties }]) => Properties.MethodSettings as Record<string, string>[])
          .filter(({ ResourcePath = '' }) => ResourcePath.endsWith('~1test'))
          .map(({ ResourcePath, ...throttle }) => throttle);
      expect(throttleOf(dev.publicApi)).toMatchObject([{ HttpMethod: 'POST', ThrottlingBurstLimit: 40 }]);
      expect(throttleOf(dev.console)).toEqual(throttleOf(dev.publicApi));
      const reserved = ({ console }: Synthesized) =>
        console
          .ofType('AWS::Lambda::Function')
          .filter(([, { Properties }]) => 'ReservedConcurrentExecutions' in Properties)
          .map(([id, { Properties }]) => [
            id.replace(/Function[0-9A-F]{8}$/, ''),
            Properties.ReservedConcurrentExecutions,
          ]);
      expect(reserved(full)).toEqual([['ConsoleconsoleTestWebhookSubscription', 30]]);
      expect(reserved(dev)).toEqual([]);
    },
  );
});

describe('functions', () => {
  test('that make links and end sessions are behind no route', () => {
    const uris = JSON.stringify(dev.console.ofType('AWS::ApiGateway::Method'));
    expect(uris).not.toMatch(/createConsoleLink|endConsoleSessions/);
    expect(dev.outputs).toMatchObject({
      ConsoleLinkFunction: { Ref: expect.stringMatching(/^ConsolecreateConsoleLinkFunction/) },
      EndConsoleSessionsFunction: { Ref: expect.stringMatching(/^ConsoleendConsoleSessionsFunction/) },
    });
  });
});

describe('CloudFront', () => {
  test.each([
    ['dev', () => dev, () => []],
    ...(isWhole ? [['full', () => full, embedIn] as const] : []),
  ] as const)(
    'sets in %s, as the local stack, the headers of the page on every answer',
    (_, stage, origins) => {
      const template = readTemplate(stage().folder, { queueUrl: (id) => id });
      expect(responseHeadersOf(template)).toEqual(consoleHeaders(origins()));
      const { SecurityHeadersConfig, CustomHeadersConfig } = only(
        stage(),
        'AWS::CloudFront::ResponseHeadersPolicy',
      ).ResponseHeadersPolicyConfig;
      const policies = [...Object.values(SecurityHeadersConfig), ...CustomHeadersConfig.Items];
      for (const policy of policies) expect(policy).toMatchObject({ Override: true });
      const { CacheBehaviors, DefaultCacheBehavior } = distributionOf(stage());
      for (const { ResponseHeadersPolicyId } of [DefaultCacheBehavior, ...CacheBehaviors])
        expect(ResponseHeadersPolicyId).toEqual({ Ref: expect.stringMatching(/^ConsoleSiteHeaders/) });
    },
  );
});

describe('the function of CloudFront', () => {
  const headers = consoleHeaders([]);

  function handle(uri: string): {
    uri?: string;
    statusCode?: number;
    headers?: Record<string, { value: string }>;
    body?: { data: string };
  } {
    const { FunctionCode } = only(dev, 'AWS::CloudFront::Function');
    return runInNewContext(
      `${FunctionCode}; handler({ request: { uri: ${JSON.stringify(uri)}, headers: {} } })`,
    );
  }

  test('gives the page for its folder, and every file of the page', async () => {
    for (const uri of ['/console/', '/console/index.html'])
      expect(handle(uri).uri).toBe('/console/index.html');
    const files = (await consolePageFiles()).filter(({ immutable }) => immutable);
    expect(files.length).toBeGreaterThan(1);
    for (const { name } of files) expect(handle(`/console/${name}`).uri).toBe(`/console/${name}`);
  });

  test.each([
    '/favicon.ico',
    '/index.html',
    '/console/none.js',
    '/console/../index.html',
    '/console/a/app.1A2B.js',
    '/consoles/',
    `/console/${'a'.repeat(65)}.1A2B.js`,
  ])('answers %s as unknown, in the one shape, with the headers of every answer', (uri) => {
    const answer = handle(uri);
    expect(answer.statusCode).toBe(404);
    expect(JSON.parse(answer.body?.data ?? '')).toEqual({
      error: 'Not Found',
      message: 'There is no such file',
    });
    for (const [name, value] of Object.entries(headers))
      expect(answer.headers?.[name.toLowerCase()]).toEqual({ value });
  });
});
