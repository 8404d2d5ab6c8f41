import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { FunctionProps } from './api/apiFunction.ts';
import { Domain } from './api/domain.ts';
import { Firewall } from './api/firewall.ts';
import { Api, version } from './api/restApi.ts';
import { Console, type ConsoleProps } from './console/console.ts';
import type { PublicStage } from './console/flushedAuthorizer.ts';
import { Tables } from './data/dataTables.ts';
import { Deliveries } from './data/deliveries.ts';
import { Inbox } from './data/inboxQueues.ts';
import { Outbox } from './data/outboxQueue.ts';
import { ConsoleMonitoring } from './monitoring/consoleMonitoring.ts';
import { LineCounts, lineCountsOf } from './monitoring/lineCounts.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import type { OutputName } from './outputs.ts';
import { IndexPipeline } from './pipeline/indexPipeline.ts';
import { Ingest } from './pipeline/ingestFunction.ts';
import { ProductFunctions } from './pipeline/productFunctions.ts';
import { UsagePipeline } from './pipeline/usagePipeline.ts';
import { WebhookPipeline } from './pipeline/webhookPipeline.ts';
import { ReferenceSite, type ReferenceSiteProps } from './reference/referenceSite.ts';
import type { StageSettings } from './stages/stages.ts';

/** The resources that contain data, except those that each release replaces. */
export class DataStack extends Stack {
  readonly tables: Tables;
  readonly inbox: Inbox;
  readonly outbox: Outbox | undefined;
  readonly deliveries: Deliveries;

  constructor(
    scope: Construct,
    id: string,
    { settings, ...props }: StackProps & { settings: StageSettings },
  ) {
    super(scope, id, { terminationProtection: settings.keepData, ...props });
    this.tables = new Tables(this, 'Tables', settings);
    this.inbox = new Inbox(this, 'RecordsInbox', settings);
    this.outbox = settings.outbox === undefined ? undefined : new Outbox(this, 'RecordsOutbox', settings);
    this.deliveries = new Deliveries(this, 'Deliveries', settings);
    this.exportAll();
  }

  /**
   * Exports everything that another stack could use, even if none does. Otherwise, CDK would remove an export when the other stack stops using
   * it. This stack is deployed first, and CloudFormation refuses to remove an export in use ("Export … in use").
   */
  private exportAll(): void {
    const { keys, records, index, webhooks, sessions, activity, usage, webhooksKey, idKey } = this.tables;
    for (const { tableName, tableArn } of [keys, records, index, webhooks, sessions, activity, usage])
      this.exportEach(tableName, tableArn);
    for (const { tableStreamArn } of [records, webhooks]) this.exportEach(tableStreamArn as string);
    this.exportEach(webhooksKey.keyArn, idKey.secretArn);
    const { failedChanges } = this.deliveries;
    for (const construct of [this.inbox, this.outbox ?? {}, this.deliveries])
      for (const queue of Object.values(construct).filter((one) => one instanceof Queue))
        this.exportEach(queue.queueUrl, queue.queueArn, queue.queueName);
    this.exportEach(failedChanges.bucketName, failedChanges.bucketArn);
  }

  private exportEach(...values: string[]): void {
    for (const value of values) this.exportValue(value);
  }
}

export class ApiStack extends Stack {
  readonly baseUrl: string;
  readonly publicStage: PublicStage;
  readonly alarmTopic: Topic;

  constructor(scope: Construct, id: string, { inbox, ...functionProps }: FunctionProps & { inbox: Inbox }) {
    super(scope, id);
    const { tables, deliveries, outbox, settings } = functionProps;
    const { rest, releaseAlarms, accessLogs, logs, operations, authorizer } = new Api(
      this,
      'Api',
      functionProps,
    );
    const { lambda: ingest } = new Ingest(this, 'Ingest', { ...functionProps, inbox });
    const { deleteRecord, askRecords } = new ProductFunctions(this, 'Product', functionProps);
    const { lambdas, changes: fannedOut } = new WebhookPipeline(this, 'Webhooks', functionProps);
    const { lambdas: ofIndex, changes: indexed } = new IndexPipeline(this, 'Index', functionProps);
    const { lambdas: usage } = new UsagePipeline(this, 'Usage', {
      ...functionProps,
      access: accessLogs,
      logs,
      authorizer,
    });
    const pipeline = { ingest, ...lambdas, ...ofIndex };
    const changes = [fannedOut, ...indexed];
    const monitoring = new Monitoring(this, 'Monitoring', {
      settings,
      releaseAlarms,
      sources: {
        rest,
        operations,
        authorizer,
        tables,
        inbox,
        outbox,
        deliveries,
        pipeline,
        usage,
        changes,
        counted:
          settings.alarms === 'all' ? lineCountsOf(this, accessLogs, lambdas.deliver.logGroup) : undefined,
        namespace: this.stackName,
      },
    });
    // Alarms name the rules in expressions, where CloudFormation sees no dependency.
    for (const child of this.node.children)
      if (child instanceof LineCounts) monitoring.node.addDependency(child);
    const { dashboardUrl, topic } = monitoring;
    const { restApiId, deploymentStage } = rest;
    this.alarmTopic = topic;
    // Always exported, because an export cannot be removed while another stack uses it.
    this.exportValue(restApiId);
    this.exportValue(topic.topicArn);
    const { stageName } = deploymentStage;
    if (settings.firewall) new Firewall(this, 'Firewall', { stage: deploymentStage, ...settings.firewall });
    const host = settings.domain?.name ?? `${restApiId}.execute-api.${this.region}.${this.urlSuffix}`;
    this.publicStage = { restApiId, stageName };
    this.baseUrl = `https://${host}/${version}`;
    if (settings.domain) {
      const { target } = new Domain(this, 'Domain', { rest, settings, ...settings.domain });
      addOutputs(this, { DomainTarget: target });
    }
    if (outbox)
      addOutputs(this, {
        RecordsOutboxUrl: outbox.queue.queueUrl,
        RecordsOutboxArn: outbox.queue.queueArn,
        RecordsOutboxDeadLettersUrl: outbox.deadLetters.queueUrl,
        RecordsOutboxDeadLettersArn: outbox.deadLetters.queueArn,
      });
    addOutputs(this, {
      BaseUrl: this.baseUrl,
      KeysTable: tables.keys.tableName,
      RecordsTable: tables.records.tableName,
      IndexTable: tables.index.tableName,
      WebhooksTable: tables.webhooks.tableName,
      SessionsTable: tables.sessions.tableName,
      ActivityTable: tables.activity.tableName,
      UsageTable: tables.usage.tableName,
      ActivityDays: String(settings.activityDays),
      RecordsInboxUrl: inbox.queue.queueUrl,
      RecordsInboxArn: inbox.queue.queueArn,
      RecordsInboxDeadLettersUrl: inbox.deadLetters.queueUrl,
      QuickDeliveriesUrl: deliveries.quick.queueUrl,
      SlowDeliveriesUrl: deliveries.slow.queueUrl,
      DeliveriesDeadLettersUrl: deliveries.deadLetters.queueUrl,
      DeferredFanOutUrl: deliveries.deferredFanOut.queueUrl,
      DeferredFanOutDeadLettersUrl: deliveries.deferredFanOutDeadLetters.queueUrl,
      DeferredIndexUrl: deliveries.deferredIndex.queueUrl,
      DeferredIndexDeadLettersUrl: deliveries.deferredIndexDeadLetters.queueUrl,
      FailedChangesBucket: deliveries.failedChanges.bucketName,
      DashboardUrl: dashboardUrl,
      DeleteRecordFunction: deleteRecord.functionName,
      AskRecordsFunction: askRecords.functionName,
      FanOutFunction: lambdas.fanOut.functionName,
      IndexFunction: ofIndex.index.functionName,
      IndexLogsFunction: ofIndex.indexLogs.functionName,
      RestApiId: restApiId,
      StageName: stageName,
    });
  }
}

/** Adds outputs without a prefix, because the commands for operators find outputs by these names. */
function addOutputs(
  stack: Stack,
  outputs: Partial<Record<OutputName, string>> & Record<string, string>,
): void {
  for (const [name, value] of Object.entries(outputs)) new CfnOutput(stack, name, { value });
}

/** The reference page. It has its own stack because CloudFront takes minutes for a change, and no deployment should wait for it. */
export class ReferenceStack extends Stack {
  constructor(scope: Construct, id: string, props: ReferenceSiteProps) {
    super(scope, id);
    const { url } = new ReferenceSite(this, 'Reference', props);
    addOutputs(this, { ReferenceUrl: url });
  }
}

/** Settings > Integrations. It has its own stack because a stage can do without it, and because CloudFront takes minutes for a change. */
export class ConsoleStack extends Stack {
  constructor(scope: Construct, id: string, { alarmTopic, ...props }: ConsoleProps & { alarmTopic: Topic }) {
    super(scope, id);
    const { rest, operations, site, createLink, endSessions, keyChanges } = new Console(
      this,
      'Console',
      props,
    );
    const { dashboardUrl } = new ConsoleMonitoring(this, 'ConsoleMonitoring', {
      settings: props.settings,
      topic: alarmTopic,
      sources: {
        rest,
        operations,
        tables: props.tables,
        links: [createLink, endSessions],
        keyChanges,
        namespace: this.stackName,
      },
    });
    addOutputs(this, {
      ConsoleUrl: site.url,
      ConsoleTarget: site.target,
      ConsoleLinkFunction: createLink.functionName,
      EndConsoleSessionsFunction: endSessions.functionName,
      ConsoleDashboardUrl: dashboardUrl,
      KeyChangesUrl: keyChanges.queueUrl,
    });
  }
}
