import { randomBytes } from 'node:crypto';
import { openTables } from '../../../infra/local/database/openTables.ts';
import { makeQueues, openQueues, queueUrl } from '../../../infra/local/queue/localQueues.ts';
import { currentAssembly } from '../../../infra/local/template/assembly.ts';
import { readTemplate } from '../../../infra/local/template/template.ts';
import { readOutputs } from '../../../infra/stacks/outputs.ts';
import { env } from '../../../lib/env.ts';
import { useStackEnvironment } from '../stack/stackEnvironment.ts';
import { removeFolder, temporaryFolder } from '../stack/stackProcess.ts';

/** Separate tables and queues from the template, which no function of the stack reads. */
export interface OwnStack {
  databaseEndpoint: string;
  keysTable: string;
  recordsTable: string;
  indexTable: string;
  webhooksTable: string;
  sessionsTable: string;
  activityTable: string;
  usageTable: string;
  recordsInboxUrl: string;
  outboxUrl: string;
  deadLettersUrl: string;
  deferredDeadLettersUrl: string;
  deferredIndexDeadLettersUrl: string;
  stop(): Promise<void>;
}

/**
 * Creates them, and makes the stores of this process use them. The tables are in the database that these stores already
 * use.
 * @param streams whether every table has a stream, and not only those of the template
 */
export async function openOwnStack({ streams = false } = {}): Promise<OwnStack> {
  const databaseEndpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB as string;
  const folder = temporaryFolder();
  const { endpoint, stop } = await openQueues(folder);
  const template = readTemplate(await currentAssembly(), { queueUrl: (id) => queueUrl(endpoint, id) });
  await makeQueues(endpoint, template.resources('AWS::SQS::Queue'));
  const idOf = (beginning: string) =>
    template.resources('AWS::SQS::Queue').find(({ id }) => id.startsWith(beginning))?.id as string;
  const mine = randomBytes(4).toString('hex');
  const nameOf = (output: string) => `${template.output(output)}-${mine}`;
  const names = {
    keysTable: nameOf('KeysTable'),
    recordsTable: nameOf('RecordsTable'),
    indexTable: nameOf('IndexTable'),
    webhooksTable: nameOf('WebhooksTable'),
    sessionsTable: nameOf('SessionsTable'),
    activityTable: nameOf('ActivityTable'),
    usageTable: nameOf('UsageTable'),
  };
  const streamSettings = streams ? { StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' } } : {};
  const tables = template.resources('AWS::DynamoDB::GlobalTable').map((resource) => ({
    ...resource,
    id: `${resource.id}-${mine}`,
    properties: { ...resource.properties, ...streamSettings },
  }));
  await openTables(databaseEndpoint, tables);
  useStackEnvironment(readOutputs(template.output));
  Object.assign(process.env, {
    [env.keysTable]: names.keysTable,
    [env.recordsTable]: names.recordsTable,
    [env.indexTable]: names.indexTable,
    [env.webhooksTable]: names.webhooksTable,
    [env.sessionsTable]: names.sessionsTable,
    [env.activityTable]: names.activityTable,
    [env.usageTable]: names.usageTable,
    [env.activityDays]: template.output('ActivityDays'),
    [env.recordsInbox]: template.output('RecordsInboxUrl'),
    [env.recordsRetries]: queueUrl(endpoint, idOf('RecordsInboxRetries')),
  });
  return {
    databaseEndpoint,
    ...names,
    recordsInboxUrl: template.output('RecordsInboxUrl'),
    outboxUrl: template.output('RecordsOutboxUrl'),
    deadLettersUrl: template.output('DeliveriesDeadLettersUrl'),
    deferredDeadLettersUrl: template.output('DeferredFanOutDeadLettersUrl'),
    deferredIndexDeadLettersUrl: template.output('DeferredIndexDeadLettersUrl'),
    stop: async () => {
      await stop();
      removeFolder(folder);
    },
  };
}
