import { CfnOutput, DefaultStackSynthesizer, Duration, Stack } from 'aws-cdk-lib';
import { OidcProviderNative, PolicyStatement, Role, WebIdentityPrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { acknowledgeFindings } from '../acknowledgeFindings.ts';

const issuer = 'token.actions.githubusercontent.com';
const audience = 'sts.amazonaws.com';

/** The middle parts of the names of the roles of `cdk bootstrap` that a deployment assumes. */
const deploymentRoles = ['deploy', 'file-publishing', 'lookup'];

const branch = 'refs/heads/main';

/** `owner/name`, or `owner@123/name@456` with ids, which stay the same when another owner takes over a name. */
export const repositoryShape = /^[\w.-]+\/[\w.-]+$|^[\w.-]+@\d+\/[\w.-]+@\d+$/;

export interface GithubAccessProps {
  repository: string;
  /** The GitHub environments that may deploy to this account. They are named after stages. */
  environments: readonly string[];
}

/**
 * Lets the workflows of a repository assume roles in this account by OpenID Connect, without any stored secret.
 * https://docs.github.com/en/actions/concepts/security/openid-connect
 * Since January 2026, STS can check the workflow, the branch and the id of the repository in addition to the subject:
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
      // The branch is checked because GitHub creates a missing environment that a workflow names, without any protection. Otherwise, everybody
      // who may push a branch could deploy through it.
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

  /** The role can only read templates, because the workflow runs code before anyone reviews it. CDK's lookup role could also read tables. */
  private mayCompare(): PolicyStatement {
    return new PolicyStatement({
      actions: ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
      resources: [ourStacks(this)],
    });
  }
}

type Conditions = Partial<Record<'StringEquals' | 'StringLike', Record<string, string>>>;

/**
 * Returns the names of a repository in GitHub's subjects. Repositories that were created, renamed or transferred since 15 July 2026 have ids in
 * them, and others do not. If the ids are known, both forms are accepted, because the id of the repository is checked as well.
 * https://docs.github.com/en/actions/reference/security/oidc#immutable-subject-claims
 */
function identityOf(repository: string): { name: string; prefixes: string[]; id: string | undefined } {
  const [owner, own] = repository.split('/').map((part) => part.split('@')) as [string[], string[]];
  const name = `${owner[0]}/${own[0]}`;
  return { name, prefixes: [...new Set([`repo:${repository}`, `repo:${name}`])], id: own[1] };
}

const ourStacks = ({ partition, region, account }: Pick<Stack, 'partition' | 'region' | 'account'>): string =>
  `arn:${partition}:cloudformation:${region}:${account}:stack/public-api-*/*`;

/** cdk-nag's placeholders for values that are known only at deployment. */
const anyStack = { partition: '<AWS::Partition>', region: '<AWS::Region>', account: '<AWS::AccountId>' };
