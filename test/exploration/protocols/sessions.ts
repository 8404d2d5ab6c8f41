import { beginSession, createLink } from '../../../lib/console/consoleLinks.ts';
import { endSessions, findSession, noteUse, secretTextHash } from '../../../lib/console/sessions.ts';
import type { Role } from '../engine/model.ts';
import { type Scenario, Violation } from '../engine/search.ts';
import { presentTime, type World } from '../engine/world.ts';

const account = 'acc_1';
const deadlineMs = 60_000;

let code = '';
let cookie = '';

const codeOfLink = async (): Promise<string> => {
  const request = { account, actor: { id: 'u1', name: 'Ada' }, role: 'admin' };
  const { url } = await createLink(request, undefined);
  return url.split('code=')[1] as string;
};

/** A link that nobody has used, and a session that was last in use two minutes ago. */
const prepare = async (): Promise<void> => {
  const started = await beginSession(await codeOfLink(), {
    before: undefined,
    origin: {},
    deadline: presentTime() + deadlineMs,
  });
  cookie = started.cookie;
  code = await codeOfLink();
};

const start = (name: string): Role => ({
  name,
  // The link was used before.
  errors: ['ApiError'],
  mayDie: true,
  run: async () => {
    await beginSession(code, { before: undefined, origin: {}, deadline: presentTime() + deadlineMs });
  },
});

const end: Role = {
  name: 'E',
  mayDie: true,
  run: () => endSessions({ account }, {}, presentTime() + deadlineMs),
};

/** A request with the session, two minutes after it was last in use. */
const request: Role = {
  name: 'Q',
  run: async () => {
    const later = presentTime() + 120_000;
    const session = await findSession(cookie, later);
    return session !== undefined && (await noteUse(session, later));
  },
};

/** A link starts one session. After the answer to the end of all sessions nothing is left of any, and no link either. */
function check(world: World): void {
  const items = world.tables.items('sessions').filter(({ sk }) => sk === 'session' || sk === 'code');
  const started = items.filter(({ pk, sk }) => sk === 'session' && pk !== secretTextHash(cookie));
  if (started.length > 1) throw new Violation('One link has started two sessions');
  const [left] = items;
  if (left && 'value' in (world.outcomeOf('E') ?? {}))
    throw new Violation(`All sessions were ended, and a ${left.sk} is there`);
}

const limits = [
  { faults: 0, stalls: 1 },
  { faults: 1, stalls: 0 },
];

export const sessions: Scenario[] = [
  {
    name: 'one link that two use, while all sessions are ended',
    limits,
    prepare,
    roles: () => [start('A'), start('B'), end],
    check,
  },
  {
    name: 'a request while all sessions are ended',
    limits,
    prepare,
    roles: () => [request, end],
    check,
  },
];
