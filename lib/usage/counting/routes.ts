import { otherOperation } from '../../contract/console/countedOperations.ts';
import { env, required } from '../../env.ts';

interface Route {
  operation: string;
  method: string;
  path: string;
}

/** The operations by method and path, as the access log has them. */
export class Routes {
  private readonly byPath = new Map<string, Route>();
  private readonly byId = new Map<string, Route>();

  /** @param operations the ids of the operations by method and path: `GET /contacts` */
  constructor(operations: Record<string, string>) {
    for (const [name, operation] of Object.entries(operations)) {
      const [method = '', path = ''] = name.split(' ');
      const route = { operation, method, path };
      this.byPath.set(name, route);
      this.byId.set(operation, route);
    }
  }

  named(method: string, path: string): Route {
    return this.byPath.get(`${method} ${path}`) ?? { operation: otherOperation, method, path };
  }

  of(operation: string): Route | undefined {
    return this.byId.get(operation);
  }
}

/** The routes of this release. They come in the environment: a function that imported the contract would hold all of it. */
export const routesOfRelease = (): Routes => new Routes(JSON.parse(required(env.routes)));
