import { expect, test } from 'vitest';
import { readItems } from '../../../lib/dynamodb/tableHandle.ts';
import { records } from '../../../lib/dynamodb/tables.ts';
import { givenAccount } from '../../support/data/given.ts';
import { onWire } from '../../support/faults/wire.ts';

test('a read of many keys makes few calls at once', async () => {
  const account = givenAccount();
  let [underWay, most] = [0, 0];
  const undo = onWire(({ name }, send) => {
    if (name !== 'BatchGetItem') return send();
    most = Math.max(most, ++underWay);
    return send().finally(() => underWay--);
  });
  const keys = Array.from({ length: 3000 }, (_, i) => ({ pk: `${account}#key`, sk: String(i) }));
  expect(await readItems(records, keys)).toEqual([]);
  undo();
  expect(most).toBe(25);
});
