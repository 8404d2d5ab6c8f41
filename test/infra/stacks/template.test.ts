import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { currentAssembly } from '../../../infra/local/template/assembly.ts';
import { type Permissions, permissions } from '../../../infra/stacks/permissions.ts';
import { operations } from '../../../lib/contract/index.ts';
import { env } from '../../../lib/env.ts';
import { denialReason, suspendedMessage, suspendedReason } from '../../../lib/errors/apiError.ts';
import { settings as simulated } from '../../simulation/settings.ts';
import { functionIdOf } from '../../support/permissions/access.ts';
import { grantsOf, mappingNeedsOf } from '../../support/permissions/grants.ts';
import {
  type CfnResource,
  readAssembly,
  type Synthesized,
  synthesizedProd,
} from '../../support/stack/synth.ts';

// What the templates of dev and prod are meant to be, and all that holds data or is open to the world, word for word.

let dev: Synthesized;
let prod: Synthesized;
beforeAll(async () => {
  dev = readAssembly(await currentAssembly());
  prod = await synthesizedProd();
});

const stages = (): [string, Synthesized][] => [
  ['dev', dev],
  ['prod', prod],
];

/** The types whose resources hold data, take messages or are open to the world: the snapshot has their properties, of others their number. */
const shown =
  /^AWS::(DynamoDB|KMS|SecretsManager|S3|SQS|SNS|Events)::|^AWS::ApiGateway::(RestApi|Stage|Authorizer)$|^AWS::Lambda::EventSourceMapping$|^AWS::Logs::SubscriptionFilter$/;

/** Without what changes with each release: hashes of bundles and of the path of a resource. */
const stable = (text: string): string =>
  text.replace(/[0-9a-f]{64}/g, '…').replace(/(?<=[A-Za-z])[0-9A-F]{8}(?![0-9A-Fa-f])/g, '');

function outlineOf({ resources, outputs }: Synthesized): string {
  const lines = Object.entries(resources).map(([id, { Type, Metadata: _, ...rest }]) =>
    shown.test(Type) ? `${Type} ${stable(id)} ${stable(JSON.stringify(rest))}` : Type,
  );
  const grouped = [...Map.groupBy(lines, (line) => line)].map(([line, { length }]) =>
    length > 1 ? `${line} × ${length}` : line,
  );
  return [...grouped.sort(), `Outputs ${stable(Object.keys(outputs).sort().join(' '))}`, ''].join('\n');
}

test.each(['dev', 'prod'] as const)(
  'the template of %s is the one that was reviewed; update it with --update',
  async (stage) => {
    const outline = outlineOf(stage === 'dev' ? dev : prod);
    await expect(outline).toMatchFileSnapshot(join(import.meta.dirname, 'stages', `${stage}.txt`));
  },
);

test.each(['dev', 'prod'] as const)(
  'what holds data in %s keeps its id and its keys: another one would be new and empty',
  (stage) => {
    const held = /^AWS::(DynamoDB::GlobalTable|KMS::Key|SecretsManager::Secret)$/;
    const found = Object.entries((stage === 'dev' ? dev : prod).resources).filter(
      ([id, { Type }]) => held.test(Type) && /^Tables/.test(id),
    );
    const keysOf = ({ Properties }: CfnResource): string =>
      (Properties.KeySchema ?? []).map((key: { AttributeName: string }) => key.AttributeName).join(' ');
    expect(Object.fromEntries(found.map(([id, resource]) => [id, keysOf(resource)]))).toEqual({
      TablesKeys6B5A3ABF: 'pk',
      TablesRecords353FBC94: 'pk sk',
      TablesIndex8E9FBF11: 'pk sk',
      TablesWebhooks9E9DC764: 'pk sk',
      TablesSessions486350CB: 'pk sk',
      TablesActivityFCAEDCFC: 'pk sk',
      TablesUsageA60E9525: 'pk sk',
      TablesWebhooksKey262BD7ED: '',
      TablesIdKey8FC55CD2: '',
    });
  },
);

test('it is made without the network, and the CLI finds nothing to warn of', () => {
  expect(prod.connectedTo).toEqual([]);
  expect(prod.output).not.toMatch(/warn|not configured|deprecated/i);
});

describe('the gateway', () => {
  test('there is one route for every operation of the contract, each to a function of its own, and all are behind the authorizer', () => {
    const [[authorizer]] = prod.ofType('AWS::ApiGateway::Authorizer') as [[string, CfnResource]];
    const methods = prod.publicApi.ofType('AWS::ApiGateway::Method').map(([, { Properties }]) => Properties);
    expect(methods.map(({ OperationName }) => OperationName).sort()).toEqual(
      operations.map(({ id }) => id).sort(),
    );
    expect(new Set(methods.map(({ Integration }) => JSON.stringify(Integration.Uri))).size).toBe(
      operations.length,
    );
    for (const { AuthorizationType, AuthorizerId } of methods)
      expect([AuthorizationType, AuthorizerId]).toEqual(['CUSTOM', { Ref: authorizer }]);
  });

  test('has an access log without query string, header or body', () => {
    for (const [, { ofType }] of stages())
      for (const [, { Properties }] of ofType('AWS::ApiGateway::Stage')) {
        const format = Properties.AccessLogSetting.Format;
        expect(JSON.parse(format)).toHaveProperty('request_id', '$context.requestId');
        expect(format).not.toMatch(/\$context\.path\b|querystring|header|apiKey|\$input/i);
        // Texts of anybody's choice: a quotation mark in them would end the JSON.
        expect(format).not.toMatch(/error\b(?!\.responseType)|message|user/i);
      }
  });

  test('answers each of its own errors as JSON of exactly error and message, with the headers of every answer', () => {
    for (const stacks of [prod.publicApi, prod.console]) {
      const responses = stacks.ofType('AWS::ApiGateway::GatewayResponse');
      expect(responses).toHaveLength(21);
      const [[, { DependsOn = [] }]] = stacks.ofType('AWS::ApiGateway::Deployment') as [
        [string, CfnResource],
      ];
      // A changed response makes a new deployment.
      expect(DependsOn).toEqual(expect.arrayContaining(responses.map(([id]) => id)));
      for (const [, { Properties }] of responses) {
        const { ResponseType, ResponseTemplates, ResponseParameters, StatusCode } = Properties;
        expect(Object.keys(ResponseTemplates), ResponseType).toEqual(['application/json']);
        const body: string = ResponseTemplates['application/json'];
        expect(Object.keys(JSON.parse(body))).toEqual(['error', 'message']);
        expect(ResponseParameters).toMatchObject({
          'gatewayresponse.header.X-Request-Id': 'context.requestId',
          'gatewayresponse.header.Cache-Control': "'no-store'",
          'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
          'gatewayresponse.header.Strict-Transport-Security': expect.stringMatching(/^'max-age=\d+/),
        });
        // The two defaults have no status, which would be that of all others too.
        expect(StatusCode === undefined, ResponseType).toBe(/^DEFAULT/.test(ResponseType));
        if (ResponseType !== 'ACCESS_DENIED') expect(body).not.toMatch(/\$|suspended/);
      }
    }
  });

  test('says 401 word for word as the contract, and of a denied request only what the authorizer said', () => {
    const bodyOf = (type: string): string =>
      prod.publicApi
        .ofType('AWS::ApiGateway::GatewayResponse')
        .find(([, { Properties }]) => Properties.ResponseType === type)?.[1].Properties.ResponseTemplates[
        'application/json'
      ];
    expect(bodyOf('UNAUTHORIZED')).toBe('{"error":"Unauthorized","message":"Missing or invalid API key"}');
    const said = (reason: string) =>
      JSON.parse(bodyOf('ACCESS_DENIED').replace(`$context.authorizer.${denialReason}`, reason)).message;
    expect([said(''), said(suspendedReason)]).toEqual(['The request was refused', suspendedMessage]);
  });
});

/** Not the queue of flushes of the authorizer's cache: its messages say nothing but that keys have changed. */
const holdsData = ([id]: [id: string, resource: CfnResource]): boolean =>
  !id.startsWith('ConsoleAuthorizerFlush');

describe('what holds data', () => {
  test('is encrypted, each table can be restored to any second, and in prod none can be deleted', () => {
    for (const [stage, { ofType }] of stages()) {
      for (const [id, { Properties }] of ofType('AWS::DynamoDB::GlobalTable')) {
        expect(Properties.SSESpecification.SSEEnabled, id).toBe(true);
        for (const replica of Properties.Replicas)
          expect(replica, id).toMatchObject({
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
            DeletionProtectionEnabled: stage === 'prod',
          });
      }
      for (const [id, { Properties }] of ofType('AWS::SQS::Queue'))
        expect(Properties.SqsManagedSseEnabled, id).toBe(true);
    }
  });

  test('the table with secrets has a key of its own, which rotates yearly, and only its keys are in its stream', () => {
    const [[key, { Properties }]] = prod.ofType('AWS::KMS::Key') as [[string, CfnResource]];
    expect(Properties.EnableKeyRotation).toBe(true);
    for (const [id, table] of prod.ofType('AWS::DynamoDB::GlobalTable')) {
      const { StreamSpecification, Replicas } = table.Properties;
      const isSecret = id.startsWith('TablesWebhooks');
      if (isSecret)
        expect(Replicas[0].SSESpecification).toEqual({ KMSMasterKeyId: { 'Fn::GetAtt': [key, 'Arn'] } });
      expect(StreamSpecification?.StreamViewType, id).toBe(
        isSecret ? 'KEYS_ONLY' : id.startsWith('TablesRecords') ? 'NEW_AND_OLD_IMAGES' : undefined,
      );
    }
  });

  // A new name or another rule makes CloudFormation make another secret, with which no id that was given out can be read.
  test('the key of ids is made once, and is in the environment of those who make or read ids alone, as a reference that CloudFormation resolves', () => {
    for (const [, { ofType }] of stages())
      expect(ofType('AWS::SecretsManager::Secret').map(([id, { Properties }]) => [id, Properties])).toEqual([
        [
          'TablesIdKey8FC55CD2',
          {
            Description: 'Masks the positions in ids. It must never change and never be lost.',
            GenerateSecretString: { ExcludePunctuation: true, PasswordLength: 64 },
          },
        ],
      ]);
    const having = prod
      .ofType('AWS::Lambda::Function')
      .filter(([, { Properties }]) => JSON.stringify(Properties).includes('resolve:secretsmanager'));
    const ids = Object.values(permissions).filter(({ ids }: Permissions) => ids);
    expect(having).toHaveLength(ids.length);
    for (const [name, { Properties }] of having)
      expect(JSON.stringify(Properties.Environment.Variables[env.idKey]), name).toContain(
        '{{resolve:secretsmanager:',
      );
    const others = Object.values(prod.resources).filter(({ Type }) => Type !== 'AWS::Lambda::Function');
    expect(JSON.stringify([others, prod.outputs])).not.toContain('resolve:secretsmanager');
  });
});

describe('functions', () => {
  test('one role for each function, which allows what Lambda does for its event sources, and no wildcard in DynamoDB', () => {
    const ids = Object.keys(permissions);
    const roles = prod
      .ofType('AWS::Lambda::Function')
      .map(([, { Properties }]) => JSON.stringify(Properties.Role));
    expect(new Set(roles).size).toBe(ids.length);
    const grants = grantsOf(prod);
    expect(grants).toEqual(expect.arrayContaining(mappingNeedsOf(prod)));
    // Listing streams knows no resource, and tells only their names.
    for (const { functionId, action, resource } of grants)
      if (/^(\*|dynamodb:)/.test(action) && action !== 'dynamodb:ListStreams')
        expect([action, resource], functionId).not.toContainEqual(expect.stringContaining('*'));
  });

  test('may put entries of activity and read them, and none may change or delete one; the public API reaches neither entries nor sessions', () => {
    const onTable = (table: string) => grantsOf(prod).filter(({ resource }) => resource.startsWith(table));
    const entries = onTable('TablesActivity');
    expect(new Set(entries.map(({ action }) => action))).toEqual(
      new Set(['dynamodb:PutItem', 'dynamodb:Query']),
    );
    const ofConsole = prod.console.ofType('AWS::Lambda::Function').map(([id]) => id);
    for (const { functionId } of [...entries, ...onTable('TablesSessions')])
      expect(
        ofConsole.some((name) => name.includes(functionId)),
        functionId,
      ).toBe(true);
  });

  test('refuse test keys where data is kept, let no webhook go to their own machine, and look up names on 32 threads, in no network of their own', () => {
    const named = ({ ofType }: Synthesized, has: (one: Permissions) => unknown) => {
      const ids = Object.entries(permissions).flatMap(([id, one]) => (has(one) ? [id] : []));
      return ofType('AWS::Lambda::Function').filter(([id]) => ids.includes(functionIdOf(id) as string));
    };
    for (const [stage, stacks] of stages()) {
      for (const [id, { Properties }] of named(stacks, ({ keys }) => keys))
        expect(Properties.Environment.Variables[env.refuseTestKeys], id).toBe(
          stage === 'prod' ? '1' : undefined,
        );
      for (const [id, { Properties }] of named(stacks, ({ resolves }) => resolves))
        expect(Properties.Environment.Variables.UV_THREADPOOL_SIZE, id).toBe('32');
      expect(JSON.stringify(stacks.resources)).not.toMatch(
        new RegExp(`${env.allowLoopbackReceivers}|VpcConfig`),
      );
    }
  });

  test('behind the gateway have less time than it waits, and a queue six times that of its function, which names the messages that failed', () => {
    const functionOf = (name: { Ref: string }) => prod.resources[name.Ref]?.Properties;
    for (const [id, { Properties }] of prod.publicApi.ofType('AWS::Lambda::Function'))
      if (id.startsWith('Api')) expect(Properties.Timeout, id).toBeLessThan(29);
    const queues = new Map(prod.ofType('AWS::SQS::Queue'));
    const mappings = prod.ofType('AWS::Lambda::EventSourceMapping').filter(holdsData);
    for (const [id, { Properties }] of mappings) {
      expect(Properties.FunctionResponseTypes, id).toEqual(['ReportBatchItemFailures']);
      const [, queue] =
        [...queues].find(([name]) => JSON.stringify(Properties.EventSourceArn).includes(name)) ?? [];
      if (!queue) continue;
      expect(queue.Properties.VisibilityTimeout, id).toBe(6 * functionOf(Properties.FunctionName).Timeout);
      const { deadLetterTargetArn } = queue.Properties.RedrivePolicy;
      const dead = queues.get(deadLetterTargetArn['Fn::GetAtt'][0]);
      expect(dead?.Properties.MessageRetentionPeriod, id).toBe(14 * 86_400);
    }
  });

  test('of the pipeline take of the concurrency of the account what the stage lets them, as the simulation does', () => {
    const mappingsOf = (name: string) =>
      dev
        .ofType('AWS::Lambda::EventSourceMapping')
        .map(([, { Properties }]) => Properties)
        .filter(({ FunctionName }) => FunctionName.Ref.includes(`${name}Function`))
        .map(({ BatchSize, ParallelizationFactor, ScalingConfig }) => ({
          batchSize: BatchSize,
          ...(ParallelizationFactor ? { batchesAtOnce: ParallelizationFactor } : {}),
          ...(ScalingConfig ? { concurrency: ScalingConfig.MaximumConcurrency } : {}),
        }));
    expect(mappingsOf('fanOutChanges')).toEqual([simulated.webhooks.changes]);
    expect(mappingsOf('fanOutDeferredChanges')).toEqual([simulated.webhooks.deferred]);
    expect(mappingsOf('deliverWebhook')).toEqual([
      simulated.webhooks.deliveries,
      simulated.webhooks.deliveries,
    ]);
    expect(mappingsOf('indexChanges')).toEqual([simulated.index.changes]);
    expect(mappingsOf('indexDeferredChanges')).toEqual([simulated.index.deferred]);
  });
});
