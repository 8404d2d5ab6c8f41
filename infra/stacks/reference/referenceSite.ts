import { extname } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import {
  Distribution,
  Function as EdgeFunction,
  type FunctionAssociation,
  FunctionCode,
  FunctionEventType,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { CacheControl } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { cacheControlOf, types } from '../../pages/pageHeaders.ts';
import { pagePath } from '../../pages/paths.ts';
import { pageFiles } from '../../pages/referenceFiles.ts';
import { acknowledgeFindings } from '../acknowledgeFindings.ts';
import { filesBucket, release, releaseLog } from '../site/files.ts';
import { securityTextCode } from '../site/securityText.ts';
import type { StageSettings } from '../stages/stages.ts';

/** How long a browser may show an older reference. */
const seenFor = Duration.minutes(5);

/** A year, which browsers' preload lists require. */
const httpsOnlyFor = Duration.days(365);

/** The types of files that browsers revalidate. S3 would guess the type without its character set. */
const kinds = {
  ReleasePages: types['.html'] as string,
  ReleaseTexts: types['.md'] as string,
  ReleaseContract: types['.json'] as string,
};

export interface ReferenceSiteProps {
  baseUrl: string;
  settings: Pick<StageSettings, 'console' | 'logRetentionDays' | 'securityContact'>;
}

/** Publishes the reference in a bucket that only CloudFront reads. Every release uploads all of it. */
export class ReferenceSite extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, { baseUrl, settings }: ReferenceSiteProps) {
    super(scope, id);
    const bucket = filesBucket(this);
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'The reference of the API',
      defaultRootObject: 'index.html',
      // S3 returns 403 for a missing file, because nobody may list the bucket.
      errorResponses: [
        { httpStatus: 403, responseHttpStatus: 404, responsePagePath: '/404.html', ttl: seenFor },
      ],
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(bucket),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        functionAssociations: this.securityText(settings.securityContact),
        // The page itself declares what it may load and send, so that it is the same wherever it is served.
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
    acknowledgeFindings(distribution, {
      CFR1: 'The reference of a public API is for every country',
      CFR2: 'There is nothing behind it to attack: files that are public, in a bucket that nobody can write to',
      CFR3: 'What is read there is public, and who reads it concerns nobody',
      CFR4: 'The name that CloudFront gives has a certificate whose TLS versions cannot be chosen',
    });
    this.release(bucket, distribution, baseUrl, settings);
    this.url = `https://${distribution.distributionDomainName}/`;
  }

  /** Uploads the pages after the files that they name. Files of earlier releases stay, for pages that a browser has just loaded. */
  private release(
    bucket: IBucket,
    distribution: Distribution,
    baseUrl: string,
    settings: ReferenceSiteProps['settings'],
  ): void {
    const { domain } = settings.console ?? {};
    const files = pageFiles(
      { url: baseUrl, description: 'This API.' },
      { console: domain && `https://${domain}${pagePath}` },
    );
    const logGroup = releaseLog(this, settings);
    const loaded = release(this, 'ReleaseFiles', {
      bucket,
      files: files.filter(({ immutable }) => immutable),
      cacheControl: [CacheControl.fromString(cacheControlOf({ immutable: true }))],
      prune: false,
      logGroup,
    });
    for (const [id, contentType] of Object.entries(kinds)) {
      const ofKind = files.filter(({ type, immutable }) => type === contentType && !immutable);
      const endings = [...new Set(ofKind.map(({ name }) => extname(name)))];
      release(this, id, {
        bucket,
        files: ofKind,
        contentType,
        cacheControl: [CacheControl.maxAge(seenFor)],
        // Deletes the page of a removed operation. The contract has a new name in every release.
        prune: !endings.includes('.json'),
        exclude: ['*'],
        include: endings.map((ending) => `*${ending}`),
        distribution,
        logGroup,
      }).node.addDependency(loaded);
    }
  }

  private securityText(contact: string | undefined): FunctionAssociation[] {
    if (contact === undefined) return [];
    const edge = new EdgeFunction(this, 'SecurityText', {
      comment: 'Answers security.txt',
      code: FunctionCode.fromInline(securityTextCode(contact)),
    });
    return [{ function: edge, eventType: FunctionEventType.VIEWER_REQUEST }];
  }
}
