import { createServer, type IncomingMessage } from 'node:http';
import { invoke } from './invoke.ts';

interface Person {
  account: string;
  accountName: string;
  id: string;
  name: string;
  isAdmin: boolean;
}

/** A link to Settings > Integrations. It works once, and for a minute. */
async function consoleLink({ account, accountName, id, name, isAdmin }: Person): Promise<string> {
  const input = {
    account,
    account_name: accountName,
    actor: { id, name },
    role: isAdmin ? 'admin' : 'viewer',
    return_url: 'https://app.example.com/settings',
  };
  return (await invoke(process.env.CONSOLE_LINK_FUNCTION, input)).url;
}

/** In the place of your own login: who sends this request. */
const signedIn = (_request: IncomingMessage): Person => ({
  account: 'acme',
  accountName: 'Acme Ltd.',
  id: 'usr_1',
  name: 'Ada Lovelace',
  isAdmin: true,
});

/** In the place of your own settings. */
const page = '<!doctype html><title>Settings</title><a href="/integrations">Integrations</a>';

createServer(async (request, response) => {
  if (request.url !== '/integrations')
    return response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
  try {
    const link = await consoleLink(signedIn(request));
    response.writeHead(303, { Location: link, 'Cache-Control': 'no-store' }).end();
  } catch (error) {
    console.error(error);
    response.writeHead(502).end('The page cannot be opened now.');
  }
}).listen(Number(process.env.PORT ?? 4001), '127.0.0.1');
