import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CfnElement, RemovalPolicy, Stack, Token } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, type BucketDeploymentProps, Source } from 'aws-cdk-lib/aws-s3-deployment';
import type { Construct } from 'constructs';
import { acknowledgeFindings } from '../acknowledgeFindings.ts';
import type { StageSettings } from '../stages/stages.ts';

/** Creates a bucket for the files of a page, which only CloudFront reads. */
export function filesBucket(scope: Construct): IBucket {
  const bucket = new Bucket(scope, 'Files', {
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  acknowledgeFindings(bucket, { S1: 'What is read there is public, and who reads it concerns nobody' });
  // CDK's own types disagree about an optional property.
  return bucket as IBucket;
}

/** Creates the log of CDK's function that copies files, for all releases of a stack. */
export const releaseLog = (
  scope: Construct,
  { logRetentionDays }: Pick<StageSettings, 'logRetentionDays'>,
): LogGroup =>
  new LogGroup(scope, 'ReleaseLog', { retention: logRetentionDays, removalPolicy: RemovalPolicy.DESTROY });

interface ReleaseProps extends Omit<BucketDeploymentProps, 'sources' | 'destinationBucket'> {
  bucket: IBucket;
  files: readonly { name: string; content: string }[];
}

export function release(
  scope: Construct,
  id: string,
  { bucket, files, ...more }: ReleaseProps,
): BucketDeployment {
  // Files without values that only CloudFormation knows go into one archive, which CDK copies at once.
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  const fixed = files.filter(({ content }) => !Token.isUnresolved(content));
  for (const { name, content } of fixed) writeFileSync(join(folder, name), content);
  const deployment = new BucketDeployment(scope, id, {
    destinationBucket: bucket,
    // Otherwise, a bucket that contains files would outlive its stack.
    retainOnDelete: false,
    sources: [
      ...(fixed.length > 0 ? [Source.asset(folder)] : []),
      ...files.filter((file) => !fixed.includes(file)).map(({ name, content }) => Source.data(name, content)),
    ],
    ...more,
  });
  rmSync(folder, { recursive: true });
  explainCopying(bucket, deployment);
  return deployment;
}

function explainCopying(bucket: IBucket, { handlerRole }: BucketDeployment): void {
  const stack = Stack.of(bucket);
  const role = 'The function that copies the files is CDK’s own, and so is its role';
  const actions = ['GetBucket', 'GetObject', 'List', 'Abort', 'DeleteObject'].map(
    (one) => `Action::s3:${one}*`,
  );
  const resources = [
    'arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>/*',
    `<${stack.getLogicalId(bucket.node.defaultChild as CfnElement)}.Arn>/*`,
    '*',
  ].map((one) => `Resource::${one}`);
  const basic = 'Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole';
  acknowledgeFindings(handlerRole, {
    [`IAM4[${basic}]`]: role,
    ...Object.fromEntries([...actions, ...resources].map((finding) => [`IAM5[${finding}]`, role])),
  });
  acknowledgeFindings(stack, {
    L1: 'The function that copies the files is CDK’s own, and so is its runtime',
  });
}
