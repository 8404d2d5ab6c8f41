import { DomainName, EndpointAccessMode, type RestApi, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, type IHostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import { version } from './api.ts';
import type { StageSettings } from './stages.ts';

type DomainProps = NonNullable<StageSettings['domain']> & { rest: RestApi };

const security = {
  '1.2': { securityPolicy: SecurityPolicy.TLS_1_2 },
  // STRICT: a request has to be for the name that its TLS connection was opened for.
  '1.3': {
    securityPolicy: SecurityPolicy.TLS13_1_3_2025_09,
    endpointAccessMode: EndpointAccessMode.STRICT,
  },
};

/** The API at `https://<name>/v1`, the version being the path that is mapped to the stage of this name. */
export class Domain extends Construct {
  /** Where the DNS has to lead. */
  readonly target: string;

  constructor(
    scope: Construct,
    id: string,
    { rest, name, certificateArn, minimumTls, hostedZone }: DomainProps,
  ) {
    super(scope, id);
    const domain = new DomainName(this, 'Name', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      ...security[minimumTls],
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
      // With a full stop it is not taken for a name within the zone.
      recordName: `${name}.`,
      target: RecordTarget.fromAlias(new ApiGatewayDomain(domain)),
    });
  }
}
