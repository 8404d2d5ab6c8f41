import type { getUsage, UsageAnswer } from '../../../../lib/contract/console/consoleUsage.ts';
import { call } from '../call.ts';
import { type Loading, useLoading } from '../loading.ts';
import { asked, isKeptBefore, type RangeName } from './chosenRange.ts';

export type UsageGroup = UsageAnswer['groups'][number];

/** The choices of a person; an empty text is all. */
export type Chosen = {
  range: RangeName;
  by: UsageAnswer['group_by'];
  key: string;
  operation: string;
};

export const firstChosen: Chosen = { range: '24h', by: 'status', key: '', operation: '' };

/** @param before how many ranges ago */
const readUsage = ({ range, by, key, operation }: Chosen, before = 0) =>
  call<typeof getUsage>('GET', '/api/usage', {
    query: {
      ...asked(range, before),
      group_by: by,
      key_id: key,
      operation,
    },
  });

/** @param before how many ranges ago */
export const useUsage = (chosen: Chosen, before = 0): Loading<UsageAnswer | null> =>
  useLoading(
    async () => (before === 0 || isKeptBefore(chosen.range) ? readUsage(chosen, before) : null),
    `usage ${before} ${JSON.stringify(chosen)}`,
  );
