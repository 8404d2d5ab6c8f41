import { AttributeType, Billing, StreamViewType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { keysTable } from '../lib/keys/table.ts';
import { recordsTable } from '../lib/records/table.ts';
import { removalPolicyOf } from './removalPolicy.ts';
import type { StageSettings } from './stages.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

/** Everything that has to outlive a deployment. */
export class Tables extends Construct {
  readonly keys: TableV2;
  readonly records: TableV2;

  constructor(scope: Construct, id: string, { keepData }: Pick<StageSettings, 'keepData'>) {
    super(scope, id);
    const kept = {
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: keepData,
      removalPolicy: removalPolicyOf({ keepData }),
    };
    const { byAccount } = keysTable;
    this.keys = new TableV2(this, 'Keys', {
      ...kept,
      partitionKey: text(keysTable.partitionKey),
      globalSecondaryIndexes: [
        {
          indexName: byAccount.name,
          partitionKey: text(byAccount.partitionKey),
          sortKey: text(byAccount.sortKey),
        },
      ],
    });
    this.records = new TableV2(this, 'Records', {
      ...kept,
      partitionKey: text(recordsTable.partitionKey),
      sortKey: text(recordsTable.sortKey),
      timeToLiveAttribute: recordsTable.timeToLive,
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
    });
  }
}
