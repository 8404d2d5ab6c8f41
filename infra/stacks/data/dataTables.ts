import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type CfnGlobalTable,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { activityTable } from '../../../lib/activity/activityTable.ts';
import { sessionsTable } from '../../../lib/console/sessionsTable.ts';
import { indexTable } from '../../../lib/filterIndex/indexTable.ts';
import { keysTable } from '../../../lib/keys/keysTable.ts';
import { recordsTable } from '../../../lib/records/recordsTable.ts';
import { usageTable } from '../../../lib/usage/usageTable.ts';
import { webhooksTable } from '../../../lib/webhooks/model/webhooksTable.ts';
import { acknowledgeFindings } from '../acknowledgeFindings.ts';
import type { StageSettings } from '../stages/stages.ts';
import { removalPolicyOf } from './removalPolicy.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

const keysOf = ({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }) => ({
  partitionKey: text(partitionKey),
  sortKey: text(sortKey),
});

/** The tables and the keys that must outlive every deployment. */
export class Tables extends Construct {
  readonly keys: TableV2;
  readonly records: TableV2;
  readonly index: TableV2;
  readonly webhooks: TableV2;
  readonly sessions: TableV2;
  readonly activity: TableV2;
  readonly usage: TableV2;
  /** The key that encrypts the Webhooks table, which contains the signing secrets of customers. */
  readonly webhooksKey: Key;
  /** The ID-masking key, which hides the positions in ids. It is part of the data, and as durable as the tables. */
  readonly idKey: Secret;

  constructor(scope: Construct, id: string, { keepData }: Pick<StageSettings, 'keepData'>) {
    super(scope, id);
    const kept = {
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: keepData,
      // If a first deployment fails, the tables stay as well, because CloudFormation cannot delete a protected table or its stack.
      removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    };
    const { byAccount } = keysTable;
    this.keys = new TableV2(this, 'Keys', {
      ...kept,
      partitionKey: text(keysTable.partitionKey),
      globalSecondaryIndexes: [
        {
          indexName: byAccount.name,
          ...keysOf(byAccount),
        },
      ],
    });
    this.records = new TableV2(this, 'Records', {
      ...kept,
      ...keysOf(recordsTable),
      timeToLiveAttribute: recordsTable.timeToLive,
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
    });
    // Has no stream: the functions that write this table read the streams of other tables, and must not trigger themselves.
    this.index = new TableV2(this, 'Index', {
      ...kept,
      ...keysOf(indexTable),
      timeToLiveAttribute: indexTable.timeToLive,
    });
    const { due, byHost } = webhooksTable;
    this.webhooksKey = new Key(this, 'WebhooksKey', {
      description: 'Encrypts the Webhooks table, with the secrets that sign webhooks',
      enableKeyRotation: true,
      removalPolicy: removalPolicyOf({ keepData }),
    });
    this.webhooks = new TableV2(this, 'Webhooks', {
      ...kept,
      ...keysOf(webhooksTable),
      timeToLiveAttribute: webhooksTable.timeToLive,
      // Leaves out the items, because they include signing secrets, and anyone who may read the stream could read all of it.
      dynamoStream: StreamViewType.KEYS_ONLY,
      globalSecondaryIndexes: [
        {
          indexName: due.name,
          ...keysOf(due),
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: [...due.projected],
        },
        {
          indexName: byHost.name,
          ...keysOf(byHost),
          projectionType: ProjectionType.KEYS_ONLY,
        },
      ],
    });
    this.sessions = new TableV2(this, 'Sessions', {
      ...kept,
      ...keysOf(sessionsTable),
      timeToLiveAttribute: sessionsTable.timeToLive,
    });
    this.activity = new TableV2(this, 'Activity', {
      ...kept,
      ...keysOf(activityTable),
      timeToLiveAttribute: activityTable.timeToLive,
      globalSecondaryIndexes: [
        {
          indexName: activityTable.byKey.name,
          ...keysOf(activityTable.byKey),
        },
      ],
    });
    this.usage = new TableV2(this, 'Usage', {
      ...kept,
      ...keysOf(usageTable),
      timeToLiveAttribute: usageTable.timeToLive,
    });
    // TableV2 accepts a key only if the region is known at synthesis.
    (this.webhooks.node.defaultChild as CfnGlobalTable).addPropertyOverride(
      'Replicas.0.SSESpecification.KMSMasterKeyId',
      this.webhooksKey.keyArn,
    );
    // If these properties change, CloudFormation generates another value, and no existing id can be read any longer.
    this.idKey = new Secret(this, 'IdKey', {
      description: 'Masks the positions in ids. It must never change and never be lost.',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: removalPolicyOf({ keepData }),
    });
    acknowledgeFindings(this.idKey, {
      SMG4: 'Ids are made with it for good: after a rotation none could be read',
    });
  }
}
