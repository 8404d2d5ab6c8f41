import type { getUsage, UsageAnswer } from '../../../../lib/contract/console/usage.ts';
import { call } from '../call.ts';
import { asked, type RangeName } from './range.ts';

export type UsageGroup = UsageAnswer['groups'][number];

/** What a person has chosen to see; an empty text is all. */
export interface Chosen {
  range: RangeName;
  group_by: UsageAnswer['group_by'];
  key_id: string;
  operation: string;
}

export const readUsage = ({ range, group_by, key_id, operation }: Chosen) =>
  call<typeof getUsage>('GET', '/api/usage', {
    query: { ...asked(range), group_by, key_id: key_id || undefined, operation: operation || undefined },
  });
