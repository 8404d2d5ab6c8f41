import { CfnOutput, DefaultStackSynthesizer, Duration, Stack } from 'aws-cdk-lib';
import { OidcProviderNative, PolicyStatement, Role, WebIdentityPrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { acknowledgeFindings } from '../api/acknowledgeFindings.ts';

const issuer = 'token.actions.githubusercontent.com';
const audience = 'sts.amazonaws.com';

/** The middle of the names of those roles that `cdk bootstrap` makes and a deployment takes. */
const deploymentRoles = ['deploy', 'file-publishing', 'lookup'];

/** The branch that is deployed, from nowhere else. */
const branch = 'refs/heads/main';

/** `owner/name`, or with the ids of both, which stay when names change hands: `owner@123/name@456`. */
export const repositoryShape = /^[\w.-]+\/[\w.-]+$|^[\w.-]+@\d+\/[\w.-]+@\d+$/;

export interface GithubAccessProps {
  /** Of `repositoryShape`. */
  repository: string;
  /** The environments of the repository that may deploy into this account; they have the names of stages. */
  environments: readonly string[];
}

/**
 * Lets the workflows of a repository work in an account without any secret: they show who they are, and get a role for it.
 * https://docs.github.com/en/actions/concepts/security/openid-connect
 * Beside the subject, STS looks at the workflow, the branch and the id of the repository since January 2026:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html#condition-keys-wif
 */
export class GithubAccess extends Stack {
  constructor(scope: Construct, id: string, { repository, environments }: GithubAccessProps) {
    super(scope, id);
    const provider = new OidcProviderNative(this, 'Provider', {
      url: `https://${issuer}`,
      clientIds: [audience],
    });
    const { name, prefixes, id: repositoryId } = identityOf(repository);
    const roleFor = (role: string, subjects: string[], more: Conditions, may: PolicyStatement): Role => {
      const { StringEquals, ...others } = more;
      const principal = new WebIdentityPrincipal(provider.oidcProviderArn, {
        StringEquals: {
          [`${issuer}:aud`]: audience,
          [`${issuer}:sub`]: prefixes.flatMap((prefix) => subjects.map((subject) => `${prefix}:${subject}`)),
          ...(repositoryId === undefined ? {} : { [`${issuer}:repository_id`]: repositoryId }),
          ...StringEquals,
        },
        ...others,
      });
      const made = new Role(this, role, { assumedBy: principal, maxSessionDuration: Duration.hours(2) });
      made.addToPolicy(may);
      new CfnOutput(this, `${role}Arn`, { value: made.roleArn });
      return made;
    };
    const workflow = (file: string, ref: string) => ({
      [`${issuer}:job_workflow_ref`]: `${name}/.github/workflows/${file}@${ref}`,
    });
    roleFor(
      'DeployRole',
      environments.map((environment) => `environment:${environment}`),
      // GitHub makes an environment that a workflow names, without any protection: whoever may push a branch could deploy it.
      { StringEquals: { ...workflow('deploy.yml', branch), [`${issuer}:ref`]: branch } },
      this.mayDeploy(),
    );
    const pulls = { StringLike: workflow('diff.yml', 'refs/pull/*/merge') };
    acknowledgeFindings(roleFor('DiffRole', ['pull_request'], pulls, this.mayCompare()), {
      [`IAM5[Resource::${ourStacks(anyStack)}]`]:
        'The id at the end of the ARN of a stack is made with the stack',
    });
  }

  private mayDeploy(): PolicyStatement {
    const { partition, account, region } = this;
    const { DEFAULT_QUALIFIER: qualifier } = DefaultStackSynthesizer;
    const arnOf = (role: string) =>
      `arn:${partition}:iam::${account}:role/cdk-${qualifier}-${role}-role-${account}-${region}`;
    return new PolicyStatement({ actions: ['sts:AssumeRole'], resources: deploymentRoles.map(arnOf) });
  }

  /** Nothing but templates. It runs code that nobody has looked at yet, and CDK's role for looking reads tables, too. */
  private mayCompare(): PolicyStatement {
    return new PolicyStatement({
      actions: ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
      resources: [ourStacks(this)],
    });
  }
}

type Conditions = Partial<Record<'StringEquals' | 'StringLike', Record<string, string>>>;

/**
 * How GitHub names a repository in its subjects: those made, renamed or transferred since 15 July 2026 with ids, the others
 * without them. Where the ids are known both are taken, as then the id of the repository has to fit, too.
 * https://docs.github.com/en/actions/reference/security/oidc#immutable-subject-claims
 */
function identityOf(repository: string): { name: string; prefixes: string[]; id: string | undefined } {
  const [owner, own] = repository.split('/').map((part) => part.split('@')) as [string[], string[]];
  const name = `${owner[0]}/${own[0]}`;
  return { name, prefixes: [...new Set([`repo:${repository}`, `repo:${name}`])], id: own[1] };
}

const ourStacks = ({ partition, region, account }: Pick<Stack, 'partition' | 'region' | 'account'>): string =>
  `arn:${partition}:cloudformation:${region}:${account}:stack/public-api-*/*`;

/** As cdk-nag writes what is only known in an account. */
const anyStack = { partition: '<AWS::Partition>', region: '<AWS::Region>', account: '<AWS::AccountId>' };
