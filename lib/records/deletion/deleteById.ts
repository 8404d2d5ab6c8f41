import type { Origin } from '../../contract/origin.ts';
import { untilCommitted } from '../../dynamodb/conflicts.ts';
import { getItem } from '../get.ts';
import type { CollectionRef } from '../recordKeys.ts';
import { deleteAsRead } from './deleteRecord.ts';

interface Options {
  origin: Origin;
  /** Epoch milliseconds. */
  deadline: number;
  /** Throws if the version must not be deleted. */
  permit(version: number): void;
}

/** Deletes a record for a client. @throws ApiError 404 if there is no such record, and whatever `permit` throws */
export const deleteById = (ref: CollectionRef, id: string, { origin, deadline, permit }: Options) =>
  untilCommitted(deadline, async () => {
    const item = await getItem(ref, id);
    permit(item.version as number);
    return deleteAsRead(ref, item, { origin });
  });
