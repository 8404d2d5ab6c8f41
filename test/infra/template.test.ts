import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { currentAssembly } from '../../infra/local/assembly.ts';
import { operations } from '../../lib/contract/index.ts';
import { entriesMax } from '../../lib/records/upsert.ts';
import { removeFolder } from '../support/stackProcess.ts';
import { type CfnResource, readAssembly, type Synthesized, synthesize } from '../support/synth.ts';

let dev: Synthesized;
let prod: Synthesized;
beforeAll(() => {
  dev = synthesize('dev');
  prod = synthesize('prod');
});
afterAll(() => {
  for (const { folder } of [dev, prod]) removeFolder(folder);
});

test('a stage that does not exist ends in a sentence that names those that do, and no stack trace', () => {
  expect(() => synthesize('test')).toThrow(
    /^There is no stage "test"; there are dev, prod\n.*Subprocess exited with error 1\n*$/,
  );
});

test('the CLI finds nothing to warn of', () => {
  expect(prod.said).not.toMatch(/warn|not configured|deprecated/i);
});

test('npm start serves what is deployed: the same resources, to the last property', async () => {
  expect(readAssembly(await currentAssembly()).resources).toEqual(dev.resources);
});

test('the console shows the API under the name of its stack', () => {
  const names = [dev, prod].map(({ ofType }) => ofType('AWS::ApiGateway::RestApi')[0]?.[1].Properties.Name);
  expect(names).toEqual(['public-api-dev', 'public-api-prod']);
});

describe('routes', () => {
  test('there is one for every operation of the contract, and no other', () => {
    const names = prod
      .ofType('AWS::ApiGateway::Method')
      .map(([, { Properties }]) => Properties.OperationName);
    expect(names.sort()).toEqual(operations.map(({ id }) => id).sort());
  });

  test('each goes to a Lambda of its own', () => {
    const uris = prod
      .ofType('AWS::ApiGateway::Method')
      .map(([, { Properties }]) => JSON.stringify(Properties.Integration.Uri));
    expect(new Set(uris).size).toBe(operations.length);
  });

  test('all are behind the authorizer', () => {
    const [[authorizer]] = prod.ofType('AWS::ApiGateway::Authorizer') as [[string, CfnResource]];
    for (const [id, { Properties }] of prod.ofType('AWS::ApiGateway::Method')) {
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
  });

  test('the API may call its functions by one permission each', () => {
    expect(prod.ofType('AWS::Lambda::Permission')).toHaveLength(operations.length + 1);
  });
});

describe('the authorizer', () => {
  test('is asked for requests with a key only, and its answer is cached by the key', () => {
    const [[, { Properties }]] = prod.ofType('AWS::ApiGateway::Authorizer') as [[string, CfnResource]];
    expect(Properties).toMatchObject({
      Type: 'REQUEST',
      IdentitySource: 'method.request.header.X-Api-Key',
      AuthorizerResultTtlInSeconds: 60,
    });
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
    expect(responses().get('MISSING_AUTHENTICATION_TOKEN')).toMatchObject({ StatusCode: '404' });
  });

  test('a changed response makes a new deployment', () => {
    const [[, deployment]] = prod.ofType('AWS::ApiGateway::Deployment') as [
      [string, { DependsOn: string[] } & CfnResource],
    ];
    for (const [id] of prod.ofType('AWS::ApiGateway::GatewayResponse'))
      expect(deployment.DependsOn).toContain(id);
  });
});

describe('tables', () => {
  test.each(['dev', 'prod'])(
    'in %s each is on demand, encrypted and can be restored to any second',
    (stage) => {
      const tables = (stage === 'dev' ? dev : prod).ofType('AWS::DynamoDB::GlobalTable');
      expect(tables).toHaveLength(2);
      for (const [, { Properties }] of tables) {
        expect(Properties.BillingMode).toBe('PAY_PER_REQUEST');
        expect(Properties.SSESpecification.SSEEnabled).toBe(true);
        for (const replica of Properties.Replicas)
          expect(replica.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled).toBe(true);
      }
    },
  );

  test('in prod they can neither be deleted nor go down with their stack', () => {
    for (const [, table] of prod.ofType('AWS::DynamoDB::GlobalTable')) {
      expect(table.DeletionPolicy).toBe('Retain');
      for (const replica of table.Properties.Replicas) expect(replica.DeletionProtectionEnabled).toBe(true);
    }
  });

  test('the index of keys holds whole items: without the scopes every key in it would seem to have full access', () => {
    const indexes = prod
      .ofType('AWS::DynamoDB::GlobalTable')
      .flatMap(([, { Properties }]) => Properties.GlobalSecondaryIndexes ?? []);
    expect(indexes).toHaveLength(1);
    expect(indexes[0].Projection).toEqual({ ProjectionType: 'ALL' });
  });

  test('every change of a record is in the stream, before and after', () => {
    const streams = prod
      .ofType('AWS::DynamoDB::GlobalTable')
      .map(([, { Properties }]) => Properties.StreamSpecification);
    expect(streams).toContainEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
  });
});

describe('functions', () => {
  test('run on Node 24 and arm64, with JSON logs of their own and tracing', () => {
    for (const [id, { Properties }] of prod.ofType('AWS::Lambda::Function')) {
      expect(Properties, id).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        LoggingConfig: { LogFormat: 'JSON', LogGroup: expect.anything() },
        TracingConfig: { Mode: 'Active' },
      });
    }
  });

  test('behind the gateway have less time than it waits', () => {
    const behind = prod.ofType('AWS::Lambda::Function').filter(([id]) => id.startsWith('Api'));
    expect(behind).toHaveLength(operations.length + 1);
    for (const [id, { Properties }] of behind) expect(Properties.Timeout, id).toBeLessThan(29);
  });

  test('every log group says how long it keeps', () => {
    for (const [id, { Properties }] of prod.ofType('AWS::Logs::LogGroup'))
      expect(Properties.RetentionInDays, id).toBe(90);
  });
});

describe('least privilege', () => {
  interface Statement {
    Action: string | string[];
    Resource: unknown;
  }

  /** The statements of each function's own role, by the function's construct. */
  const statements = () =>
    new Map(
      prod
        .ofType('AWS::IAM::Policy')
        .map(([id, { Properties }]) => [
          /^(?:Api|Ingest)(\w+?)RoleDefaultPolicy/.exec(id)?.[1] as string,
          Properties.PolicyDocument.Statement as Statement[],
        ]),
    );

  test('one role for each function', () => {
    const ids = ['authorizer', 'ingestRecords', ...operations.map(({ id }) => id)];
    expect([...statements().keys()].sort()).toEqual(ids.sort());
    const roles = prod
      .ofType('AWS::Lambda::Function')
      .map(([, { Properties }]) => JSON.stringify(Properties.Role));
    expect(new Set(roles).size).toBe(ids.length);
  });

  test.each([
    ['authorizer', 'Keys', ['GetItem', 'UpdateItem']],
    ['listContacts', 'Records', ['GetItem', 'Query']],
    [
      'createContact',
      'Records',
      ['BatchGetItem', 'BatchWriteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    ],
    ['getContact', 'Records', ['GetItem']],
    ['updateContact', 'Records', ['DeleteItem', 'GetItem', 'PutItem', 'UpdateItem']],
    ['listOrders', 'Records', ['GetItem', 'Query']],
    ['getOrder', 'Records', ['GetItem']],
    ['listEventRegistrations', 'Records', ['GetItem', 'Query']],
    ['getEventRegistration', 'Records', ['GetItem']],
    ['getMe', 'Keys', ['GetItem']],
    ['ingestRecords', 'Records', ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem']],
  ])('%s may do on %s exactly %j', (id, table, actions) => {
    const own = statements().get(id) as Statement[];
    const onData = own.filter(({ Action }) =>
      [Action].flat().some((action) => action.startsWith('dynamodb:')),
    );
    expect(onData).toHaveLength(1);
    expect([onData[0]?.Action].flat()).toEqual(actions.map((action) => `dynamodb:${action}`));
    expect(JSON.stringify(onData[0]?.Resource)).toMatch(
      new RegExp(`^\\{"Fn::ImportValue":"[^"]*FnGetAttTables${table}[^"]*Arn`),
    );
  });

  test('nothing is allowed on everything but to write traces, which knows no narrower', () => {
    for (const [id, own] of statements())
      for (const { Action, Resource } of own)
        if (Resource === '*')
          expect(Action, id).toEqual(['xray:PutTelemetryRecords', 'xray:PutTraceSegments']);
  });

  test('who takes from the inbox may do that, and nothing with any other queue', () => {
    const onQueues = [...statements()].flatMap(([id, own]) =>
      own
        .filter(({ Action }) => JSON.stringify(Action).includes('sqs:'))
        .map((statement) => ({ id, ...statement })),
    );
    expect(onQueues).toEqual([
      {
        id: 'ingestRecords',
        Action: ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
        Effect: 'Allow',
        Resource: { 'Fn::ImportValue': expect.stringContaining('RecordsInboxQueue') },
      },
    ]);
  });

  test('beyond data, queues and traces a function may write its own log', () => {
    for (const [id, own] of statements()) {
      const others = own.filter(({ Action }) => !JSON.stringify(Action).match(/dynamodb:|sqs:|xray:/));
      expect(others, id).toEqual([
        {
          Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
          Effect: 'Allow',
          Resource: { 'Fn::GetAtt': [expect.stringMatching(new RegExp(`^(Api|Ingest)${id}Logs`)), 'Arn'] },
        },
      ]);
    }
  });
});

describe('the inbox', () => {
  const queues = () => new Map(prod.ofType('AWS::SQS::Queue'));
  const named = (name: string) => [...queues()].find(([id]) => id.startsWith(name)) as [string, CfnResource];

  test('keeps what fails for two weeks, encrypted, and in prod does not go down with its stack', () => {
    expect(queues().size).toBe(2);
    for (const { Properties, DeletionPolicy } of queues().values()) {
      expect(Properties).toMatchObject({ MessageRetentionPeriod: 14 * 86_400, SqsManagedSseEnabled: true });
      expect(DeletionPolicy).toBe('Retain');
    }
  });

  test('takes nothing that is not encrypted on its way', () => {
    const policies = prod
      .ofType('AWS::SQS::QueuePolicy')
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);
    expect(policies).toHaveLength(2);
    for (const statement of policies)
      expect(statement).toMatchObject({
        Effect: 'Deny',
        Action: 'sqs:*',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      });
  });

  test('gives up on a message after five tries, each of which has six times the time of the function', () => {
    const [deadLetters] = named('RecordsInboxDeadLetters');
    const [, { Properties }] = named('RecordsInboxQueue');
    const [, ingest] = prod.ofType('AWS::Lambda::Function').find(([id]) => id.startsWith('Ingest')) as [
      string,
      CfnResource,
    ];
    expect(Properties.RedrivePolicy).toEqual({
      deadLetterTargetArn: { 'Fn::GetAtt': [deadLetters, 'Arn'] },
      maxReceiveCount: 5,
    });
    expect(Properties.VisibilityTimeout).toBe(6 * ingest.Properties.Timeout);
  });

  test('hands batches to a function that names the messages which failed', () => {
    const [[, { Properties }]] = prod.ofType('AWS::Lambda::EventSourceMapping') as [[string, CfnResource]];
    expect(Properties).toMatchObject({
      BatchSize: entriesMax,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 5 },
    });
  });
});

test('the outputs are those that clients and the commands for ops ask for', () => {
  expect(prod.outputs).toEqual(
    expect.arrayContaining([
      'BaseUrl',
      'KeysTable',
      'RecordsTable',
      'RecordsInboxUrl',
      'RecordsInboxDeadLettersUrl',
      'RestApiId',
      'StageName',
    ]),
  );
});
