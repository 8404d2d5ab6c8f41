import { CfnOutput, DefaultStackSynthesizer, Duration, Stack } from 'aws-cdk-lib';
import { OidcProviderNative, PolicyStatement, Role, WebIdentityPrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { explain } from './explain.ts';

const issuer = 'token.actions.githubusercontent.com';
const audience = 'sts.amazonaws.com';

/** The middle of the names of those roles that `cdk bootstrap` makes and a deployment takes. */
const deploying = ['deploy', 'file-publishing', 'lookup'];

export interface GithubAccessProps {
  /** `owner/name` */
  repository: string;
  /** The environments of the repository that may deploy into this account; they have the names of stages. */
  environments: readonly string[];
}

/**
 * Lets the workflows of a repository work in an account without any secret: they show who they are, and get a role for it.
 * https://docs.github.com/en/actions/concepts/security/openid-connect
 */
export class GithubAccess extends Stack {
  constructor(scope: Construct, id: string, { repository, environments }: GithubAccessProps) {
    super(scope, id);
    const provider = new OidcProviderNative(this, 'Provider', {
      url: `https://${issuer}`,
      clientIds: [audience],
    });
    const roleFor = (name: string, subjects: string[], statement: PolicyStatement): Role => {
      const whoever = new WebIdentityPrincipal(provider.oidcProviderArn, {
        StringEquals: {
          [`${issuer}:aud`]: audience,
          [`${issuer}:sub`]: subjects.map((subject) => `repo:${repository}:${subject}`),
        },
      });
      const role = new Role(this, name, { assumedBy: whoever, maxSessionDuration: Duration.hours(2) });
      role.addToPolicy(statement);
      new CfnOutput(this, `${name}Arn`, { value: role.roleArn });
      return role;
    };
    roleFor(
      'DeployRole',
      environments.map((environment) => `environment:${environment}`),
      this.mayDeploy(),
    );
    explain(roleFor('DiffRole', ['pull_request'], this.mayCompare()), {
      [`IAM5[Resource::${ourStacks(somewhere)}]`]:
        'The id at the end of the ARN of a stack is made with the stack',
    });
  }

  private mayDeploy(): PolicyStatement {
    const { partition, account, region } = this;
    const { DEFAULT_QUALIFIER: qualifier } = DefaultStackSynthesizer;
    const arnOf = (role: string) =>
      `arn:${partition}:iam::${account}:role/cdk-${qualifier}-${role}-role-${account}-${region}`;
    return new PolicyStatement({ actions: ['sts:AssumeRole'], resources: deploying.map(arnOf) });
  }

  /** Nothing but templates. It runs code that nobody has looked at yet, and CDK's role for looking reads tables, too. */
  private mayCompare(): PolicyStatement {
    return new PolicyStatement({
      actions: ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
      resources: [ourStacks(this)],
    });
  }
}

const ourStacks = ({ partition, region, account }: Pick<Stack, 'partition' | 'region' | 'account'>): string =>
  `arn:${partition}:cloudformation:${region}:${account}:stack/public-api-*/*`;

/** As cdk-nag writes what is only known in an account. */
const somewhere = { partition: '<AWS::Partition>', region: '<AWS::Region>', account: '<AWS::AccountId>' };
