import { DomainName, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, type IHostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { StageSettings } from '../stages/stages.ts';
import { version } from './restApi.ts';
import { tlsOf } from './tls.ts';

type DomainProps = NonNullable<StageSettings['domain']> & { rest: RestApi; settings: StageSettings };

/** The custom domain of the API. The base path `v1` is mapped to the stage `v1`. */
export class Domain extends Construct {
  readonly target: string;

  constructor(
    scope: Construct,
    id: string,
    { rest, settings, name, certificateArn, hostedZone }: DomainProps,
  ) {
    super(scope, id);
    const domain = new DomainName(this, 'Name', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      ...tlsOf(settings),
    });
    domain.addBasePathMapping(rest, { basePath: version });
    this.target = domain.domainNameAliasDomainName;
    if (hostedZone) {
      const { id: hostedZoneId, name: zoneName } = hostedZone;
      const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName });
      this.enter(name, zone, domain);
    }
  }

  private enter(name: string, zone: IHostedZone, domain: DomainName): void {
    new ARecord(this, 'Record', {
      zone,
      // The final dot makes the name absolute. Without it, CDK appends the name of the zone.
      recordName: `${name}.`,
      target: RecordTarget.fromAlias(new ApiGatewayDomain(domain)),
    });
  }
}
