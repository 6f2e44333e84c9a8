import { CfnOutput } from 'aws-cdk-lib';
import {
  DomainName,
  EndpointType,
  type IRestApi,
  type RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Construct } from 'constructs';

export type ServiceDomainProps = {
  readonly api: RestApi;
  readonly domainName: string;
  readonly certificateArn: string;
};

/** The API at its own domain, without a stage in its addresses. */
export class ServiceDomain extends Construct {
  constructor(scope: Construct, id: string, props: ServiceDomainProps) {
    super(scope, id);
    const { api, domainName, certificateArn } = props;
    const domain = new DomainName(this, 'Domain', {
      domainName,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
      mapping: api as IRestApi,
    });
    new CfnOutput(this, 'CnameTarget', {
      value: domain.domainNameAliasDomainName,
      description: `Let ${domainName} be a CNAME of this name.`,
    }).overrideLogicalId('CnameTarget');
  }
}
