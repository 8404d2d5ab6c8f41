import { createHash } from 'node:crypto';
import { groupKeysMax } from '../contract/console/groupKeysMax.ts';
import type { FailedRequest, FailureGroup } from '../contract/console/usage.ts';

/** Why a request failed, the same for each place of a list: `contacts[3].email` as `contacts[].email`. */
const reasonOf = ({ message, problems }: FailedRequest): unknown =>
  problems.length === 0
    ? message
    : problems.map(({ field, message: problem }) => [field?.replace(/\[\d+\]/g, '[]'), problem]);

/** Names the group of a failed request, in 22 characters: all with its operation, status and reason have the same. */
export const groupOf = (request: FailedRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([request.operation, request.status, reasonOf(request)]))
    .digest('base64url')
    .slice(0, 22);

/** Groups failed requests, which are given to it from the newest to the oldest. */
export class FailureGroups {
  private readonly groups = new Map<string, FailureGroup & { keys: Set<string> }>();

  add(request: FailedRequest): void {
    const id = groupOf(request);
    const group = this.groups.get(id) ?? {
      id,
      count: 0,
      first_at: request.at,
      last_at: request.at,
      key_ids: [],
      latest: request,
      keys: new Set<string>(),
    };
    group.count += 1;
    group.first_at = request.at;
    group.keys.add(request.key_id);
    this.groups.set(id, group);
  }

  /** Of two as large, the one with the newest request first. */
  largestFirst(): FailureGroup[] {
    return [...this.groups.values()]
      .sort((a, b) => b.count - a.count || b.last_at.localeCompare(a.last_at))
      .map(({ keys, ...group }) => ({ ...group, key_ids: [...keys].slice(0, groupKeysMax) }));
  }
}
