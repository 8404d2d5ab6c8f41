import { Aws, Duration, Stack } from 'aws-cdk-lib';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { CfnSubscriptionFilter, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { operations } from '../../../lib/contract/index.ts';
import { env } from '../../../lib/env.ts';
import { ApiFunction, type FunctionProps } from '../api/apiFunction.ts';
import { runEvery } from './schedule.ts';

const countTimeout = Duration.seconds(60);

/** A run sums up some ten thousand keys, and the next one continues. */
const summarizeTimeout = Duration.minutes(5);

/** Matches access log lines about requests of a key. API Gateway writes "-" for missing values. */
const ofKeys = '{ $.key_id != "-" }';

/** Matches log lines of functions about failed requests. */
const failed = '{ $.message = "request" && $.status >= 400 }';

/** Matches log lines of the authorizer about requests whose key has ended. */
const ended = '{ $.message = "authorizer" && $.status >= 400 }';

interface UsageProps extends FunctionProps {
  access: ILogGroup;
  logs: ILogGroup;
  authorizer: ApiFunction['lambda'];
}

/** Counts log lines into the Usage table: what each key did, and which requests failed. No request waits for it. */
export class UsagePipeline extends Construct {
  readonly lambdas: Record<'count' | 'summarize', ApiFunction['lambda']>;

  constructor(scope: Construct, id: string, { access, logs, authorizer, ...props }: UsageProps) {
    super(scope, id);
    const { usage: reserved } = props.settings.concurrency;
    const { lambda: count } = new ApiFunction(this, 'countRequests', {
      ...props,
      timeout: countTimeout,
      ...(reserved === undefined ? {} : { reservedConcurrentExecutions: reserved }),
    });
    count.addEnvironment(
      env.routes,
      JSON.stringify(Object.fromEntries(operations.map(({ method, path, id }) => [`${method} ${path}`, id]))),
    );
    this.subscribe(count, [
      ['AccessLines', access, ofKeys],
      ['Failures', logs, failed],
      ['EndedKeys', authorizer.logGroup, ended],
    ]);
    this.lambdas = { count, summarize: this.summarize(props) };
  }

  /**
   * Adds one permission for all log groups of the stack, whose names begin with the stack's name. The function's own log must not be
   * subscribed, because each batch would cause another one.
   */
  private subscribe(count: ApiFunction['lambda'], filters: readonly [string, ILogGroup, string][]): void {
    const { partition, region, account, stackName } = Stack.of(this);
    const permission = new CfnPermission(this, 'Logs', {
      action: 'lambda:InvokeFunction',
      functionName: count.functionArn,
      principal: 'logs.amazonaws.com',
      sourceAccount: Aws.ACCOUNT_ID,
      sourceArn: `arn:${partition}:logs:${region}:${account}:log-group:${stackName}-*:*`,
    });
    for (const [name, { logGroupName }, filterPattern] of filters)
      new CfnSubscriptionFilter(this, name, {
        destinationArn: count.functionArn,
        filterPattern,
        logGroupName,
      }).addResourceDependency(permission);
  }

  private summarize(props: FunctionProps): ApiFunction['lambda'] {
    const { lambda } = new ApiFunction(this, 'summarizeUsage', { ...props, timeout: summarizeTimeout });
    runEvery(this, 'EveryHour', Duration.hours(1), lambda);
    return lambda;
  }
}
