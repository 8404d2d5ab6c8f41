import { revokeAccountKey, rotateAccountKey } from '../../../lib/console/keyChanges.ts';
import { grantOf } from '../../../lib/keys/access.ts';
import { issue } from '../../../lib/keys/key.ts';
import { saveKey } from '../../../lib/keys/storedKeys.ts';
import type { Role } from '../engine/model.ts';
import { type Scenario, Violation } from '../engine/search.ts';
import { presentTime, type World } from '../engine/world.ts';

const account = 'acc_1';
const who = { kind: 'user', id: 'u1', name: 'Ada' } as const;
const deadlineMs = 60_000;

let id = '';

const prepare = async (): Promise<void> => {
  const draft = { accountId: account, name: 'K', access: { kind: 'full' } } as const;
  const { key } = issue(draft, 'live', new Date(presentTime()));
  await saveKey(key, undefined, who);
  id = key.id;
};

const change = (name: string, run: (deadline: number) => Promise<unknown>): Role => ({
  name,
  // The key was revoked before.
  errors: ['ApiError'],
  mayDie: true,
  run: async () => {
    await run(presentTime() + deadlineMs);
  },
});

const revoke = change('R', (deadline) => revokeAccountKey(id, { account, who, deadline }));

const rotate = (name: string): Role =>
  change(name, (deadline) => rotateAccountKey(id, 3600, { account, who, deadline, once: undefined }));

/** After the answer to a revocation, no secret of the key grants anything. A secret that grants something is one of the key's. */
function check(world: World): void {
  const items = world.tables.items('keys');
  const hashes = items.flatMap(({ secrets }) => (secrets as { hash: string }[] | undefined) ?? []);
  const isRevoked = 'value' in (world.outcomeOf('R') ?? {});
  for (const item of items) {
    if (item.key_id === undefined || !grantOf(item, new Date(world.now))) continue;
    if (isRevoked) throw new Violation('A secret of a revoked key grants access');
    if (!hashes.some(({ hash }) => hash === item.pk))
      throw new Violation('A secret grants access, and its key does not know it: no revocation would end it');
  }
}

export const revocation: Scenario[] = [
  {
    name: 'a key that is revoked while it is rotated, twice',
    limits: [
      { faults: 0, stalls: 1 },
      { faults: 1, stalls: 0 },
    ],
    prepare,
    roles: () => [revoke, rotate('A'), rotate('B')],
    check,
  },
];
