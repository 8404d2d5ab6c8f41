import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readRestApis } from '../../../infra/local/gateway/model.ts';
import { eventFilter } from '../../../infra/local/stream/eventFilter.ts';
import { currentAssembly } from '../../../infra/local/template/assembly.ts';
import { readTemplate } from '../../../infra/local/template/template.ts';
import { dataTemplate, shapeOf, type Template } from '../../../infra/ops/documents/unchangeable.ts';
import { type Permissions, permissions } from '../../../infra/stacks/permissions.ts';
import { stageSettings } from '../../../infra/stacks/stages/stages.ts';
import { operations } from '../../../lib/contract/index.ts';
import { idempotencyKey } from '../../../lib/dynamodb/idempotency.ts';
import { env } from '../../../lib/env.ts';
import { denialReason, suspendedMessage, suspendedReason } from '../../../lib/errors/apiError.ts';
import { keysTable } from '../../../lib/keys/table.ts';
import { entriesMax } from '../../../lib/records/upsert/upsert.ts';
import {
  countKey,
  deletedKey,
  deliveryKey,
  eventKey,
  jobKey,
  secretsKey,
  subscriptionKey,
  suspensionKey,
  urlKey,
} from '../../../lib/webhooks/model/keys.ts';
import { subscriptionsMax } from '../../../lib/webhooks/subscriptions/createSubscription.ts';
import { settings as simulatedIndex } from '../../simulation/index/settings.ts';
import { settings as simulated } from '../../simulation/webhooks/settings.ts';
import { runbook } from '../../support/documents/documents.ts';
import { functionIdOf } from '../../support/permissions/access.ts';
import { grantsOf, mappingNeedsOf } from '../../support/permissions/grants.ts';
import {
  type CfnResource,
  readAssembly,
  type Synthesized,
  synthesizedProd,
} from '../../support/stack/synth.ts';

let dev: Synthesized;
let prod: Synthesized;
beforeAll(async () => {
  dev = readAssembly(await currentAssembly());
  prod = await synthesizedProd();
});

test('the CLI finds nothing to warn of', () => {
  expect(prod.output).not.toMatch(/warn|not configured|deprecated/i);
});

test('it is made without the network', () => {
  expect(prod.connectedTo).toEqual([]);
});

test('without a domain there is the address that AWS gives, and without a firewall none', () => {
  expect(prod.ofType('AWS::ApiGateway::RestApi')[0]?.[1].Properties).toMatchObject({
    DisableExecuteApiEndpoint: false,
  });
  expect(JSON.stringify(prod.outputs.BaseUrl)).toContain('.execute-api.');
  expect(JSON.stringify(prod.publicApi.resources)).not.toMatch(/"AWS::(WAFv2|Route53)::|DomainName"/);
});

test('clients connect by TLS 1.2 or 1.3, for the host that they ask', () => {
  for (const { ofType } of [dev, prod])
    expect(ofType('AWS::ApiGateway::RestApi')[0]?.[1].Properties).toMatchObject({
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      EndpointAccessMode: 'STRICT',
    });
});

describe('routes', () => {
  test('there is one for every operation of the contract, and no other', () => {
    const names = prod.publicApi
      .ofType('AWS::ApiGateway::Method')
      .map(([, { Properties }]) => Properties.OperationName);
    expect(names.sort()).toEqual(operations.map(({ id }) => id).sort());
  });

  test('each goes to a Lambda of its own', () => {
    const uris = prod.publicApi
      .ofType('AWS::ApiGateway::Method')
      .map(([, { Properties }]) => JSON.stringify(Properties.Integration.Uri));
    expect(new Set(uris).size).toBe(operations.length);
  });

  test('all are behind the authorizer', () => {
    const [[authorizer]] = prod.ofType('AWS::ApiGateway::Authorizer') as [[string, CfnResource]];
    for (const [id, { Properties }] of prod.publicApi.ofType('AWS::ApiGateway::Method')) {
      expect(Properties.AuthorizationType, id).toBe('CUSTOM');
      expect(Properties.AuthorizerId, id).toEqual({ Ref: authorizer });
    }
  });

  test('they are in the stage v1, whose access log has no query string, header or body', () => {
    const [[, stage]] = prod.ofType('AWS::ApiGateway::Stage') as [[string, CfnResource]];
    expect(stage.Properties.StageName).toBe('v1');
    const format = stage.Properties.AccessLogSetting.Format;
    expect(JSON.parse(format)).toHaveProperty('request_id', '$context.requestId');
    expect(format).not.toMatch(/\$context\.path\b|querystring|header|apiKey|\$input/i);
    const [, fields = ''] = /fields (time, [^']*)'/.exec(runbook) ?? [];
    expect(Object.keys(JSON.parse(format))).toEqual(expect.arrayContaining(fields.split(', ')));
    expect(fields).toContain('key_id');
    // Texts of anybody's choice: a quotation mark in them would end the JSON.
    expect(format).not.toMatch(/error\b(?!\.responseType)|message|user/i);
  });

  test('the API may call its functions by one permission each, the clock the sweep, the comparison of the index and the sum of days, and all logs the counting', () => {
    expect(prod.publicApi.ofType('AWS::Lambda::Permission')).toHaveLength(operations.length + 5);
  });
});

describe('the counting of requests', () => {
  const filters = () => prod.ofType('AWS::Logs::SubscriptionFilter').map(([, { Properties }]) => Properties);

  test('gets the lines of keys from the access log, and of all operations those of requests that failed', () => {
    const patterns = filters()
      .map(({ FilterPattern }) => FilterPattern)
      .sort();
    expect(patterns).toEqual(['{ $.key_id != "-" }', '{ $.message = "request" && $.status >= 400 }']);
    const { LogGroupName } = filters().find(({ FilterPattern }) => FilterPattern.includes('status'));
    const logging = prod
      .ofType('AWS::Lambda::Function')
      .filter(([, { Properties }]) => Properties.LoggingConfig.LogGroup?.Ref === LogGroupName.Ref)
      .map(([id]) => functionIdOf(id));
    expect(logging.sort()).toEqual(operations.map(({ id }) => id).sort());
  });

  test('knows the key of a request by the authorizer, which no request without a route reaches', () => {
    const [[, stage]] = prod.ofType('AWS::ApiGateway::Stage') as [[string, CfnResource]];
    const { key_id } = JSON.parse(stage.Properties.AccessLogSetting.Format);
    expect(key_id).toBe('$context.authorizer.key_id');
    const methods = prod.publicApi.ofType('AWS::ApiGateway::Method').map(([, { Properties }]) => Properties);
    expect(methods.filter(({ HttpMethod }) => HttpMethod === 'ANY')).toEqual([]);
    const paths = prod.publicApi.ofType('AWS::ApiGateway::Resource').map(([, { Properties }]) => Properties);
    expect(paths.filter(({ PathPart }) => PathPart.includes('+'))).toEqual([]);
  });

  test('does not get its own log, which would never end', () => {
    for (const { LogGroupName, DestinationArn } of filters()) {
      expect(DestinationArn['Fn::GetAtt'][0]).toMatch(/^UsagecountRequestsFunction/);
      expect(LogGroupName.Ref).toMatch(/^Api/);
    }
  });
});

describe('tests of webhooks, which hold a function for as long as a receiver lets them wait', () => {
  const functionOf = ({ ofType }: Synthesized) =>
    ofType('AWS::Lambda::Function').filter(
      ([, { Properties }]) => 'ReservedConcurrentExecutions' in Properties,
    );

  test('run in prod at most as many at once as are reserved for them, and only the counting of requests has less than the account, too', () => {
    const reserved = functionOf(prod).map(([id, { Properties }]) => [
      id.replace(/Function[0-9A-F]{8}$/, ''),
      Properties.ReservedConcurrentExecutions,
    ]);
    expect(reserved).toEqual([
      ['ApitestWebhookSubscription', 60],
      ['UsagecountRequests', 5],
      ['ConsoleconsoleTestWebhookSubscription', 60],
    ]);
    expect(functionOf(dev)).toEqual([]);
  });

  test('of one account take neither all that are reserved nor all that the gateway lets begin at once', () => {
    const fewest = stageSettings.shape.testConcurrency;
    expect(fewest.safeParse(subscriptionsMax).success).toBe(false);
    expect(fewest.safeParse(subscriptionsMax + 1).success).toBe(true);
    for (const { ofType } of [dev, prod]) {
      const [[, stage]] = ofType('AWS::ApiGateway::Stage') as [[string, CfnResource]];
      expect(stage.Properties.MethodSettings[0].ThrottlingBurstLimit).toBeGreaterThan(subscriptionsMax);
    }
  });

  test('have as many functions on one machine, and no other function has more than usual', async () => {
    const apis = readRestApis(readTemplate(await currentAssembly(), { queueUrl: (id) => id }));
    const methods = apis.flatMap((api) => api.methods);
    const bursts = methods.filter(({ burst }) => burst !== undefined);
    expect(
      bursts.map(({ functionId, burst }) => [functionId.replace(/Function.*/, ''), burst]).sort(),
    ).toEqual([
      ['ApitestWebhookSubscription', 40],
      ['ConsoleconsoleTestWebhookSubscription', 40],
    ]);
  });

  test('are throttled by the gateway, and nothing else is', () => {
    for (const { ofType } of [dev, prod]) {
      const [[, stage]] = ofType('AWS::ApiGateway::Stage') as [[string, CfnResource]];
      expect(stage.Properties.MethodSettings).toEqual([
        {
          HttpMethod: 'POST',
          ResourcePath: '/~1webhook-subscriptions~1{subscriptionId}~1test',
          DataTraceEnabled: false,
          ThrottlingRateLimit: 20,
          ThrottlingBurstLimit: 40,
        },
      ]);
    }
  });
});

describe('names that clients give', () => {
  test('are looked up on 32 threads, in every function that looks them up', () => {
    const resolving = Object.entries(permissions)
      .filter(([, { resolves }]: [string, Permissions]) => resolves)
      .map(([id]) => id);
    for (const { ofType } of [dev, prod]) {
      const having = ofType('AWS::Lambda::Function')
        .filter(([, { Properties }]) => Properties.Environment?.Variables.UV_THREADPOOL_SIZE === '32')
        .map(([id]) => id.replace(/^(?:Api|Console|Webhooks)(\w+)Function[0-9A-F]{8}$/, '$1'));
      expect(having.sort()).toEqual(resolving.sort());
    }
  });

  test('are looked up in the public DNS: no function is in a network with names of its own', () => {
    for (const { ofType } of [dev, prod])
      for (const [id, { Properties }] of ofType('AWS::Lambda::Function'))
        expect(Properties, id).not.toHaveProperty('VpcConfig');
  });
});

describe('test keys', () => {
  test('are refused where data is kept, by every function that reads keys, and an output says so to the ops commands', () => {
    for (const [{ ofType, outputs }, value, output] of [
      [dev, undefined, 'taken'],
      [prod, '1', 'refused'],
    ] as const) {
      const reading = Object.entries(permissions).flatMap(([id, { keys }]: [string, Permissions]) =>
        keys ? [id] : [],
      );
      for (const id of reading) {
        const name = new RegExp(`^(?:Api|Console)${id}Function[0-9A-F]{8}$`);
        const [, found] = ofType('AWS::Lambda::Function').find(([one]) => name.test(one)) ?? [];
        expect(found?.Properties.Environment.Variables, id).toHaveProperty(env.keysTable);
        expect(found?.Properties.Environment.Variables[env.refuseTestKeys], id).toBe(value);
      }
      expect(outputs.TestKeys).toBe(output);
    }
  });
});

describe('gateway responses', () => {
  const types = [
    'ACCESS_DENIED',
    'API_CONFIGURATION_ERROR',
    'AUTHORIZER_CONFIGURATION_ERROR',
    'AUTHORIZER_FAILURE',
    'BAD_REQUEST_BODY',
    'BAD_REQUEST_PARAMETERS',
    'DEFAULT_4XX',
    'DEFAULT_5XX',
    'EXPIRED_TOKEN',
    'INTEGRATION_FAILURE',
    'INTEGRATION_TIMEOUT',
    'INVALID_API_KEY',
    'INVALID_SIGNATURE',
    'MISSING_AUTHENTICATION_TOKEN',
    'QUOTA_EXCEEDED',
    'REQUEST_TOO_LARGE',
    'RESOURCE_NOT_FOUND',
    'THROTTLED',
    'UNAUTHORIZED',
    'UNSUPPORTED_MEDIA_TYPE',
    'WAF_FILTERED',
  ];
  const responses = () =>
    new Map(
      prod
        .ofType('AWS::ApiGateway::GatewayResponse')
        .map(([, { Properties }]) => [Properties.ResponseType, Properties]),
    );

  test('there is one for each of the 21 types', () => {
    expect([...responses().keys()].sort()).toEqual(types);
  });

  test.each(types)('%s is JSON of exactly error and message, with the headers of every answer', (type) => {
    const { ResponseTemplates, ResponseParameters } = responses().get(type);
    expect(Object.keys(ResponseTemplates)).toEqual(['application/json']);
    const body = JSON.parse(ResponseTemplates['application/json']);
    expect(Object.keys(body)).toEqual(['error', 'message']);
    expect(ResponseParameters).toMatchObject({
      'gatewayresponse.header.X-Request-Id': 'context.requestId',
      'gatewayresponse.header.Cache-Control': "'no-store'",
      'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      'gatewayresponse.header.Strict-Transport-Security': expect.stringMatching(/^'max-age=\d+/),
    });
  });

  test('what is denied says that the account is suspended only when the authorizer has said so, in words that need no escape', () => {
    const body: string = responses().get('ACCESS_DENIED').ResponseTemplates['application/json'];
    const said = (reason: string) =>
      JSON.parse(body.replace(`$context.authorizer.${denialReason}`, reason)).message;
    expect(said('')).toBe('The request was refused');
    expect(said(suspendedReason)).toBe(suspendedMessage);
    for (const type of types.filter((one) => one !== 'ACCESS_DENIED'))
      expect(responses().get(type).ResponseTemplates['application/json'], type).not.toMatch(/\$|suspended/);
  });

  test.each(types)('%s is shorter than what is compressed: AWS does not say whether it would be', (type) => {
    const [[, { Properties }]] = prod.ofType('AWS::ApiGateway::RestApi') as [[string, CfnResource]];
    expect(Properties.MinimumCompressionSize).toBe(1024);
    const body: string = responses().get(type).ResponseTemplates['application/json'];
    expect(Buffer.byteLength(body)).toBeLessThan(Properties.MinimumCompressionSize);
  });

  test('the two defaults have no status, which would be that of all others too', () => {
    expect(responses().get('DEFAULT_4XX')).not.toHaveProperty('StatusCode');
    expect(responses().get('DEFAULT_5XX')).not.toHaveProperty('StatusCode');
  });

  test('401 is word for word what the specification says, and an unknown route is 404', () => {
    expect(responses().get('UNAUTHORIZED')).toMatchObject({
      StatusCode: '401',
      ResponseTemplates: {
        'application/json': '{"error":"Unauthorized","message":"Missing or invalid API key"}',
      },
    });
    // The last two are of an unknown path with the header Authorization.
    for (const type of ['MISSING_AUTHENTICATION_TOKEN', 'INVALID_SIGNATURE', 'EXPIRED_TOKEN'])
      expect(responses().get(type), type).toMatchObject({ StatusCode: '404' });
  });

  test('a changed response makes a new deployment', () => {
    for (const { ofType } of [prod.publicApi, prod.console]) {
      const [[, deployment]] = ofType('AWS::ApiGateway::Deployment') as [
        [string, { DependsOn: string[] } & CfnResource],
      ];
      for (const [id] of ofType('AWS::ApiGateway::GatewayResponse'))
        expect(deployment.DependsOn).toContain(id);
    }
  });
});

describe('gradual deployment', () => {
  const calledIn = ({ ofType }: Synthesized) => [
    ...ofType('AWS::ApiGateway::Method').map(([, { Properties }]) =>
      JSON.stringify(Properties.Integration.Uri),
    ),
    ...ofType('AWS::ApiGateway::Authorizer').map(([, { Properties }]) =>
      JSON.stringify(Properties.AuthorizerUri),
    ),
  ];

  test('in prod the gateway calls the live code of every function, which it may, and in dev the function', () => {
    const aliases = prod.ofType('AWS::Lambda::Alias');
    expect(aliases).toHaveLength(operations.length + 1);
    expect(dev.ofType('AWS::Lambda::Alias')).toEqual([]);
    for (const [id, { Properties }] of aliases) {
      expect(Properties.Name).toBe('live');
      const name = Properties.FunctionName.Ref.replace(/Function[0-9A-F]{8}$/, '');
      expect(Properties.FunctionVersion['Fn::GetAtt'][0], id).toMatch(
        new RegExp(`^${name}FunctionCurrentVersion`),
      );
      expect(
        calledIn(prod).filter((uri) => uri.includes(`{"Ref":"${id}"}`)),
        id,
      ).toHaveLength(1);
      const permitted = prod
        .ofType('AWS::Lambda::Permission')
        .filter(([, permission]) => permission.Properties.FunctionName.Ref === id);
      expect(permitted, id).toHaveLength(1);
    }
  });

  test('moves a tenth of the requests to new code, and the others five minutes later', () => {
    const groups = prod.ofType('AWS::CodeDeploy::DeploymentGroup');
    const [[application]] = prod.ofType('AWS::CodeDeploy::Application') as [[string, CfnResource]];
    const used = prod
      .ofType('AWS::Lambda::Alias')
      .map(([, { UpdatePolicy }]) => UpdatePolicy?.CodeDeployLambdaAliasUpdate);
    expect(used).toEqual(
      groups.map(([id]) => ({ ApplicationName: { Ref: application }, DeploymentGroupName: { Ref: id } })),
    );
    for (const [id, { Properties }] of groups)
      expect(Properties.DeploymentConfigName, id).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
  });

  test('five at a time, each after another of the five before it', () => {
    const aliases = prod.ofType('AWS::Lambda::Alias').map(([id]) => id);
    const awaited = prod.ofType('AWS::Lambda::Alias').map(([, { DependsOn = [] }]) => DependsOn);
    expect(awaited).toEqual([...Array(5).fill([]), ...aliases.slice(0, -5).map((id) => [id])]);
  });

  describe('goes back to the old code when the new one', () => {
    const groups = () => prod.ofType('AWS::CodeDeploy::DeploymentGroup');
    const alarmOf = (group: CfnResource): CfnResource =>
      prod.resources[group.Properties.AlarmConfiguration.Alarms[0].Name.Ref] as CfnResource;
    const watchedBy = (group: CfnResource) =>
      alarmOf(group).Properties.Metrics.flatMap(
        ({ MetricStat }: { MetricStat?: { Metric: object; Stat: string } }) =>
          MetricStat ? [{ ...MetricStat.Metric, Stat: MetricStat.Stat }] : [],
      );

    test('fails three times in a minute, and in more than one request of a hundred', () => {
      expect(groups()).toHaveLength(operations.length + 1);
      for (const [id, group] of groups()) {
        expect(group.Properties, id).toMatchObject({
          AlarmConfiguration: { Enabled: true, Alarms: [expect.anything()] },
          AutoRollbackConfiguration: {
            Enabled: true,
            Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
          },
        });
        expect(alarmOf(group).Properties, id).toMatchObject({
          EvaluationPeriods: 1,
          ComparisonOperator: 'GreaterThanThreshold',
          Threshold: 1,
          TreatMissingData: 'notBreaching',
        });
        expect(alarmOf(group).Properties.Metrics[0].Expression).toBe(
          'IF(failures >= 3, 100 * failures / requests, 0)',
        );
      }
    });

    test('each by its own alarm on the new version alone, so that a release can fix a failure', () => {
      for (const [id, group] of groups().filter(([id]) => !id.includes('authorizer'))) {
        const operation = /^ApiRelease(\w+)Deployment/.exec(id)?.[1];
        const version = {
          'Fn::GetAtt': [
            expect.stringMatching(new RegExp(`^Api${operation}FunctionCurrentVersion`)),
            'Version',
          ],
        };
        const ofLambda = {
          Namespace: 'AWS/Lambda',
          Dimensions: [
            { Name: 'ExecutedVersion', Value: version },
            { Name: 'FunctionName', Value: { Ref: expect.any(String) } },
            { Name: 'Resource', Value: { 'Fn::Join': ['', [{ Ref: expect.any(String) }, ':live']] } },
          ],
          Stat: 'Sum',
        };
        expect(watchedBy(group), id).toEqual([
          { ...ofLambda, MetricName: 'Errors' },
          {
            Namespace: 'public-api-prod',
            MetricName: 'duration_ms',
            Dimensions: [
              { Name: 'operation', Value: operation },
              { Name: 'outcome', Value: '5xx' },
              { Name: 'version', Value: version },
            ],
            Stat: 'SampleCount',
          },
          { ...ofLambda, MetricName: 'Invocations' },
        ]);
      }
    });

    test('and for the authorizer, which throws for every key that it refuses, when the API fails', () => {
      const [[, group]] = groups().filter(([id]) => id.includes('authorizer')) as [[string, CfnResource]];
      // Literals: a reference to the stage would wait for the very function that waits for the alarm.
      const ofTheApi = {
        Namespace: 'AWS/ApiGateway',
        Dimensions: [
          { Name: 'ApiName', Value: 'public-api-prod' },
          { Name: 'Stage', Value: 'v1' },
        ],
        Stat: 'Sum',
      };
      expect(watchedBy(group)).toEqual([
        { ...ofTheApi, MetricName: '5XXError' },
        { ...ofTheApi, MetricName: 'Count' },
      ]);
    });
  });

  test('is no other API: one machine would serve the same methods by the same functions', () => {
    // The format of the access log is a function here; the templates have the same text.
    const apiOf = ({ folder }: Synthesized) =>
      readRestApis(readTemplate(folder, { queueUrl: (id) => id })).map((api) => ({
        ...api,
        accessLog: api.accessLog?.group,
      }));
    expect(apiOf(prod)).toEqual(apiOf(dev));
  });
});

describe('tables', () => {
  test.each(['dev', 'prod'])(
    'in %s each is on demand, encrypted and can be restored to any second',
    (stage) => {
      const tables = (stage === 'dev' ? dev : prod).ofType('AWS::DynamoDB::GlobalTable');
      expect(tables).toHaveLength(7);
      for (const [, { Properties }] of tables) {
        expect(Properties.BillingMode).toBe('PAY_PER_REQUEST');
        expect(Properties.SSESpecification.SSEEnabled).toBe(true);
        for (const replica of Properties.Replicas)
          expect(replica.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled).toBe(true);
      }
    },
  );

  test('in prod they cannot be deleted', () => {
    for (const [, { Properties }] of prod.ofType('AWS::DynamoDB::GlobalTable'))
      for (const replica of Properties.Replicas) expect(replica.DeletionProtectionEnabled).toBe(true);
  });

  test('the index of keys holds whole items: without the scopes every key in it would seem to have full access', () => {
    const indexes = prod
      .ofType('AWS::DynamoDB::GlobalTable')
      .flatMap(([, { Properties }]) => Properties.GlobalSecondaryIndexes ?? []);
    expect(indexes.find(({ IndexName }) => IndexName === keysTable.byAccount.name).Projection).toEqual({
      ProjectionType: 'ALL',
    });
  });

  test('the one with secrets has a key of its own, which rotates yearly', () => {
    const [key] = prod.ofType('AWS::KMS::Key') as [[string, CfnResource]];
    expect(key[1]).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: { EnableKeyRotation: true },
    });
    const [, webhooks] = prod
      .ofType('AWS::DynamoDB::GlobalTable')
      .find(([id]) => id.startsWith('TablesWebhooks')) as [string, CfnResource];
    expect(webhooks.Properties.SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS' });
    for (const replica of webhooks.Properties.Replicas)
      expect(replica.SSESpecification).toEqual({
        KMSMasterKeyId: { 'Fn::GetAtt': [key[0], 'Arn'] },
      });
  });

  test('every change of a record is in the stream, before and after, and of the other tables only deliveries tell their keys', () => {
    const streams = prod
      .ofType('AWS::DynamoDB::GlobalTable')
      .flatMap(([id, { Properties }]) =>
        Properties.StreamSpecification ? [[id, Properties.StreamSpecification]] : [],
      );
    expect(streams).toEqual([
      [expect.stringMatching(/^TablesRecords/), { StreamViewType: 'NEW_AND_OLD_IMAGES' }],
      [expect.stringMatching(/^TablesWebhooks/), { StreamViewType: 'KEYS_ONLY' }],
    ]);
  });
});

describe('the key of ids', () => {
  const secretIn = ({ ofType }: Synthesized) => {
    const secrets = ofType('AWS::SecretsManager::Secret');
    expect(secrets).toHaveLength(1);
    return secrets[0] as [string, CfnResource];
  };

  // A new name or another rule makes CloudFormation make another secret, with which no id that was given out can be read.
  test.each(['dev', 'prod'])(
    'is made once in %s: neither its name nor how it is made ever changes',
    (stage) => {
      const [id, { Properties }] = secretIn(stage === 'dev' ? dev : prod);
      expect([id, Properties]).toEqual([
        'TablesIdKey8FC55CD2',
        {
          Description: 'Masks the positions in ids. It must never change and never be lost.',
          GenerateSecretString: { ExcludePunctuation: true, PasswordLength: 64 },
        },
      ]);
    },
  );

  test('is in the environment of those who make or read ids, as a reference that CloudFormation resolves', () => {
    const [id] = secretIn(prod);
    const having = prod
      .ofType('AWS::Lambda::Function')
      .filter(([, { Properties }]) => env.idKey in (Properties.Environment?.Variables ?? {}));
    const ids = Object.entries(permissions).filter(([, { ids }]: [string, Permissions]) => ids);
    expect(having).toHaveLength(ids.length);
    for (const [name, { Properties }] of having) {
      const [separator, [before, secret, after]] = Properties.Environment.Variables[env.idKey]['Fn::Join'];
      expect([separator, before, after], name).toEqual([
        '',
        '{{resolve:secretsmanager:',
        ':SecretString:::}}',
      ]);
      expect(secret['Fn::ImportValue'], name).toMatch(new RegExp(`:ExportsOutputRef${id}`));
    }
  });

  test('is in nothing else: no output, no policy', () => {
    const { Environment, ...others } = Object.groupBy(Object.values(prod.resources), ({ Type }) =>
      Type === 'AWS::Lambda::Function' ? 'Environment' : 'others',
    );
    expect(JSON.stringify([others, prod.outputs])).not.toContain('resolve:secretsmanager');
    expect(JSON.stringify(prod.ofType('AWS::IAM::Role'))).not.toContain('secretsmanager');
  });
});

/** Not the queue of flushes of the authorizer's cache: its messages say nothing but that keys have changed. */
const holdsData = ([id]: [id: string, resource: CfnResource]): boolean =>
  !id.startsWith('ConsoleAuthorizerFlush');

describe('what holds data', () => {
  const holding = [
    'AWS::SecretsManager::Secret',
    'AWS::DynamoDB::GlobalTable',
    'AWS::Logs::LogGroup',
    'AWS::S3::Bucket',
    'AWS::SQS::Queue',
  ];

  test.each([
    ['dev', 'Delete', 'Delete', 'Delete'],
    // What a first deployment made that failed goes again. A protected table cannot.
    ['prod', 'RetainExceptOnCreate', 'Retain', 'Retain'],
  ])(
    'says in %s what becomes of it when its stack goes, or another takes its place: %s',
    (stage, policy, ofTables, replaced) => {
      const { ofType } = stage === 'dev' ? dev : prod;
      for (const type of holding) {
        expect(ofType(type), type).not.toEqual([]);
        for (const [id, { DeletionPolicy, UpdateReplacePolicy }] of ofType(type).filter(holdsData))
          expect([DeletionPolicy, UpdateReplacePolicy], id).toEqual([
            type === 'AWS::DynamoDB::GlobalTable' ? ofTables : policy,
            replaced,
          ]);
      }
    },
  );

  test('goes down with its stack in dev, also what is in a bucket; in prod the stack itself is protected', () => {
    const [[bucket]] = dev.ofType('AWS::S3::Bucket') as [[string, CfnResource]];
    expect(dev.ofType('Custom::S3AutoDeleteObjects')).toMatchObject([
      [expect.any(String), { Properties: { BucketName: { Ref: bucket } } }],
    ]);
    expect(prod.ofType('Custom::S3AutoDeleteObjects')).toEqual([]);
    const isProtected = ({ folder }: Synthesized) =>
      (JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).artifacts as Artifacts)[
        folder === prod.folder ? 'public-api-prod-data' : 'public-api-dev-data'
      ]?.properties.terminationProtection ?? false;
    expect([isProtected(dev), isProtected(prod)]).toEqual([false, true]);
  });

  type Artifacts = Record<string, { properties: { terminationProtection?: boolean } }>;

  test('is exported whether another stack uses it or not: an export that is in use could not go', () => {
    // By itself, with no stack that uses anything of it.
    const { Resources, Outputs } = dataTemplate('prod') as Template & { Outputs: object };
    const exported = JSON.stringify(Object.values(Outputs));
    for (const id of Object.keys(shapeOf({ Resources }))) expect(exported).toContain(`"${id}"`);
    for (const type of ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::SQS::Queue'])
      for (const [id] of prod.ofType(type).filter(holdsData)) {
        expect(exported).toContain(`{"Ref":"${id}"}`);
        expect(exported).toContain(`{"Fn::GetAtt":["${id}","Arn"]}`);
      }
  });

  test.each([
    ['dev', 14],
    ['prod', 90],
  ])('every log group of %s says how long it keeps: %i days', (stage, days) => {
    const groups = (stage === 'dev' ? dev : prod).ofType('AWS::Logs::LogGroup');
    // One for all operations, one for each other function, two access logs, and that of the publishing of the console's page.
    expect(groups).toHaveLength(Object.keys(permissions).length - operations.length + 3);
    for (const [id, { Properties }] of groups) expect(Properties.RetentionInDays, id).toBe(days);
  });
});

describe('functions', () => {
  test('behind the gateway have less time than it waits', () => {
    const behind = prod.ofType('AWS::Lambda::Function').filter(([id]) => id.startsWith('Api'));
    expect(behind).toHaveLength(operations.length + 1);
    for (const [id, { Properties }] of behind) expect(Properties.Timeout, id).toBeLessThan(29);
  });

  test.each(['indexChanges', 'indexDeferredItems'])(
    '%s writes the index within the time that next_updated_since leaves (lib/lists/updated/late.ts)',
    (name) => {
      const named = prod.ofType('AWS::Lambda::Function').filter(([id]) => id.includes(`${name}Function`));
      expect(named.map(([, { Properties }]) => Properties.Timeout <= 30)).toEqual([true]);
    },
  );
});

describe('least privilege', () => {
  interface Statement {
    Effect: 'Allow' | 'Deny';
    Action: string | string[];
    Resource: unknown;
    Condition?: unknown;
  }

  /** What each function's own role allows, by the function's construct. What it is refused is in signingSecrets.test.ts. */
  const statements = () =>
    new Map(
      prod
        .ofType('AWS::IAM::Role')
        .filter(([, { Properties }]) => Properties.Policies)
        .map(([id, { Properties }]) => [
          /^(?:Api|Console(?:AuthorizerFlush)?|Erasure|Index|Ingest|Usage|Webhooks)(\w+?)Role[0-9A-F]{8}$/.exec(
            id,
          )?.[1] as string,
          (Properties.Policies[0].PolicyDocument.Statement as Statement[]).filter(
            ({ Effect }) => Effect === 'Allow',
          ),
        ]),
    );

  test('one role for each function', () => {
    const ids = Object.keys(permissions);
    expect([...statements().keys()].sort()).toEqual(ids.sort());
    const roles = prod
      .ofType('AWS::Lambda::Function')
      .map(([, { Properties }]) => JSON.stringify(Properties.Role));
    expect(new Set(roles).size).toBe(ids.length);
  });

  test('the key of the secrets is for those who work on their table, and only through DynamoDB', () => {
    for (const [id, own] of statements()) {
      const onKeys = own.filter(({ Action }) => JSON.stringify(Action).includes('kms:'));
      expect(onKeys, id).toHaveLength(permissions[id as keyof typeof permissions].webhooks ? 1 : 0);
      for (const { Resource, Condition } of onKeys) {
        expect(JSON.stringify(Resource), id).toMatch(/FnGetAttTablesWebhooksKey/);
        expect(JSON.stringify(Condition), id).toMatch(/kms:ViaService.*dynamodb\./);
      }
    }
  });

  test('what Lambda does for an event source mapping, the role of its function allows', () => {
    const needs = mappingNeedsOf(prod);
    const mappings = prod.ofType('AWS::Lambda::EventSourceMapping');
    expect(needs.length).toBeGreaterThan(mappings.length);
    expect(grantsOf(prod)).toEqual(expect.arrayContaining(needs));
  });

  test('beyond data, queues and traces a function may write its own log, and one flush the authorizer’s cache', () => {
    for (const [id, own] of statements()) {
      const allowed = /dynamodb:|sqs:|xray:|kms:|s3:/;
      const others = own
        .filter(({ Action }) => !allowed.test(JSON.stringify(Action)))
        .filter(({ Action }) => id !== 'flushAuthorizer' || Action !== 'apigateway:DELETE');
      expect(others, id).toEqual([
        {
          Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
          Effect: 'Allow',
          Resource: {
            'Fn::GetAtt': [
              expect.stringMatching(
                operations.some((one) => one.id === id)
                  ? /^ApiLogs/
                  : new RegExp(
                      `^(Api|Console(AuthorizerFlush)?|Erasure|Index|Ingest|Usage|Webhooks)${id}Logs`,
                    ),
              ),
              'Arn',
            ],
          },
        },
      ]);
    }
  });
});

describe('the queues', () => {
  const queues = () => new Map(prod.ofType('AWS::SQS::Queue').filter(holdsData));
  const named = (name: string) => [...queues()].find(([id]) => id.startsWith(name)) as [string, CfnResource];

  test('keeps what fails for two weeks, encrypted', () => {
    expect(queues().size).toBe(10);
    for (const { Properties } of queues().values())
      expect(Properties).toMatchObject({ MessageRetentionPeriod: 14 * 86_400, SqsManagedSseEnabled: true });
  });

  test.each([
    ['RecordsInboxQueue', 5, 'RecordsInboxDeadLetters', 'IngestingestRecords'],
    ['RecordsInboxRetries', 5, 'RecordsInboxDeadLetters', 'IngestingestRecords'],
    ['DeliveriesQuick', 5, 'DeliveriesDeadLetters', 'WebhooksdeliverWebhook'],
    ['DeliveriesSlow', 5, 'DeliveriesDeadLetters', 'WebhooksdeliverWebhook'],
    ['DeliveriesDeferredChanges', 40, 'DeliveriesDeferredDeadLetters', 'WebhooksfanOutDeferredChanges'],
    ['DeliveriesDeferredItems', 40, 'DeliveriesItemsDeadLetters', 'IndexindexDeferredItems'],
  ] as const)(
    '%s gives up on a message after %i tries, each of which has six times the time of the function',
    (queue, tries, dead, id) => {
      const [deadLetters] = named(dead);
      const [, { Properties }] = named(queue);
      expect(Properties.RedrivePolicy).toEqual({
        deadLetterTargetArn: { 'Fn::GetAtt': [deadLetters, 'Arn'] },
        maxReceiveCount: tries,
      });
      expect(Properties.VisibilityTimeout).toBe(6 * functionNamed(id).Properties.Timeout);
    },
  );

  test('hand batches to a function that names the messages which failed', () => {
    const mappings = prod
      .ofType('AWS::Lambda::EventSourceMapping')
      .filter((mapping) => mapping[1].Properties.ScalingConfig && holdsData(mapping))
      .map(([, { Properties }]) => Properties);
    // One at a time are messages that came back to the inbox, and what is deferred.
    expect(mappings.map(({ BatchSize }) => BatchSize).sort()).toEqual([1, 1, 1, 10, 10, entriesMax]);
    for (const { FunctionResponseTypes } of mappings)
      expect(FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
  });
});

const functionNamed = (start: string): CfnResource =>
  prod.ofType('AWS::Lambda::Function').find(([id]) => id.startsWith(start))?.[1] as CfnResource;

/** The mappings of the stream of a table. @param table the beginning of its logical id */
const streamMappings = (table: string) => streamResources(table).map(({ Properties }) => Properties);

const streamResources = (table: string) =>
  prod
    .ofType('AWS::Lambda::EventSourceMapping')
    .map(([, resource]) => resource)
    .filter(({ Properties: { EventSourceArn } }) =>
      JSON.stringify(EventSourceArn).match(new RegExp(`GetAtt${table}[0-9A-F]{8}StreamArn`)),
    );

describe('changes of records', () => {
  const mappings = () => streamMappings('TablesRecords');

  test('have two readers, as many as DynamoDB advises', () => {
    const functionsOf = mappings().map(
      ({ FunctionName }) => FunctionName.Ref.match(/fanOutChanges|indexChanges/)?.[0],
    );
    expect(functionsOf.sort()).toEqual(['fanOutChanges', 'indexChanges']);
  });
});

describe('changes of deliveries', () => {
  test('pass the filter, and no other item of the table does', () => {
    const [mapping] = streamMappings('TablesWebhooks');
    const passes = eventFilter(
      'the mapping',
      mapping?.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => Pattern),
    );
    const isPassed = (key: { pk: string; sk: string }, eventName = 'MODIFY') =>
      passes({ eventName, dynamodb: { Keys: { pk: { S: key.pk }, sk: { S: key.sk } } } });
    const id = `whs_${'0'.repeat(24)}`;
    for (const position of [0, 99, 100, 1599, 1600, 123_456_789, 999_999_999_999])
      expect([position, isPassed(deliveryKey('acme', id, position))]).toEqual([position, true]);
    expect(isPassed(deliveryKey('acme', id, 7), 'INSERT')).toBe(true);
    expect(isPassed(deliveryKey('acme', id, 7), 'REMOVE')).toBe(false);
    const others = [
      subscriptionKey('acme', id),
      countKey('acme'),
      secretsKey('acme', id),
      suspensionKey('acme'),
      urlKey('acme', '0123456789abcdef'.repeat(4)),
      deletedKey('acme', id),
      eventKey('acme', `evt_${'0'.repeat(24)}`),
      jobKey('acme', id, 'release'),
      idempotencyKey('acme', 'redeliverWebhook#7'),
      idempotencyKey('acme', 'createWebhookSubscription##15'),
    ];
    expect(others.filter((key) => isPassed(key))).toEqual([]);
  });
});

describe('webhooks', () => {
  test('only the functions that send to their own queues may invoke themselves over them again and again', () => {
    const recursive = prod
      .ofType('AWS::Lambda::Function')
      .filter(([, { Properties }]) => Properties.RecursiveLoop !== undefined)
      .map(([id, { Properties }]) => [
        /deliverWebhook|fanOutDeferredChanges/.exec(id)?.[0],
        Properties.RecursiveLoop,
      ]);
    expect(recursive.sort()).toEqual([
      ['deliverWebhook', 'Allow'],
      ['fanOutDeferredChanges', 'Allow'],
    ]);
  });

  test('has the settings with which it is simulated', () => {
    const settingsOf = (name: string) =>
      dev
        .ofType('AWS::Lambda::EventSourceMapping')
        .map(([, { Properties }]) => Properties)
        .filter(({ FunctionName }) => FunctionName.Ref.includes(`${name}Function`))
        .map(({ BatchSize, ParallelizationFactor, ScalingConfig }) => ({
          batchSize: BatchSize,
          ...(ParallelizationFactor ? { batchesAtOnce: ParallelizationFactor } : {}),
          ...(ScalingConfig ? { concurrency: ScalingConfig.MaximumConcurrency } : {}),
        }));
    expect(settingsOf('fanOutChanges')).toEqual([simulated.changes]);
    expect(settingsOf('fanOutDeferredChanges')).toEqual([simulated.deferred]);
    expect(settingsOf('deliverWebhook')).toEqual([simulated.deliveries, simulated.deliveries]);
    expect(settingsOf('indexChanges')).toEqual([simulatedIndex.changes]);
    expect(settingsOf('indexDeferredItems')).toEqual([simulatedIndex.deferred]);
  });

  test('takes of the concurrency of the account what the stage lets it', () => {
    const mostOf = ({ ofType }: Synthesized) =>
      ofType('AWS::Lambda::EventSourceMapping')
        .flatMap(([, { Properties }]) => Properties.ScalingConfig?.MaximumConcurrency ?? [])
        .sort((a, b) => a - b);
    expect([mostOf(dev), mostOf(prod)]).toEqual([
      [2, 2, 2, 2, 3, 20, 20],
      [2, 2, 3, 5, 5, 200, 200],
    ]);
  });

  test('no stage lets webhooks go to the machine that sends them', () => {
    for (const { resources } of [dev, prod])
      expect(JSON.stringify(resources)).not.toContain(env.allowLoopbackReceivers);
  });
});

test('the outputs are those that clients and the commands for ops ask for', () => {
  expect(Object.keys(prod.outputs)).toEqual(
    expect.arrayContaining([
      'BaseUrl',
      'KeysTable',
      'RecordsTable',
      'IndexTable',
      'RecordsInboxUrl',
      'RecordsInboxDeadLettersUrl',
      'WebhooksTable',
      'QuickDeliveriesUrl',
      'SlowDeliveriesUrl',
      'DeferredChangesUrl',
      'DeferredChangesDeadLettersUrl',
      'DeferredItemsUrl',
      'DeferredItemsDeadLettersUrl',
      'DeliveriesDeadLettersUrl',
      'FailedChangesBucket',
      'RestApiId',
      'StageName',
      'FanOutFunction',
      'IndexFunction',
      'IndexLogsFunction',
    ]),
  );
});
