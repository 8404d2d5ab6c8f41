import { close, listen } from '../../../infra/local/gateway/server.ts';

/** A free port of this machine. */
export async function freePort(): Promise<number> {
  const { server, url } = await listen(0, () => {});
  await close(server);
  return Number(new URL(url).port);
}
