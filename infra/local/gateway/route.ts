import type { Method, RestApi } from './model.ts';

export interface Route {
  method: Method;
  params: Record<string, string>;
}

/** The path below the stage, such as `/contacts/con_1`; undefined for a path outside the stage. */
export function pathInStage({ stage }: RestApi, path: string): string | undefined {
  if (path === `/${stage}`) return '/';
  return path.startsWith(`/${stage}/`) ? path.slice(stage.length + 1) : undefined;
}

/** The method for a path, if there is one. As in API Gateway, a trailing slash is ignored and literal segments win over parameters. */
export function findRoute({ methods }: RestApi, httpMethod: string, path: string): Route | undefined {
  const parts = partsOf(path);
  const routes = methods.flatMap((method) => {
    const params = method.httpMethod === httpMethod ? match(partsOf(method.resourcePath), parts) : undefined;
    return params ? [{ method, params }] : [];
  });
  return routes.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0];
}

const partsOf = (path: string): string[] => path.replace(/\/$/, '').split('/').slice(1);

function match(declared: string[], requested: string[]): Record<string, string> | undefined {
  if (declared.length !== requested.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, part] of declared.entries()) {
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name && requested[i] !== '') params[name] = requested[i] as string;
    else if (part !== requested[i]) return undefined;
  }
  return params;
}
