// SECRET=whsec_… PORT=4000 node receiver.mjs

import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.SECRET);
const receive = async (request) => webhook.verify(await text(request), request.headers);
createServer(async (request, response) => {
  const event = await receive(request).catch(() => undefined);
  const isTest = event?.type === 'webhook.test' || event?.origin?.kind === 'test';
  if (event)
    console.log(event.type, event.resource.id, event.resource.version, ...(isTest ? ['(test)'] : []));
  response.writeHead(event ? 204 : 400).end();
}).listen(process.env.PORT ?? 4000, '127.0.0.1');
