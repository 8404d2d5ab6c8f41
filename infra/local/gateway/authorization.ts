import type { Lambda } from '../lambda/lambda.ts';
import { authorizerEvent, methodArn, type RoutedRequest } from './gatewayEvent.ts';
import type { Authorizer } from './model.ts';

/** The result of an authorizer: the context for the integration, or the type of the gateway response that ends the request. */
export type Decision =
  | { context: Record<string, string> }
  | { answer: string; context?: Record<string, string> };

interface Statement {
  Effect: 'Allow' | 'Deny';
  Action: string | string[];
  Resource: string | string[];
}

interface AuthorizerResult {
  principalId?: unknown;
  policyDocument?: { Statement?: Statement[] };
  context?: Record<string, unknown>;
}

/**
 * Invokes an authorizer, and caches its result by identity for the time that the template sets. The cache holds only as many identities as
 * there are valid keys.
 */
export class Authorization {
  private readonly lambdas: Map<string, Lambda>;
  private readonly cache = new Map<string, { until: number; result: AuthorizerResult }>();

  constructor(lambdas: Map<string, Lambda>) {
    this.lambdas = lambdas;
  }

  flush(): void {
    this.cache.clear();
  }

  async decide(authorizer: Authorizer, passage: RoutedRequest): Promise<Decision> {
    const identity = identityOf(authorizer, passage);
    if (!identity) return { answer: 'UNAUTHORIZED' };
    const cached = this.cache.get(identity);
    if (cached && cached.until > Date.now()) return evaluate(cached.result, passage);
    let result: AuthorizerResult;
    try {
      result = JSON.parse(
        (await this.lambdas.get(authorizer.functionId)?.invoke(authorizerEvent(passage))) ?? 'null',
      );
    } catch (error) {
      return { answer: (error as Error).message === 'Unauthorized' ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE' };
    }
    if (!isWellFormed(result)) return { answer: 'AUTHORIZER_CONFIGURATION_ERROR' };
    this.cache.set(identity, { until: Date.now() + authorizer.cacheMs, result });
    return evaluate(result, passage);
  }
}

function identityOf({ identityHeader }: Authorizer, { request }: RoutedRequest): string | undefined {
  const name = identityHeader.toLowerCase();
  return Object.entries(request.headers)
    .find(([key]) => key.toLowerCase() === name)?.[1]
    .at(-1);
}

function isWellFormed(result: AuthorizerResult | null): result is AuthorizerResult {
  const values = Object.values(result?.context ?? {});
  return (
    typeof result?.principalId === 'string' &&
    Array.isArray(result.policyDocument?.Statement) &&
    values.every((value) => ['string', 'number', 'boolean'].includes(typeof value))
  );
}

/** Evaluates the policy. Without an Allow for the route, the request is denied. Values of the context become strings. */
function evaluate(
  { principalId, policyDocument, context = {} }: AuthorizerResult,
  passage: RoutedRequest,
): Decision {
  const arn = methodArn(passage);
  const effects = (policyDocument?.Statement ?? [])
    .filter(({ Action, Resource }) => covers(Action, 'execute-api:Invoke') && covers(Resource, arn))
    .map(({ Effect }) => Effect);
  const strings = Object.entries({ principalId, ...context }).map(([name, value]) => [name, String(value)]);
  const passed = { context: Object.fromEntries(strings) as Record<string, string> };
  const isAllowed = effects.includes('Allow') && !effects.includes('Deny');
  return isAllowed ? passed : { answer: 'ACCESS_DENIED', ...passed };
}

/** Matches IAM's wildcards: `*` matches any characters, and `?` matches one. */
function covers(patterns: string | string[], value: string): boolean {
  return [patterns].flat().some((pattern) => {
    const escaped = pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    return new RegExp(`^${escaped}$`).test(value);
  });
}
