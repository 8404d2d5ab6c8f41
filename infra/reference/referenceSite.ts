import { type CfnElement, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  Distribution,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { acknowledgeFindings } from '../api/acknowledgeFindings.ts';
import type { StageSettings } from '../stages.ts';
import { pageFiles } from './page.ts';

/** How long a browser shows an older reference. */
const seenFor = Duration.minutes(5);

/** A year, as browsers' preload lists ask for. */
const httpsOnlyFor = Duration.days(365);

export interface ReferenceSiteProps {
  /** Of the API that the page documents. */
  baseUrl: string;
  settings: Pick<StageSettings, 'logRetentionDays'>;
}

/** Publishes the reference: a bucket that only CloudFront reads, which every release writes again as a whole. */
export class ReferenceSite extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, { baseUrl, settings }: ReferenceSiteProps) {
    super(scope, id);
    const bucket = new Bucket(this, 'Files', {
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // CDK's own types say of one optional property two things.
    const files = bucket as IBucket;
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'The reference of the Public API',
      defaultRootObject: 'index.html',
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(files),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        // What the page may load and send it says itself, so that it is the same wherever it is served.
        responseHeadersPolicy: new ResponseHeadersPolicy(this, 'Headers', {
          securityHeadersBehavior: {
            contentTypeOptions: { override: true },
            frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
            referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
            strictTransportSecurity: { accessControlMaxAge: httpsOnlyFor, override: true },
          },
        }),
      },
    });
    acknowledgeFindings(bucket, { S1: 'What is read there is public, and who reads it concerns nobody' });
    acknowledgeFindings(distribution, {
      CFR1: 'The reference of a public API is for every country',
      CFR2: 'There is nothing behind it to attack: files that are public, in a bucket that nobody can write to',
      CFR3: 'What is read there is public, and who reads it concerns nobody',
      CFR4: 'The name that CloudFront gives has a certificate whose TLS versions cannot be chosen',
    });
    const release = new BucketDeployment(this, 'Release', {
      destinationBucket: files,
      distribution,
      // Otherwise a bucket with files in it would outlive its stack.
      retainOnDelete: false,
      cacheControl: [CacheControl.maxAge(seenFor)],
      sources: pageFiles({ url: baseUrl, description: 'This API.' }).map(({ name, content }) =>
        Source.data(name, content),
      ),
      logGroup: new LogGroup(this, 'ReleaseLog', {
        retention: settings.logRetentionDays,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    });
    this.explainCopying(bucket, release);
    this.url = `https://${distribution.distributionDomainName}/`;
  }

  private explainCopying(bucket: Bucket, { handlerRole }: BucketDeployment): void {
    const stack = Stack.of(this);
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
}
