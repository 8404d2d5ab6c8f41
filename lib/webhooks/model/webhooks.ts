import { TableHandle } from '../../dynamodb/tableHandle.ts';
import { env } from '../../env.ts';

/** The Webhooks table. */
export const webhooks = new TableHandle(env.webhooksTable);
