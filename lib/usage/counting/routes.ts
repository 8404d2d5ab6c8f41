import { otherOperation } from '../../contract/console/countedOperations.ts';
import { env, required } from '../../env.ts';

interface Route {
  operation: string;
  method: string;
  path: string;
}

/** Finds operations by method and path, as the access log names them. */
export class Routes {
  private readonly routes: readonly Route[];

  /** @param operations the ids of the operations by method and path, such as `GET /contacts` */
  constructor(operations: Record<string, string>) {
    this.routes = Object.entries(operations).map(([name, operation]) => {
      const [method = '', path = ''] = name.split(' ');
      return { operation, method, path };
    });
  }

  named(method: string, path: string): Route {
    const found = this.routes.find((route) => route.method === method && route.path === path);
    return found ?? { operation: otherOperation, method, path };
  }

  of(operation: string): Route | undefined {
    return this.routes.find((route) => route.operation === operation);
  }
}

/** Returns the routes of this release. They come from the environment, because importing the contract would add all of it to the function. */
export const routesOfRelease = (): Routes => new Routes(JSON.parse(required(env.routes)));
