import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { currentAssembly } from '../../../infra/local/template/assembly.ts';
import { type Permissions, permissions } from '../../../infra/stacks/permissions.ts';
import { type OperationId, operations } from '../../../lib/contract/index.ts';
import type { Operation } from '../../../lib/resources/operation.ts';
import { secretsKey } from '../../../lib/webhooks/model/keys.ts';
import { givenAccount, givenDeliveries, givenSubscription } from '../../support/data/given.ts';
import { type Call, onWire } from '../../support/faults/wire.ts';
import { fullAccess, gatewayEvent, lambdaContext } from '../../support/http/events.ts';
import { validRequests } from '../../support/http/requests.ts';
import { asFunction } from '../../support/permissions/asFunction.ts';
import { deliverBatch, messageOf } from '../../support/pipeline/deliveryQueues.ts';
import { withLog } from '../../support/run/logLines.ts';
import { readAssembly, type Synthesized } from '../../support/stack/synth.ts';

// Whoever has the secrets of webhooks can sign in our name, so only the functions that need them reach them.

let template: Synthesized;
beforeAll(async () => {
  template = readAssembly(await currentAssembly());
});
let unhook = () => {};
afterEach(() => unhook());

interface Statement {
  Effect: 'Allow' | 'Deny';
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, string[]>>;
}

const onWebhooks = Object.entries(permissions as Record<string, Permissions>).filter(
  ([, { webhooks }]) => webhooks !== undefined,
);

function statementsOf(id: string): Statement[] {
  const [, role] =
    template
      .ofType('AWS::IAM::Role')
      .find(
        ([name]) =>
          name.match(/^(?:Api|Console|Erasure|Index|Ingest|Usage|Webhooks)(\w+?)Role[0-9A-F]{8}$/)?.[1] ===
          id,
      ) ?? [];
  return role?.Properties.Policies[0].PolicyDocument.Statement;
}

const actionsIn = ({ Action }: Statement): string[] =>
  [Action].flat().map((action) => action.replace('dynamodb:', ''));

/** As IAM compares with StringLike, in which only `*` and `?` stand for others. */
const isLike = (pattern: string, text: string): boolean =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  ).test(text);

/** What a role may do with an item of the Webhooks table, as IAM decides it: what is allowed and not refused. */
function permitted(id: string, leadingKey: string): string[] {
  const onTable = statementsOf(id).filter(({ Resource }) =>
    // CDK puts several tables and indexes into one statement.
    [Resource]
      .flat()
      .map((resource) => JSON.stringify(resource))
      .some(
        (resource) => /FnGetAttTablesWebhooks[0-9A-F]{8}Arn/.test(resource) && !/\/index\//.test(resource),
      ),
  );
  const [allowed, denied] = (['Allow', 'Deny'] as const).map((effect) =>
    onTable
      .filter(({ Effect, Condition }) => {
        const patterns = Condition?.['ForAnyValue:StringLike']?.['dynamodb:LeadingKeys'];
        return Effect === effect && (!Condition || patterns?.some((pattern) => isLike(pattern, leadingKey)));
      })
      .flatMap(actionsIn),
  ) as [string[], string[]];
  return allowed.filter((action) => !denied.includes(action)).sort();
}

test.each(onWebhooks)(
  '%s may do with secrets what it needs them for, and with all else what it may',
  (id, { webhooks, secrets = [] }) => {
    expect(permitted(id, secretsKey('acme', 'whs_1').pk)).toEqual([...secrets].sort());
    expect(permitted(id, 'acme#subscriptions')).toEqual([...(webhooks as string[])].sort());
  },
);

test('only those who make, show, sign with and delete them reach secrets', () => {
  const reaching = onWebhooks
    .map(([id]) => [id, permitted(id, 'acme#secrets')] as const)
    .filter(([, actions]) => actions.length > 0);
  expect(Object.fromEntries(reaching)).toEqual({
    createWebhookSubscription: ['GetItem', 'PutItem'],
    deleteWebhookSubscription: ['DeleteItem'],
    rotateWebhookSecret: ['GetItem', 'PutItem'],
    testWebhookSubscription: ['GetItem'],
    deliverWebhook: ['BatchGetItem'],
    consoleCreateWebhookSubscription: ['GetItem', 'PutItem'],
    consoleDeleteWebhookSubscription: ['DeleteItem'],
    consoleRotateWebhookSecret: ['GetItem', 'PutItem'],
    consoleTestWebhookSubscription: ['GetItem'],
  });
});

/** Whether a statement names the table, or leaves open which one. */
const mayBeWebhooks = (resource: unknown): boolean =>
  /FnGetAttTablesWebhooks[0-9A-F]{8}Arn|"[^"]*\*"/.test(JSON.stringify(resource));

// What has no leading key, a condition on leading keys does not meet.
test('no function reads the table without saying a key: by a scan, or in PartiQL', () => {
  for (const [id] of onWebhooks)
    expect(
      statementsOf(id)
        .filter(({ Resource }) => mayBeWebhooks(Resource))
        .flatMap(actionsIn)
        .filter((action) => /Scan|PartiQL|Export/.test(action)),
      id,
    ).toEqual([]);
});

describe('what functions do with secrets is what they may', () => {
  interface Action {
    Key?: { pk: { S: string } };
    Item?: { pk: { S: string } };
    Keys?: { pk: { S: string } }[];
  }

  /** What a call does with secrets, as the permissions are called that it takes. */
  function onSecrets({ name, input }: Call): string[] {
    const parts: [string, Action][] =
      name === 'TransactWriteItems'
        ? (input.TransactItems as Record<string, Action>[]).map((part) => {
            const [kind, action] = Object.entries(part)[0] as [string, Action];
            return [kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`, action];
          })
        : name === 'BatchGetItem'
          ? Object.values(input.RequestItems as Record<string, Action>).map((action) => [name, action])
          : [[name, input as Action]];
    return parts
      .filter(([, { Key, Item, Keys = [] }]) =>
        [Key, Item, ...Keys].some((key) => key?.pk.S.endsWith('#secrets')),
      )
      .map(([action]) => action);
  }

  async function seenIn(work: () => Promise<unknown>): Promise<string[]> {
    const seen = new Set<string>();
    unhook = onWire((call, send) => {
      for (const action of onSecrets(call)) seen.add(action);
      return send();
    });
    await work();
    unhook();
    return [...seen].sort();
  }

  test.each(
    (operations as readonly Operation[]).filter(({ id }) => onWebhooks.some(([other]) => other === id)),
  )('$id', async (operation) => {
    const account = givenAccount();
    const file: {
      handler: (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;
    } = await import(`../../../functions/webhook-subscriptions/${operation.id}.ts`);
    const id = operation.id as OperationId;
    const handler = asFunction(id, file.handler);
    const request = await validRequests[id](account);
    const event = () =>
      gatewayEvent(operation, fullAccess(account), { ...request, headers: { 'Idempotency-Key': 'once' } });
    const seen = await seenIn(async () => {
      for (const again of operation.requestHeaders?.includes('Idempotency-Key') ? [false, true] : [false]) {
        const { result } = await withLog(() => handler(event(), lambdaContext()));
        expect(result.statusCode).toBe(operation.success.status);
        expect(result.headers?.['Idempotent-Replayed']).toBe(again ? 'true' : undefined);
      }
    });
    expect(seen).toEqual(permitted(operation.id, `${account}#secrets`));
  });

  test('deliverWebhook', async () => {
    const account = givenAccount();
    const { id } = await givenSubscription(account, { status: 'paused' });
    const [delivery] = await givenDeliveries(account, { id });
    const message = { account, subscription_id: id, delivery_id: delivery?.id as string };
    expect(await seenIn(() => withLog(() => deliverBatch([messageOf(message)])))).toEqual(
      permitted('deliverWebhook', `${account}#secrets`),
    );
  });
});
