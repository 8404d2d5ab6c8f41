import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Api } from './api.ts';
import type { FunctionProps } from './apiFunction.ts';
import { Inbox } from './inbox.ts';
import { Ingest } from './ingest.ts';
import type { StageSettings } from './stages.ts';
import { Tables } from './tables.ts';

/** What must never be lost, apart from what is replaced with every release. */
export class DataStack extends Stack {
  readonly tables: Tables;
  readonly inbox: Inbox;

  constructor(
    scope: Construct,
    id: string,
    { settings, ...props }: StackProps & { settings: StageSettings },
  ) {
    super(scope, id, props);
    this.tables = new Tables(this, 'Tables', settings);
    this.inbox = new Inbox(this, 'RecordsInbox', settings);
  }
}

export interface ApiStackProps extends StackProps, FunctionProps {
  inbox: Inbox;
}

export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, { settings, tables, inbox, bundles, ...props }: ApiStackProps) {
    super(scope, id, props);
    const { rest } = new Api(this, 'Api', { settings, tables, bundles });
    new Ingest(this, 'Ingest', { settings, tables, inbox, bundles });
    const { restApiId, deploymentStage } = rest;
    const { stageName } = deploymentStage;
    this.output('BaseUrl', `https://${restApiId}.execute-api.${this.region}.${this.urlSuffix}/${stageName}`);
    this.output('KeysTable', tables.keys.tableName);
    this.output('RecordsTable', tables.records.tableName);
    this.output('RecordsInboxUrl', inbox.queue.queueUrl);
    this.output('RecordsInboxDeadLettersUrl', inbox.deadLetters.queueUrl);
    this.output('RestApiId', restApiId);
    this.output('StageName', stageName);
  }

  /** Under its plain name, which is what the commands for ops look for. */
  private output(name: string, value: string): void {
    new CfnOutput(this, name, { value });
  }
}
