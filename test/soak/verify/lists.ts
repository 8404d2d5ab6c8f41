import type { Account } from '../client/account.ts';
import { numbersIn, tagCount } from '../model/content.ts';
import { Numbers } from '../model/numbers.ts';
import { walk, walkBehind } from './walk.ts';

/**
 * Walks the whole list: each acknowledged contact is there exactly once with the content that was acknowledged last, and nothing that
 * nobody asked for. A create whose answer was lost may be there.
 */
export async function verifyList(account: Account): Promise<void> {
  const { records } = account;
  const [since, min] = [records.now(), records.totalMin()];
  const timesShown = new Numbers();
  let position = 0;
  let total = 0;
  for await (const page of walk(account)) {
    total = page.pagination.total;
    account.check(page.data, since);
    for (const contact of page.data) {
      const row = records.rowOf(contact.id);
      timesShown.set(row, timesShown.get(row) + 1);
      account.report(records.wrongAt(position++, contact.id));
      // One whose answer was lost is known from now on.
      account.report(records.created(contact.id, numbersIn(contact)?.serial ?? 0));
    }
  }
  account.report(records.wrongTotal(total, min));
  if (position !== total) account.report(`the list has ${position} contacts, and a total of ${total}`);
  for (let row = 0; row < records.seen; row++)
    if (timesShown.get(row) !== 1)
      account.report(`${records.idOf(row)} is ${timesShown.get(row)} times in the list`);
}

/** Each tag has exactly the contacts that have it in a scan, and their exact number as its total. */
export async function verifyFilters(account: Account): Promise<void> {
  const { records } = account;
  const tags = new Numbers();
  const counts = new Numbers();
  for await (const { data } of walk(account))
    for (const {
      id,
      tags: [tag],
    } of data) {
      const number = Number(tag?.slice('tag-'.length));
      tags.set(records.rowOf(id), number);
      counts.set(number, counts.get(number) + 1);
    }
  for (let number = 0; number < tagCount; number++) {
    let shown = 0;
    for await (const { data, pagination } of walkBehind(account, `tag=tag-${number}`)) {
      if (shown === 0 && pagination.total !== counts.get(number))
        account.report(
          `tag-${number} has a total of ${pagination.total}, and is in ${counts.get(number)} contacts`,
        );
      shown += data.length;
      for (const { id } of data)
        if (tags.get(records.rowOf(id)) !== number)
          account.report(`tag-${number} shows ${id}, which has another tag`);
    }
    if (shown !== counts.get(number))
      account.report(`tag-${number} shows ${shown} contacts, and is in ${counts.get(number)}`);
  }
}
