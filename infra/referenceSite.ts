import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  Distribution,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { openapiAt, openapiFile, pageFiles } from './reference/page.ts';

/** How long a browser shows an older reference. */
const seenFor = Duration.minutes(5);

/** A year, as browsers' preload lists ask for. */
const httpsOnlyFor = Duration.days(365);

interface ReferenceSiteProps {
  /** Of the API that the page tells of. */
  baseUrl: string;
}

/** Publishes the reference: a bucket that only CloudFront reads, and nothing that a release would not make anew. */
export class ReferenceSite extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, { baseUrl }: ReferenceSiteProps) {
    super(scope, id);
    // CDK's own types say of one optional property two things.
    const bucket = new Bucket(this, 'Files', {
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      removalPolicy: RemovalPolicy.DESTROY,
    }) as IBucket;
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'The reference of the Public API',
      defaultRootObject: 'index.html',
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(bucket),
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
    new BucketDeployment(this, 'Release', {
      destinationBucket: bucket,
      distribution,
      // Otherwise a bucket with files in it would outlive its stack.
      retainOnDelete: false,
      cacheControl: [CacheControl.maxAge(seenFor)],
      sources: [...pageFiles(), openapiFile(openapiAt(baseUrl, 'This API.'))].map(({ name, content }) =>
        Source.data(name, content),
      ),
      logGroup: new LogGroup(this, 'ReleaseLog', {
        retention: RetentionDays.TWO_WEEKS,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    });
    this.url = `https://${distribution.distributionDomainName}/`;
  }
}
