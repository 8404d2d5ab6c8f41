import { Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  HttpVersion,
  OriginRequestPolicy,
  type ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { CacheControl } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { cacheControlOf, consoleHeaders, type PageFile } from '../../pages/pageHeaders.ts';
import { pagePath } from '../../pages/paths.ts';
import { acknowledgeFindings } from '../acknowledgeFindings.ts';
import { filesBucket, release, releaseLog } from '../site/files.ts';
import type { StageSettings } from '../stages/stages.ts';
import { headersPolicy } from './headersPolicy.ts';
import { viewerRequestCode } from './viewerRequest.ts';

/** The oldest TLS of a custom domain. CloudFront's own name accepts any version, whatever a distribution says. */
const tlsPolicies = {
  '1.2': SecurityPolicyProtocol.TLS_V1_2_2021,
  '1.3': SecurityPolicyProtocol.TLS_V1_3_2025,
};

interface ConsoleSiteProps {
  settings: StageSettings & { console: NonNullable<StageSettings['console']> };
  rest: RestApi;
  pageFiles: readonly PageFile[];
}

/** Serves the page and its API at an origin of their own, because a script of any other page there could act as the signed-in user. */
export class ConsoleSite extends Construct {
  readonly url: string;
  /** The target of the DNS record of the domain. */
  readonly target: string;

  constructor(scope: Construct, id: string, { settings, rest, pageFiles }: ConsoleSiteProps) {
    super(scope, id);
    const { domain, certificateArn, embedIn } = settings.console;
    const headers = consoleHeaders(embedIn);
    const policy = headersPolicy(this, headers);
    const bucket = filesBucket(this);
    const distribution = new Distribution(this, 'Distribution', {
      comment: `Settings > Integrations of ${Stack.of(this).stackName}`,
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: this.filesBehavior(
        bucket,
        viewerRequestCode(headers, settings.securityContact),
        policy,
      ),
      additionalBehaviors: { [`${pagePath}api/*`]: this.apiBehavior(rest, policy) },
      ...(domain === undefined || certificateArn === undefined
        ? {}
        : {
            domainNames: [domain],
            certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
            minimumProtocolVersion: tlsPolicies[settings.minimumTls],
          }),
    });
    acknowledgeFindings(distribution, findingsOf(domain));
    this.release(bucket, distribution, pageFiles, settings);
    this.target = distribution.distributionDomainName;
    this.url = `https://${domain ?? this.target}${pagePath}`;
  }

  private filesBehavior(
    bucket: IBucket,
    code: string,
    responseHeadersPolicy: ResponseHeadersPolicy,
  ): BehaviorOptions {
    const edge = new EdgeFunction(this, 'ViewerRequest', {
      comment: 'Leads to the page, and answers for files that do not exist',
      code: FunctionCode.fromInline(code),
    });
    return {
      origin: S3BucketOrigin.withOriginAccessControl(bucket),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      responseHeadersPolicy,
      functionAssociations: [{ function: edge, eventType: FunctionEventType.VIEWER_REQUEST }],
    };
  }

  private apiBehavior({ restApiId }: RestApi, responseHeadersPolicy: ResponseHeadersPolicy): BehaviorOptions {
    const { region, urlSuffix } = Stack.of(this);
    return {
      origin: new HttpOrigin(`${restApiId}.execute-api.${region}.${urlSuffix}`),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // Forwards the cookie, but not Host. API Gateway finds its APIs by Host, and returns 403 for an unknown name.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      responseHeadersPolicy,
    };
  }

  /** Uploads the page after the files that it names. Files of earlier releases stay, for pages that a browser has just loaded. */
  private release(
    bucket: IBucket,
    distribution: Distribution,
    pageFiles: readonly PageFile[],
    settings: StageSettings,
  ): void {
    const logGroup = releaseLog(this, settings);
    const releaseOf = (id: string, immutable: boolean) =>
      release(this, id, {
        bucket,
        files: pageFiles.filter((file) => file.immutable === immutable),
        destinationKeyPrefix: pagePath.slice(1, -1),
        cacheControl: [CacheControl.fromString(cacheControlOf({ immutable }))],
        prune: false,
        logGroup,
        ...(immutable
          ? {}
          : {
              contentType: 'text/html; charset=utf-8',
              distribution,
              distributionPaths: [`${pagePath}index.html`],
            }),
      });
    const files = releaseOf('ReleaseFiles', true);
    releaseOf('ReleasePage', false).node.addDependency(files);
  }
}

const findingsOf = (domain: string | undefined): Record<string, string> => ({
  CFR1: 'The people of an account may be in every country',
  CFR2: 'The API behind it takes no request without a session, and no code of a link can be guessed',
  CFR3: 'The access log of the API has every request that does anything',
  ...(domain === undefined
    ? { CFR4: 'The name that CloudFront gives has a certificate whose TLS versions cannot be chosen' }
    : {}),
});
