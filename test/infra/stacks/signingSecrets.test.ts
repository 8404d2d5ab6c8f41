import { afterEach, beforeAll, expect, test } from 'vitest';
import { currentAssembly } from '../../../infra/local/template/assembly.ts';
import { type Permissions, permissions } from '../../../infra/stacks/permissions.ts';
import { secretsKey } from '../../../lib/webhooks/model/webhookKeys.ts';
import { readAssembly, type Synthesized } from '../../support/stack/synth.ts';

// Whoever has the secrets of webhooks can sign in our name, so only the functions that need them reach them.

let template: Synthesized;
beforeAll(async () => {
  template = readAssembly(await currentAssembly());
});
const unhook = () => {};
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
          name.match(/^(?:Api|Console|Deletion|Index|Ingest|Usage|Webhooks)(\w+?)Role[0-9A-F]{8}$/)?.[1] ===
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
    consoleApi: ['DeleteItem', 'GetItem', 'PutItem'],
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
