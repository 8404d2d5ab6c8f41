import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { answerHeaders } from '../../../lib/contract/answerHeaders.ts';
import { type ErrorStatus, errorBody } from '../../../lib/errors/apiError.ts';
import { batchBytesMax } from '../../../lib/schemas/batch.ts';
import { platformMessages } from '../../pages/reference/prose/errorDescriptions.ts';
import type { StageSettings } from '../stages/stages.ts';
import { numeralsAbove } from './numeralsAbove.ts';

type Rule = CfnWebACL.RuleProperty;
type FirewallProps = NonNullable<StageSettings['firewall']> & { stage: Stage };

/**
 * AWS's rules that only count matches, because they would block requests that the contract allows: texts may contain anything (`<script>`,
 * `../`), webhook URLs may contain IP addresses, bodies may be larger than 8 KB, a query with a hundred ids is longer than 2,048 bytes, and
 * User-Agent is optional. This is safe, because the functions parse queries and bodies strictly, and never execute anything that they store.
 * https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html
 */
const onlyCounted = [
  'CrossSiteScripting_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'NoUserAgent_HEADER',
  'SizeRestrictions_BODY',
  'SizeRestrictions_QUERYSTRING',
];

/** Enables metrics without samples of requests. Samples would show the API keys in the headers to everybody who can open the console. */
const seenAs = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});

/** A managed rule group of AWS. For requests that it blocks, API Gateway returns the gateway response WAF_FILTERED. */
const managed = (name: string, counted: readonly string[] = []): Omit<Rule, 'priority'> => ({
  name,
  overrideAction: { none: {} },
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      ...(counted.length > 0
        ? { ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })) }
        : {}),
    },
  },
  visibilityConfig: seenAs(name),
});

/** The responses that AWS WAF sends itself. They have no X-Request-Id, because AWS WAF can set only constant headers. */
const answers = {
  TooLarge: { status: 413, message: platformMessages.tooLarge, headers: {} },
  TooMany: { status: 429, message: platformMessages.throttled, headers: { 'Retry-After': '60' } },
} satisfies Record<string, { status: ErrorStatus; message: string; headers: Record<string, string> }>;

type AnswerName = keyof typeof answers;

const blocking = (name: AnswerName, statement: CfnWebACL.StatementProperty): Omit<Rule, 'priority'> => ({
  name,
  action: {
    block: {
      customResponse: {
        responseCode: answers[name].status,
        customResponseBodyKey: name,
        responseHeaders: Object.entries({ ...answerHeaders, ...answers[name].headers }).map(
          ([header, value]) => ({ name: header, value }),
        ),
      },
    },
  },
  statement,
  visibilityConfig: seenAs(name),
});

/**
 * Checks Content-Length, because AWS WAF inspects only 16 KB of a body by default, and 64 KB at most. Above the limit of a batch, which is the
 * largest body, no function is called. The function refuses a body that is too large for its operation, or that has no Content-Length.
 * https://docs.aws.amazon.com/waf/latest/developerguide/web-acl-setting-body-inspection-limit.html
 */
const tooLarge = blocking('TooLarge', {
  regexMatchStatement: {
    fieldToMatch: { singleHeader: { Name: 'content-length' } },
    regexString: numeralsAbove(batchBytesMax),
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
});

const tooMany = (limit: number) =>
  blocking('TooMany', { rateBasedStatement: { aggregateKeyType: 'IP', limit, evaluationWindowSec: 300 } });

/** AWS WAF in front of the API. Its responses have the error body of the API. */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { stage, requestsPerAddress }: FirewallProps) {
    super(scope, id);
    const rules = [
      tooMany(requestsPerAddress),
      tooLarge,
      managed('AWSManagedRulesKnownBadInputsRuleSet'),
      managed('AWSManagedRulesCommonRuleSet', onlyCounted),
    ];
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      customResponseBodies: Object.fromEntries(
        Object.entries(answers).map(([name, { status, message }]) => [
          name,
          { contentType: 'APPLICATION_JSON', content: JSON.stringify(errorBody(status, message)) },
        ]),
      ),
      rules: rules.map((rule, priority) => ({ ...rule, priority })),
      visibilityConfig: seenAs('Firewall'),
    });
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: stage.stageArn,
      webAclArn: acl.attrArn,
    });
  }
}
