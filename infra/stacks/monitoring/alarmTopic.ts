import { Aws, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { StageSettings } from '../stages/stages.ts';

/**
 * The topic of the alarms. It has its own key, because CloudWatch may not use the key that AWS manages for SNS.
 * https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html#compatibility-with-aws-services
 */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { alarmEmail }: Pick<StageSettings, 'alarmEmail'>) {
    super(scope, id);
    const masterKey = new Key(this, 'Key', {
      description: 'Encrypts the topic of the alarms',
      enableKeyRotation: true,
      // A topic stores nothing that must be decrypted later.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.topic = new Topic(this, 'Topic', { masterKey, enforceSSL: true });
    const alarms = {
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    };
    masterKey.addToResourcePolicy(
      new PolicyStatement({ ...alarms, actions: ['kms:Decrypt', 'kms:GenerateDataKey'], resources: ['*'] }),
    );
    this.topic.addToResourcePolicy(
      new PolicyStatement({ ...alarms, actions: ['sns:Publish'], resources: [this.topic.topicArn] }),
    );
    if (alarmEmail) this.topic.addSubscription(new EmailSubscription(alarmEmail));
  }
}
