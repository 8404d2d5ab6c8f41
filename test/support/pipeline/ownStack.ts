import { randomBytes } from 'node:crypto';
import { currentAssembly } from '../../../infra/local/assembly.ts';
import { makeQueues, openQueues, queueUrl } from '../../../infra/local/queues.ts';
import { openTables } from '../../../infra/local/tables.ts';
import { readTemplate } from '../../../infra/local/template.ts';
import { env } from '../../../lib/env.ts';
import { likeTheStack } from '../likeTheStack.ts';
import { removeFolder, temporaryFolder } from '../stackProcess.ts';

/** Tables and queues as the template has them, whose changes and messages nobody else takes. */
export interface OwnStack {
  databaseEndpoint: string;
  recordsTable: string;
  queuesEndpoint: string;
  deadLettersUrl: string;
  deferredDeadLettersUrl: string;
  stop(): Promise<void>;
}

/** Makes them, the tables in the database of the stack under test, and points the stores of this process at them. */
export async function openOwnStack(): Promise<OwnStack> {
  const databaseEndpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB as string;
  const folder = temporaryFolder();
  const { endpoint, stop } = await openQueues(folder);
  const template = readTemplate(await currentAssembly(), { queueUrl: (id) => queueUrl(endpoint, id) });
  await makeQueues(endpoint, template.resources('AWS::SQS::Queue'));
  const mine = randomBytes(4).toString('hex');
  const nameOf = (output: string) => `${template.output(output)}-${mine}`;
  const [recordsTable, webhooksTable] = [nameOf('RecordsTable'), nameOf('WebhooksTable')];
  const tables = template
    .resources('AWS::DynamoDB::GlobalTable')
    .map((resource) => ({ ...resource, id: `${resource.id}-${mine}` }))
    .filter(({ id }) => id === recordsTable || id === webhooksTable);
  await openTables(databaseEndpoint, tables);
  likeTheStack({
    deliveriesUrl: template.output('DeliveriesUrl'),
    slowDeliveriesUrl: template.output('SlowDeliveriesUrl'),
    deferredChangesUrl: template.output('DeferredChangesUrl'),
  });
  Object.assign(process.env, { [env.recordsTable]: recordsTable, [env.webhooksTable]: webhooksTable });
  return {
    databaseEndpoint,
    recordsTable,
    queuesEndpoint: endpoint,
    deadLettersUrl: template.output('DeliveriesDeadLettersUrl'),
    deferredDeadLettersUrl: template.output('DeferredChangesDeadLettersUrl'),
    stop: async () => {
      await stop();
      removeFolder(folder);
    },
  };
}
