import { Agent, request } from 'node:http';

export interface Client {
  /** Sends a request and reads its answer to the end. @throws Error unless it is a success */
  send(method: string, path: string, body?: object): Promise<void>;
  close(): void;
}

/** A client of the API with a number of connections, which stay open. */
export function openClient(url: string, key: string, connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send = async (method: string, path: string, body?: object) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const json = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const headers = {
      'X-Api-Key': key,
      ...(json ? { 'Content-Type': 'application/json', 'Content-Length': json.length } : {}),
    };
    request(`${url}${path}`, { method, agent, headers }, (answer) => {
      const { statusCode = 0 } = answer;
      answer.resume().once('end', resolve).once('error', reject);
      if (statusCode >= 300) reject(new Error(`${method} ${path} was answered with ${statusCode}`));
    })
      .once('error', reject)
      .end(json);
    return promise;
  };
  return { send, close: () => agent.destroy() };
}
