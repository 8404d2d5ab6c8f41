import type { Lambda } from '../lambda/lambda.ts';
import { authorizerEvent, methodArn, type RoutedRequest } from './event.ts';
import type { Authorizer } from './model.ts';

/** What the gateway makes of an authorizer: a context to pass on, or the type of the answer that ends the request. */
export type Decision = { context: Record<string, string> } | { answer: string };

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

/** Enough for any test; a gateway that has seen so many keys may ask again. */
const cachedMax = 10_000;

/** Asks an authorizer, and remembers what it said for as long as the template says, by the identity alone. */
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
    this.cacheResult(identity, authorizer.cacheMs, result);
    return evaluate(result, passage);
  }

  private cacheResult(identity: string, forMs: number, result: AuthorizerResult): void {
    if (this.cache.size >= cachedMax) this.cache.clear();
    this.cache.set(identity, { until: Date.now() + forMs, result });
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

/** A policy with nothing to say about a route refuses it. What it passes on arrives as strings. */
function evaluate(
  { principalId, policyDocument, context = {} }: AuthorizerResult,
  passage: RoutedRequest,
): Decision {
  const arn = methodArn(passage);
  const effects = (policyDocument?.Statement ?? [])
    .filter(({ Action, Resource }) => covers(Action, 'execute-api:Invoke') && covers(Resource, arn))
    .map(({ Effect }) => Effect);
  if (effects.includes('Deny') || !effects.includes('Allow')) return { answer: 'ACCESS_DENIED' };
  const strings = Object.entries({ principalId, ...context }).map(([name, value]) => [name, String(value)]);
  return { context: Object.fromEntries(strings) };
}

/** `*` stands for any characters, `?` for one. */
function covers(patterns: string | string[], value: string): boolean {
  return [patterns].flat().some((pattern) => {
    const escaped = pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    return new RegExp(`^${escaped}$`).test(value);
  });
}
