import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { responseHeadersOf } from '../../../infra/local/gateway/responseHeaders.ts';
import { currentAssembly } from '../../../infra/local/template/assembly.ts';
import { readTemplate } from '../../../infra/local/template/template.ts';
import { consolePageFiles } from '../../../infra/pages/consoleFiles.ts';
import { cacheControlOf, consoleHeaders } from '../../../infra/pages/headers.ts';
import { viewerRequestCode } from '../../../infra/stacks/console/viewerRequest.ts';
import { settingsOf } from '../../../infra/stacks/stages/stages.ts';
import { consoleFileOf, consoleOperations } from '../../../lib/contract/console/index.ts';
import { grantsOf } from '../../support/permissions/grants.ts';
import { isWhole } from '../../support/run/extent.ts';
import { removeFolder, root, temporaryFolder } from '../../support/stack/stackProcess.ts';
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
  test('has a route for every operation, each with a function of its own, at the same path as in CloudFront', () => {
    const methods = dev.console.ofType('AWS::ApiGateway::Method');
    expect(methods.map(([, { Properties }]) => Properties.OperationName).sort()).toEqual(
      consoleOperations.map(({ id }) => id).sort(),
    );
    const uris = methods.map(([, { Properties }]) => JSON.stringify(Properties.Integration.Uri));
    expect(new Set(uris).size).toBe(methods.length);
    expect(only(dev, 'AWS::ApiGateway::Stage').StageName).toBe('console');
    for (const { path } of consoleOperations) expect(path).toMatch(/^\/api\//);
  });

  test('has no authorizer, so each function is an endpoint of the console, which checks the session', () => {
    expect(dev.console.ofType('AWS::ApiGateway::Authorizer')).toEqual([]);
    for (const operation of consoleOperations)
      expect(readFileSync(join(root, consoleFileOf(operation)), 'utf8'), operation.id).toMatch(
        new RegExp(`^export const handler = consoleEndpoint\\(\\s*${operation.id},`, 'm'),
      );
  });

  test('takes five hundred requests a second, and has an access log without query string, header and body', () => {
    const { MethodSettings, AccessLogSetting } = only(dev, 'AWS::ApiGateway::Stage');
    expect(MethodSettings).toContainEqual(
      expect.objectContaining({
        HttpMethod: '*',
        ResourcePath: '/*',
        ThrottlingRateLimit: 500,
        ThrottlingBurstLimit: 1000,
      }),
    );
    expect(JSON.parse(AccessLogSetting.Format)).toHaveProperty('request_id', '$context.requestId');
    expect(AccessLogSetting.Format).not.toMatch(/\$context\.path\b|authorizer|querystring|header|\$input/i);
  });

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

  test('gives the errors of the gateway in the one shape, as the public API does', () => {
    const answers = (stacks: Synthesized['console']) =>
      stacks.ofType('AWS::ApiGateway::GatewayResponse').map(([, { Properties }]) => ({
        ...Properties,
        RestApiId: undefined,
      }));
    expect(answers(dev.console)).toEqual(answers(dev.publicApi));
  });

  testOfFull('speaks TLS 1.2 to CloudFront, also where clients must speak 1.3', () => {
    expect(only(full, 'AWS::ApiGateway::RestApi').SecurityPolicy).toBe(
      'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
    );
  });
});

describe('functions', () => {
  testOfFull('know the addresses and the settings of their stage', () => {
    for (const [, { Properties }] of full.console.ofType('AWS::Lambda::Function').filter(isOurs))
      expect(Properties.Environment.Variables).toMatchObject({
        CONSOLE_URL: 'https://integrations.example.com/console/',
        API_URL: 'https://api.example.com/v1',
        CONSOLE_REFERENCE_URL: 'https://docs.example.com/',
        CONSOLE_RENEW_URL: 'https://app.example.com/settings/integrations',
        KEY_ENVIRONMENT: 'live',
      });
    const [, of] = dev.console.ofType('AWS::Lambda::Function').find(isOurs) as [string, CfnResource];
    expect(of.Properties.Environment.Variables).not.toHaveProperty('CONSOLE_RENEW_URL');
  });

  const isOurs = ([id]: [string, CfnResource]) => /^Console(?!AuthorizerFlush)/.test(id);

  test('none may change or delete what the activity has', () => {
    const onActivity = grantsOf(dev).filter(({ resource }) => resource.startsWith('TablesActivity'));
    expect(new Set(onActivity.map(({ action }) => action))).toEqual(
      new Set(['dynamodb:PutItem', 'dynamodb:Query']),
    );
  });

  testOfFull(
    'only the roles of the product may make links and end sessions, and only where a stage names one',
    () => {
      const invokers = ({ console }: Synthesized) =>
        console
          .ofType('AWS::Lambda::Permission')
          .filter(([, { Properties }]) => Properties.Principal !== 'apigateway.amazonaws.com')
          .map(([, { Properties }]) => [
            Properties.FunctionName['Fn::GetAtt'][0].replace(/Function[0-9A-F]{8}$/, ''),
            Properties.Action,
            Properties.Principal,
          ]);
      const roles = ['product-backend', 'product-systems'].map(
        (role) => `arn:aws:iam::000000000000:role/${role}`,
      );
      expect(invokers(full)).toEqual(
        ['ConsolecreateConsoleLink', 'ConsoleendConsoleSessions'].flatMap((name) =>
          roles.map((role) => [name, 'lambda:InvokeFunction', role]),
        ),
      );
      expect(invokers(dev)).toEqual([]);
    },
  );

  test('one may empty the cache of the authorizer, and nothing else; those that change keys may ask it to', () => {
    const grants = grantsOf(dev).filter(({ functionId }) => functionId === 'flushAuthorizer');
    const named = new Set(grants.map(({ action }) => action.split(':')[0]));
    expect(named).toEqual(new Set(['logs', 'xray', 'apigateway', 'sqs']));
    const flushing = grantsOf(dev).filter(({ action }) => action.startsWith('apigateway:'));
    expect(flushing).toEqual([
      { functionId: 'flushAuthorizer', action: 'apigateway:DELETE', resource: 'cache/authorizers' },
    ]);
    const policies = JSON.stringify(dev.console.ofType('AWS::IAM::Role'));
    expect(policies.match(/"apigateway:DELETE".*?\/cache\/authorizers/)?.[0]).not.toContain('*');
    const asking = grantsOf(dev).filter(
      ({ action, resource }) => action === 'sqs:SendMessage' && /KeyChanges|AuthorizerFlush/.test(resource),
    );
    expect(asking.map(({ functionId }) => functionId).sort()).toEqual([
      'revokeKey',
      'rotateKey',
      'updateKey',
    ]);
  });

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
  test('has the files at /console/, and passes requests of the API on with their cookies, without a cache', () => {
    const { CacheBehaviors, DefaultCacheBehavior, Origins } = distributionOf(dev);
    expect(CacheBehaviors).toMatchObject([
      {
        PathPattern: '/console/api/*',
        // Managed policies: CachingDisabled and AllViewerExceptHostHeader.
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
        AllowedMethods: expect.arrayContaining(['GET', 'POST', 'PATCH', 'DELETE']),
        ViewerProtocolPolicy: 'https-only',
      },
    ]);
    expect(DefaultCacheBehavior.ViewerProtocolPolicy).toBe('redirect-to-https');
    expect(Origins).toMatchObject([
      { OriginAccessControlId: expect.anything() },
      {
        DomainName: {
          'Fn::Join': [
            '',
            [
              { Ref: expect.stringMatching(/^ConsoleRest/) },
              '.execute-api.',
              expect.anything(),
              '.',
              expect.anything(),
            ],
          ],
        },
        CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
      },
    ]);
  });

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

  test('has a policy that CloudFront takes, also with as many origins as a stage may name', () => {
    const origins = Array.from({ length: 5 }, (_, i) => `https://${'a'.repeat(240)}${i}.example.com:12345`);
    expect(consoleHeaders(origins)['Content-Security-Policy']?.length).toBeLessThanOrEqual(1783);
    // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html
    expect(viewerRequestCode(consoleHeaders(origins)).length).toBeLessThanOrEqual(10_240);
  });

  testOfFull('has a domain only where a stage names one, and its TLS', () => {
    expect(distributionOf(dev)).not.toHaveProperty('Aliases');
    expect(distributionOf(full)).toMatchObject({
      Aliases: ['integrations.example.com'],
      ViewerCertificate: {
        AcmCertificateArn: expect.stringContaining(':acm:us-east-1:'),
        MinimumProtocolVersion: 'TLSv1.3_2025',
        SslSupportMethod: 'sni-only',
      },
    });
    expect(full.outputs).toMatchObject({
      ConsoleUrl: 'https://integrations.example.com/console/',
      ConsoleTarget: { 'Fn::GetAtt': [expect.stringMatching(/^ConsoleSiteDistribution/), 'DomainName'] },
    });
  });

  test('nobody else reads the bucket of the files', () => {
    expect(Object.values(only(dev, 'AWS::S3::Bucket').PublicAccessBlockConfiguration)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    const { Statement } = only(dev, 'AWS::S3::BucketPolicy').PolicyDocument;
    expect(Statement.filter(({ Effect }: { Effect: string }) => Effect === 'Allow')).toMatchObject([
      { Action: 's3:GetObject', Principal: { Service: 'cloudfront.amazonaws.com' } },
    ]);
  });

  test('a release writes the page after the files that it names, and leaves those of earlier ones', () => {
    const [[files, first], [, second]] = dev.console.ofType('Custom::CDKBucketDeployment') as [
      [string, CfnResource],
      [string, CfnResource],
    ];
    expect(first.Properties).toMatchObject({
      Prune: false,
      DestinationBucketKeyPrefix: 'console',
      SystemMetadata: { 'cache-control': cacheControlOf({ immutable: true }) },
    });
    expect(second.Properties).toMatchObject({
      Prune: false,
      DestinationBucketKeyPrefix: 'console',
      SystemMetadata: { 'cache-control': cacheControlOf({ immutable: false }) },
      DistributionPaths: ['/console/index.html'],
    });
    expect(second.DependsOn).toContain(files);
  });
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

  testOfFull(
    'says whom to tell about a weakness, where the stage does, and until a time that is always ahead',
    () => {
      expect(handle('/.well-known/security.txt')).toMatchObject({ statusCode: 404 });
      const { FunctionCode } = only(full, 'AWS::CloudFront::Function');
      for (const now of [Date.now(), Date.now() + 5 * 365 * 24 * 3_600_000]) {
        const ask = `handler({ request: { uri: '/.well-known/security.txt', headers: {} } })`;
        const at = `Date.now = () => ${now}; ${FunctionCode}; ${ask}`;
        const { statusCode, headers, body } = runInNewContext(at);
        expect([statusCode, headers['content-type'].value]).toEqual([200, 'text/plain; charset=utf-8']);
        const [, expires] = /^Expires: (.*)$/m.exec(body.data) ?? [];
        expect(body.data).toMatch(/^Contact: mailto:security@example\.com$/m);
        const ahead = Date.parse(expires as string) - now;
        expect(ahead).toBeGreaterThan(0);
        expect(ahead).toBeLessThan(365 * 24 * 3_600_000);
      }
    },
  );

  test.each(['/', '/console'])('leads from %s to the page', (uri) => {
    expect(handle(uri)).toMatchObject({ statusCode: 301, headers: { location: { value: '/console/' } } });
  });

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
