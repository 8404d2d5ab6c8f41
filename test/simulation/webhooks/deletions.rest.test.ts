import { expect, test } from 'vitest';
import type { Edit } from '../../exploration/engine/edits.ts';
import { runDeletions } from '../simulated.ts';

test('in random histories with deaths, stalls, late changes and items that cannot be written, nobody is shown or sent the past of a deleted record, and nothing of it stays', async () => {
  const first = Math.floor(Math.random() * 1e6);
  const { found, histories, deletions, deaths } = await runDeletions({ first, count: 40 });
  expect(found).toEqual({});
  expect(histories).toBe(40);
  expect(deletions).toBeGreaterThan(40);
  expect(deaths).toBeGreaterThan(100);
});

const attempt = 'lib/webhooks/deliveries/attempt.ts';
const events = 'lib/webhooks/redaction/redactEvents.ts';
const turn = 'lib/webhooks/redaction/redactionTurn.ts';

/** What the protocol depends on, how it is taken out, and a seed from which on a violation is found within a few histories. */
const guards: [name: string, edit: Edit, first: number][] = [
  [
    'the transaction of the deletion hides the events',
    { file: 'lib/records/deletion/deleteRecord.ts', from: '    hideEvents(account, id, version),\n', to: '' },
    1,
  ],
  ['an attempt looks', { file: attempt, from: 'redaction !== undefined || ', to: '' }, 1],
  [
    'no response to an attempt after the deletion is kept',
    { file: attempt, from: 'const isQuiet = isHidden || ', to: 'const isQuiet = ' },
    1,
  ],
  [
    'no response to an attempt during the deletion is kept',
    { file: attempt, from: 'isHidden || known.redacted === true', to: 'isHidden' },
    1,
  ],
  [
    'an attempt begins soon after it has looked',
    {
      file: attempt,
      from: 'if (Date.now() > Date.parse(until) - attemptMs) return comeBack(delivery, until);',
      to: '',
    },
    1,
  ],
  [
    'GET looks',
    {
      file: 'lib/webhooks/log/deliveryLog.ts',
      from: 'const isHidden = found.some((item) => item.body === undefined);',
      to: 'const isHidden = false;',
    },
    1,
  ],
  [
    'the list looks',
    {
      file: 'lib/webhooks/log/listDeliveries.ts',
      from: 'const shown = await withoutHidden(account, page.data);',
      to: 'const shown = page.data;',
    },
    1,
  ],
  [
    'the response to a redelivery looks',
    {
      file: 'lib/webhooks/redelivery/redeliver.ts',
      from: 'const [shown] = (await withoutHidden(account, [answer.body])) as [PublicDelivery];',
      to: 'const shown = answer.body;',
    },
    1,
  ],
  [
    'the outbox looks',
    {
      file: 'lib/outbox/sendChanges.ts',
      from: 'if (isHidden(refOf(change)) && !change.deletion)',
      to: 'if (isHidden({ account: change.account, id: "" }))',
    },
    1,
  ],
  [
    'a turn works on some versions at least',
    {
      file: turn,
      from: 'const failed = [...stuck, ...(await redact(next))];',
      to: 'if (Date.now() >= until) return { left, stuck };\nconst failed = [...stuck, ...(await redact(next))];',
    },
    31,
  ],
  [
    'deliveries are redacted before their event',
    {
      file: events,
      from: '  const positions = [...events.values()]',
      to: '  await fewAtOnce([...events], ([id, event]) => noteFailure(id, redactEvent(account, id, event)), writers);\n  const positions = [...events.values()]',
    },
    1,
  ],
  [
    'only deliveries that have ended need no redaction without a response',
    { file: events, from: "delivery.phase.at !== 'ended' || ", to: '' },
    1,
  ],
  [
    'an event that cannot be written is passed over',
    { file: events, from: 'failed.add(event);', to: 'throw error;' },
    1,
  ],
];

test.each(guards)('without this, a history breaks a promise: %s', async (_, edit, first) => {
  const { found } = await runDeletions({ first, count: 30, edits: [edit] });
  expect(Object.keys(found)).not.toEqual([]);
});
