import { type Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { AuthorizationType } from 'aws-cdk-lib/aws-apigateway';
import { ArnPrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { consoleFunctionOf, consoleOperations } from '../../../lib/contract/console/index.ts';
import { env } from '../../../lib/env.ts';
import type { PageFile } from '../../pages/pageHeaders.ts';
import { stageName } from '../../pages/paths.ts';
import { acknowledgeFindings } from '../acknowledgeFindings.ts';
import { ApiFunction, type FunctionProps } from '../api/apiFunction.ts';
import { reservedForTests, testThrottles } from '../api/receiverTests.ts';
import { addRoute, requestTimeout, restOf, timeoutOf } from '../api/rest.ts';
import { type Permissions, permissions } from '../permissions.ts';
import type { StageSettings } from '../stages/stages.ts';
import { ConsoleSite } from './consoleSite.ts';
import { AuthorizerFlush, type PublicStage } from './flushedAuthorizer.ts';

/**
 * Limits the requests in a second, for all callers together. Above the limit, API Gateway returns 429. It caps the cost of a flood, and it is
 * high because a single client that reaches it locks everybody out.
 */
const throttle = { throttlingRateLimit: 500, throttlingBurstLimit: 1000 };

export type ConsoleStage = StageSettings & { console: NonNullable<StageSettings['console']> };

export const hasConsole = (settings: StageSettings): settings is ConsoleStage =>
  settings.console !== undefined;

export interface ConsoleProps extends Omit<FunctionProps, 'settings'> {
  settings: ConsoleStage;
  baseUrl: string;
  publicStage: PublicStage;
  pageFiles: readonly PageFile[];
}

/** The acknowledged findings of cdk-nag in this API, each with the reason. */
const findings = {
  APIG4:
    'Every operation checks the session itself, and a test calls each without one; an authorizer would be a second function to wait for',
  COG4: 'People have sessions that begin with a link of the product, and no Cognito users',
};

/** Settings > Integrations: the page, its API, and the functions that create links and end sessions. */
export class Console extends Construct {
  readonly rest: RestApi;
  readonly operations = new Map<string, IFunction>();
  readonly site: ConsoleSite;
  /** The functions without a URL, which the product's backend invokes. */
  readonly createLink: IFunction;
  readonly endSessions: IFunction;
  readonly keyChanges: IQueue;

  constructor(
    scope: Construct,
    id: string,
    { baseUrl, publicStage, pageFiles, ...functionProps }: ConsoleProps,
  ) {
    super(scope, id);
    const { settings } = functionProps;
    const { rest } = restOf(this, {
      // CloudFront may not speak TLS 1.3 to an origin.
      settings: { ...settings, minimumTls: '1.2' },
      name: Stack.of(this).stackName,
      stage: { stageName, ...throttle, methodOptions: testThrottles(consoleOperations) },
      logged: {},
      findings,
      // An AWS account has one role for the logs of API Gateway, and the stack of the public API has created it.
      cloudWatchRole: false,
    });
    this.rest = rest;
    acknowledgeFindings(rest.deploymentStage, {
      APIG3:
        'A firewall would see the addresses of CloudFront alone, and nothing here is open without a session',
    });
    this.site = new ConsoleSite(this, 'Site', { settings, rest, pageFiles });
    const flush = new AuthorizerFlush(this, 'AuthorizerFlush', { ...functionProps, publicStage });
    this.keyChanges = flush.queue;
    const variables = this.variables(settings, baseUrl);
    const functionOf = (
      name: ConstructorParameters<typeof ApiFunction>[1],
      own: { timeout?: Duration; reservedConcurrentExecutions?: number } = {},
    ) => {
      const made = new ApiFunction(this, name, { ...functionProps, timeout: requestTimeout, ...own });
      const { lambda } = made;
      if ((permissions[name] as Permissions).flushes) flush.askedBy(made);
      for (const [variable, value] of variables) lambda.addEnvironment(variable, value);
      return lambda;
    };
    for (const operation of consoleOperations) {
      const name = consoleFunctionOf(operation);
      const own = { timeout: timeoutOf(operation), ...reservedForTests(operation, settings) };
      const lambda = this.operations.get(name) ?? functionOf(name, own);
      this.operations.set(name, lambda);
      addRoute(rest, operation, lambda, { authorizationType: AuthorizationType.NONE });
    }
    this.createLink = functionOf('createConsoleLink');
    this.endSessions = functionOf('endConsoleSessions');
    this.allowProduct(settings);
  }

  private variables({ console }: ConsoleStage, baseUrl: string): [string, string][] {
    return [
      [env.consoleUrl, this.site.url],
      [env.apiUrl, baseUrl],
      [env.keyEnvironment, 'live'],
      [env.consoleReferenceUrl, console.referenceUrl ?? ''],
      ...(console.renewUrl === undefined
        ? []
        : [[env.consoleRenewUrl, console.renewUrl] as [string, string]]),
    ];
  }

  /** Allows the product to invoke the functions. Policies of functions also work for a role in another AWS account. */
  private allowProduct({ console: { linkRole }, productRole }: ConsoleStage): void {
    const roles = [
      ['Product', linkRole],
      ['ProductRole', productRole],
    ] as const;
    for (const lambda of [this.createLink, this.endSessions])
      for (const [id, role] of roles)
        if (role !== undefined) lambda.addPermission(id, { principal: new ArnPrincipal(role) });
  }
}
