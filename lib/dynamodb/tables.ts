import { env } from '../env.ts';
import { TableHandle } from './tableHandle.ts';

// The tables. The file that is named after a table, such as recordsTable.ts, describes its items.

export const keys = new TableHandle(env.keysTable);
export const records = new TableHandle(env.recordsTable);
export const index = new TableHandle(env.indexTable);
export const webhooks = new TableHandle(env.webhooksTable);
export const sessions = new TableHandle(env.sessionsTable);
export const usage = new TableHandle(env.usageTable);
export const activity = new TableHandle(env.activityTable);
