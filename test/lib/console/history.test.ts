import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberOf } from '../../../lib/activity/entry.ts';
import { historyOf } from '../../../lib/activity/list.ts';
import {
  createKey,
  type KeyWithSecret,
  revokeKey,
  rotateKey,
  updateKey,
} from '../../../lib/contract/console/keys.ts';
import { readKey } from '../../../lib/keys/store.ts';
import { scopes } from '../../../lib/resources/index.ts';
import { type ConsoleRequest, consoleEvent, givenSession, handlerOf } from '../../support/console/console.ts';
import { keysOf } from '../../support/console/stored.ts';
import { givenAccount } from '../../support/data/given.ts';
import { faultsAt, isKill, useFaultyDatabase } from '../../support/faults/faults.ts';
import { lambdaContext } from '../../support/http/events.ts';

// A key at revision N has exactly the entries 1 to N, whatever happens to it and to the database.

const database = useFaultyDatabase({ hangMs: 50 });

/** The faults of one call that end quickly. */
const faults = faultsAt(8).filter((fault) => !isKill(fault) && !/hangs|throttled|then on/.test(fault.name));

const change = fc.oneof(
  fc.record({
    kind: fc.constant('update' as const),
    body: fc.constantFrom<object>(
      { name: 'One' },
      { name: 'Two', expires_at: '2999-01-01T00:00:00Z' },
      { expires_at: null },
      { full_access: true },
      ...scopes.map((scope) => ({ scopes: [scope] })),
    ),
  }),
  fc.record({
    kind: fc.constant('rotate' as const),
    body: fc.constantFrom<object>({ overlap_seconds: 0 }, { overlap_seconds: 60 }),
  }),
);

const step = fc.record({
  /** Changes at the same time, by several people. */
  changes: fc.array(change, { minLength: 1, maxLength: 3 }),
  fault: fc.option(fc.constantFrom(...faults), { nil: undefined }),
});

test('every revision of a key has one entry, whatever changes at once and whatever fails', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 5 }), fc.boolean(), async (steps, ends) => {
      const account = givenAccount();
      const { cookie } = await givenSession(account);
      const send = async (operation: Parameters<typeof handlerOf>[0], request: ConsoleRequest) => {
        const handler = await handlerOf(operation);
        return handler(consoleEvent(operation, { cookie, ...request }), lambdaContext());
      };
      let sent = 0;
      const once = () => ({ 'Idempotency-Key': `once-${++sent}` });
      const created = await send(createKey, { headers: once(), body: { name: 'A key', full_access: true } });
      const keyId = (JSON.parse(created.body) as KeyWithSecret).key.id;
      for (const { changes, fault } of steps)
        await Promise.all(
          changes.map(({ kind, body }) =>
            database.run(
              () =>
                send(kind === 'update' ? updateKey : rotateKey, { params: { keyId }, headers: once(), body }),
              fault,
            ),
          ),
        );
      if (ends) await send(revokeKey, { params: { keyId } });
      const key = await readKey(keyId);
      const history = await historyOf(account, keyId);
      const numbers = Array.from({ length: key?.revision ?? 0 }, (_, i) => i + 1).reverse();
      expect(history.map(numberOf)).toEqual(numbers);
      // Each entry begins with the state that the one before it has made.
      for (const [i, { before }] of history.entries())
        expect(before && { ...before, hints: [] }).toEqual(
          history[i + 1]?.after ? { ...history[i + 1]?.after, hints: [] } : null,
        );
      expect(await keysOf(account)).toHaveLength(1);
    }),
    { numRuns: 15, endOnFailure: true },
  );
});
