import { type CreatedLink, createLink } from '../../../lib/console/links.ts';
import { connect } from '../connection.ts';
import type { Demo } from './demo.ts';

export type DemoLink = CreatedLink;

/**
 * A link to the console of the demo account. It works for a minute, so each start makes one.
 * @param data the data directory of the local stack
 */
export async function demoLink(data: string, { account }: Demo): Promise<DemoLink> {
  const connection = await connect({ data });
  await connection.useConsole();
  const operator = await connection.operator();
  const actor = { id: 'demo', name: 'Demo Admin' };
  return createLink({ account, account_name: 'Demo account', actor, role: 'admin' }, { operator });
}
