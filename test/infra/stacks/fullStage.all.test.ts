import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRestApis } from '../../../infra/local/gateway/model.ts';
import { currentAssembly } from '../../../infra/local/template/assembly.ts';
import { readTemplate } from '../../../infra/local/template/template.ts';
import { consoleOperations } from '../../../lib/contract/console/index.ts';
import { operations } from '../../../lib/contract/index.ts';
import { errorNames } from '../../../lib/errors/apiError.ts';
import { removeFolder, root } from '../../support/stack/stackProcess.ts';
import { type CfnResource, fullStages, type Synthesized, synthesize } from '../../support/stack/synth.ts';

// A stage that sets all that can be set, and most of it otherwise than dev and prod.

let full: Synthesized;
beforeAll(async () => {
  full = synthesize('full', { stages: fullStages, bundles: join(await currentAssembly(), 'bundle') });
});
afterAll(() => removeFolder(full.folder));

const only = (type: string): [string, CfnResource] => {
  const found = full.publicApi.ofType(type);
  expect(found, type).toHaveLength(1);
  return found[0] as [string, CfnResource];
};

describe('the domain', () => {
  test('https://api.example.com/v1 is the stage v1 of the API, over TLS 1.3 alone', () => {
    const [name, { Properties }] = only('AWS::ApiGateway::DomainName');
    expect(Properties).toMatchObject({
      DomainName: 'api.example.com',
      RegionalCertificateArn: expect.stringMatching(/^arn:aws:acm:/),
      EndpointConfiguration: { Types: ['REGIONAL'] },
      SecurityPolicy: 'SecurityPolicy_TLS13_1_3_2025_09',
      EndpointAccessMode: 'BASIC',
    });
    const [, mapping] = only('AWS::ApiGateway::BasePathMapping');
    expect(mapping.Properties).toEqual({
      BasePath: 'v1',
      DomainName: { Ref: name },
      RestApiId: { Ref: only('AWS::ApiGateway::RestApi')[0] },
      Stage: { Ref: only('AWS::ApiGateway::Stage')[0] },
    });
  });

  test('has the TLS of the API, by which API Gateway goes', () => {
    const { SecurityPolicy, EndpointAccessMode } = only('AWS::ApiGateway::RestApi')[1].Properties;
    expect(only('AWS::ApiGateway::DomainName')[1].Properties).toMatchObject({
      SecurityPolicy,
      EndpointAccessMode,
    });
  });

  test('is the only address, and the one that the outputs tell', () => {
    expect(only('AWS::ApiGateway::RestApi')[1].Properties.DisableExecuteApiEndpoint).toBe(true);
    const { BaseUrl, ...others } = full.outputs;
    expect(BaseUrl).toBe('https://api.example.com/v1');
    expect(JSON.stringify(others)).not.toContain('execute-api');
  });

  test('is in the DNS', () => {
    const target = (attribute: string) => ({
      'Fn::GetAtt': [only('AWS::ApiGateway::DomainName')[0], attribute],
    });
    expect(only('AWS::Route53::RecordSet')[1].Properties).toEqual({
      Type: 'A',
      Name: 'api.example.com.',
      HostedZoneId: 'Z0123456789ABC',
      AliasTarget: {
        DNSName: target('RegionalDomainName'),
        HostedZoneId: target('RegionalHostedZoneId'),
      },
    });
    expect(full.outputs.DomainTarget).toEqual(target('RegionalDomainName'));
  });
});

describe('the firewall', () => {
  const acl = () => only('AWS::WAFv2::WebACL')[1].Properties;
  // biome-ignore lint/suspicious/noExplicitAny: a rule of any kind
  const rule = (name: string): any => acl().Rules.find(({ Name }: { Name: string }) => Name === name);

  test('stands before the stage, and lets through what no rule blocks', () => {
    const [, { Properties }] = only('AWS::WAFv2::WebACLAssociation');
    expect(JSON.stringify(Properties.ResourceArn)).toMatch(
      new RegExp(`/stages/",\\{"Ref":"${only('AWS::ApiGateway::Stage')[0]}"\\}`),
    );
    expect(Properties.WebACLArn).toEqual({ 'Fn::GetAtt': [only('AWS::WAFv2::WebACL')[0], 'Arn'] });
    expect(acl()).toMatchObject({ Scope: 'REGIONAL', DefaultAction: { Allow: {} } });
  });

  test('blocks an address that sends more than the stage allows, and a body that says it is too large', () => {
    expect(rule('TooMany').Statement).toEqual({
      RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 5000 },
    });
    expect(rule('TooLarge').Statement.RegexMatchStatement.FieldToMatch).toEqual({
      SingleHeader: { Name: 'content-length' },
    });
  });

  test('leaves texts, addresses of webhooks, large bodies, lists of ids and silent clients to us: what the contract allows is not blocked', () => {
    const counted = ({ ManagedRuleGroupStatement }: { ManagedRuleGroupStatement: OverridingStatement }) =>
      ManagedRuleGroupStatement.RuleActionOverrides?.map(({ Name, ActionToUse }) => {
        expect(ActionToUse).toEqual({ Count: {} });
        return Name;
      });
    expect(counted(rule('AWSManagedRulesCommonRuleSet').Statement)).toEqual([
      'CrossSiteScripting_BODY',
      'EC2MetaDataSSRF_BODY',
      'GenericLFI_BODY',
      'GenericRFI_BODY',
      'NoUserAgent_HEADER',
      'SizeRestrictions_BODY',
      'SizeRestrictions_QUERYSTRING',
    ]);
    expect(counted(rule('AWSManagedRulesKnownBadInputsRuleSet').Statement)).toBeUndefined();
  });

  interface OverridingStatement {
    RuleActionOverrides?: { Name: string; ActionToUse: object }[];
  }

  test.each([
    ['TooLarge', 413],
    ['TooMany', 429],
  ] as const)('%s is answered %i in the one shape of errors', (name, status) => {
    const { CustomResponse } = rule(name).Action.Block;
    expect(CustomResponse).toMatchObject({ ResponseCode: status, CustomResponseBodyKey: name });
    const { Content, ContentType } = acl().CustomResponseBodies[name];
    expect(ContentType).toBe('APPLICATION_JSON');
    expect(JSON.parse(Content)).toEqual({ error: errorNames[status], message: expect.any(String) });
    const headers = CustomResponse.ResponseHeaders.map(({ Name }: { Name: string }) => Name);
    expect(headers).toEqual(expect.arrayContaining(['Cache-Control', 'X-Content-Type-Options']));
    expect(headers.includes('Retry-After')).toBe(status === 429);
  });

  test('shows nobody samples of requests, which have keys in their headers', () => {
    const shown = [acl(), ...acl().Rules].map(({ VisibilityConfig }) => VisibilityConfig);
    expect(shown).toHaveLength(5);
    for (const config of shown) expect(config).toMatchObject({ SampledRequestsEnabled: false });
  });
});

test('functions have the memory of the stage, but for those that have their own', () => {
  const memory = full
    .ofType('AWS::Lambda::Function')
    .map(([id, { Properties }]) => [
      /^(?:Api|Console|Index|Ingest|Usage|Webhooks)(\w+)Function/.exec(id)?.[1],
      Properties.MemorySize,
    ])
    .filter(([, mb]) => mb !== 256);
  expect(memory.sort()).toEqual([
    ['authorizer', 1769],
    ['deliverWebhook', 512],
  ]);
});

test('without tracing no function may write traces, and nothing makes them', () => {
  expect(only('AWS::ApiGateway::Stage')[1].Properties.TracingEnabled).toBe(false);
  for (const [id, { Properties }] of full.ofType('AWS::Lambda::Function'))
    expect(Properties, id).not.toHaveProperty('TracingConfig');
  expect(JSON.stringify(full.ofType('AWS::IAM::Role'))).not.toContain('xray:');
});

test('traffic moves to new code at the pace that the stage sets', () => {
  const paces = full
    .ofType('AWS::CodeDeploy::DeploymentGroup')
    .map(([, { Properties }]) => Properties.DeploymentConfigName);
  expect(new Set(paces)).toEqual(new Set(['CodeDeployDefault.LambdaLinear10PercentEvery1Minute']));
});

test('one machine would serve it, too', () => {
  const apis = readRestApis(readTemplate(full.folder, { queueUrl: (id) => id }));
  expect(Object.fromEntries(apis.map(({ stage, methods }) => [stage, methods.length]))).toEqual({
    v1: operations.length,
    console: consoleOperations.length,
  });
});

test('the reference is published by a stack of its own, and documents the API at its domain', () => {
  const read = (stack: string) =>
    JSON.parse(readFileSync(join(full.folder, `${stack}.template.json`), 'utf8'));
  expect(Object.keys(read('public-api-full-reference').Outputs)).toContain('ReferenceUrl');
  const [file] = globSync('asset.*/openapi.json', { cwd: full.folder });
  const { servers } = JSON.parse(readFileSync(join(full.folder, file as string), 'utf8'));
  expect(servers).toEqual([{ url: 'https://api.example.com/v1', description: 'This API.' }]);
});

test('what another stage gives its reference is exported here, too: an export that is in use could not go', () => {
  expect(Object.keys(full.outputs)).toContainEqual(expect.stringMatching(/^ExportsOutputRefApi/));
});

test('the next ten operations fit into the stack of the API, each on a path of its own', () => {
  const file = join(full.folder, 'public-api-full.template.json');
  const { Resources } = JSON.parse(readFileSync(file, 'utf8')) as { Resources: Record<string, CfnResource> };
  const named = Object.keys(Resources).filter((id) => id.includes(operations[0].id));
  expect(named.length).toBeGreaterThan(5);
  // Methods and paths are named by the path.
  const ofEach = named.length + 2;
  expect(Object.keys(Resources).length + 10 * ofEach).toBeLessThanOrEqual(500);
  expect(readFileSync(join(root, 'docs', 'scale.md'), 'utf8')).toContain(
    `and ${ofEach} with \`gradualDeployment\``,
  );
});

test('the other settings are where they belong', () => {
  expect(only('AWS::ApiGateway::Authorizer')[1].Properties.AuthorizerResultTtlInSeconds).toBe(0);
  for (const [id, { Properties }] of full.ofType('AWS::Logs::LogGroup'))
    expect(Properties.RetentionInDays, id).toBe(30);
});
