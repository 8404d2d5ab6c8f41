import type { Who } from '../activity/author.ts';
import { type ActivityEvent, record } from '../activity/entry.ts';
import { parseInput } from '../aws/invocation.ts';
import { untilCommitted } from '../dynamodb/conflicts.ts';
import { startsWith } from '../dynamodb/expressions.ts';
import { queryAll } from '../dynamodb/query.ts';
import { sessions } from '../dynamodb/tables.ts';
import { type Action, transact } from '../dynamodb/transact.ts';
import { account } from '../values/fields.ts';
import { object } from '../values/structure.ts';
import { text } from '../values/texts.ts';
import {
  actorPrefix,
  authorFor,
  type Caller,
  deleteWithPointer,
  type ItemKind,
  isLive,
  pointersOf,
  readLink,
  readSession,
  type Session,
} from './sessions.ts';

/** The actions that end a session, with its entry. They are refused when it has ended already. */
export const endingOf = (session: Session, at: Date, who: Who): Action[] => [
  ...deleteWithPointer(session.hash, 'session', session),
  record(session.account, endOf(session, at), who),
];

const endOf = ({ session_id, actor }: Session, at: Date): ActivityEvent => ({
  action: 'session.ended',
  at,
  subject: session_id,
  number: 2,
  person: actor,
});

/** Ends a session. It has no effect on one that has ended. @param deadline epoch milliseconds */
export async function endSession(session: Session, who: Who, deadline: number): Promise<void> {
  await untilCommitted(deadline, async () => {
    const { refused } = await transact(endingOf(session, new Date(), who));
    return !refused || refused.some(({ kind }) => kind === 'refused') ? {} : undefined;
  });
}

const endRequest = () => object({ account: account(), actor_id: text(200).optional() });

/**
 * Ends all sessions of an account, or those of one person in it, and makes their unused links useless.
 * @param input `{account, actor_id?}`
 * @param deadline epoch milliseconds
 * @returns the number of sessions and of unused links that it ended
 * @throws InputError
 */
export async function endSessions(
  input: unknown,
  caller: Caller,
  deadline: number,
): Promise<{ ended: number }> {
  const { account, actor_id } = parseInput(endRequest(), input);
  const endedBy = ({ actor }: Session): Who => authorFor(caller, actor);
  const ended = new Set<string>();
  // An unused link may become a session meanwhile. So this ends when there is nothing left, and not after one pass.
  await untilCommitted(deadline, async () => {
    const pointers = await readPointers(account, actor_id);
    for (const pointer of pointers) if (await endOne(pointer, endedBy)) ended.add(pointer.hash);
    return pointers.length === 0 ? {} : undefined;
  });
  return { ended: ended.size };
}

interface Pointer {
  pk: string;
  sk: string;
  hash: string;
  kind: ItemKind;
}

const readPointers = async (account: string, actorId: string | undefined): Promise<Pointer[]> =>
  (await queryAll({
    ...sessions.where({
      pk: pointersOf(account),
      sk: actorId === undefined ? undefined : startsWith(actorPrefix(actorId)),
    }),
    ConsistentRead: true,
  })) as unknown as Pointer[];

/** @returns whether it ended something that still counted */
async function endOne({ pk, sk, hash, kind }: Pointer, endedBy: (session: Session) => Who): Promise<boolean> {
  const now = Date.now();
  const item = kind === 'session' ? await readSession(hash) : await readLink(hash);
  // DynamoDB removes expired items one by one, so a pointer may be left alone.
  if (!item) {
    await transact([sessions.delete({ pk, sk })]);
    return false;
  }
  const counts = kind === 'session' ? isLive(item as Session, now) : now < item.expires_at;
  const actions =
    kind === 'session' && counts
      ? endingOf(item as Session, new Date(now), endedBy(item as Session))
      : deleteWithPointer(hash, kind, item);
  return (await transact(actions)).committed && counts;
}
