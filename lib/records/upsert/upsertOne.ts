import type { Origin } from '../../contract/origin.ts';
import { pause } from '../../dynamodb/conflicts.ts';
import type { Content, Stored } from '../../resources/collection.ts';
import { commitDraft } from '../create/create.ts';
import { recordAt } from '../create/draft.ts';
import type { AccountCollection } from '../keys.ts';
import { bringUpToDate, draftOf, type Entry } from './entry.ts';
import { findByExternalId } from './find.ts';

/** About the pause when others take or move the external id, so that the same requests do not meet again. */
const conflictPauseMs = 20;

/**
 * Creates the record with an external id, or replaces its content. A repetition changes nothing.
 * @param permit throws when the version must not be replaced, or with `undefined` when the record must not be created
 * @throws ApiError 400 when the record is too large for a list, and whatever `permit` throws
 */
export async function upsertRecord<R extends Stored>(
  ref: AccountCollection<R>,
  content: Content<R> & { external_id: string },
  {
    deadline,
    origin,
    permit,
  }: { deadline: number; origin: Origin; permit: (version: number | undefined) => void },
): Promise<{ record: R; isNew: boolean }> {
  const { collection } = ref;
  const entry: Entry<R> = { content, statedAt: null, origin };
  const draft = draftOf(collection, entry);
  while (Date.now() < deadline) {
    const found = await findByExternalId(ref, [content.external_id]);
    const state = found.get(content.external_id);
    if (state) {
      const result = await bringUpToDate(ref, state, entry, { deadline, permit });
      if (result && result.kind !== 'outdated') return { record: result.record, isNew: false };
    } else {
      permit(undefined);
      const outcome = await commitDraft(ref, draft, deadline);
      if (outcome.kind === 'committed') return { record: recordAt(collection, draft, outcome), isNew: true };
    }
    await pause(conflictPauseMs);
  }
  throw new Error('The deadline passed while others took the same external id');
}
