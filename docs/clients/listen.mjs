// KEY=pak_… SECRET=whsec_… node listen.mjs https://api.example.com/v1 http://127.0.0.1:4000 [types] [after]

import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

const [url, receiver, types, after] = process.argv.slice(2);
const { KEY, SECRET } = process.env;
const webhook = new Webhook(SECRET);

/** Tries again while the API does not answer, or answers that it cannot at the moment. */
async function changes(query) {
  for (let seconds = 1; ; seconds = Math.min(2 * seconds, 30)) {
    const address = `${url}/changes?${new URLSearchParams({ include: 'resource', ...query })}`;
    const answer = await fetch(address, { headers: { 'X-Api-Key': KEY }, redirect: 'error' }).catch(String);
    if (answer.ok) return answer.json();
    const reason = answer.status ? `${answer.status} ${await answer.text()}` : answer;
    if (answer.status < 500 && answer.status !== 429) throw new Error(reason);
    console.error(`${reason}; trying again in ${seconds} s`);
    await sleep(1000 * seconds);
  }
}

/** The event of a change, as a subscription with `payload: full` gets it, but with the record as it is now. */
function eventOf({ number, at, id, type, resource, origin, changed_fields, ...record }) {
  const data = record[resource.type] ?? { id: resource.id };
  return { id, type, timestamp: at, api_version: 'v1', resource, origin, changed_fields, previous: {}, data };
}

/** Tries again while the receiver does not answer. Any answer will do: it would not change for the same event. */
async function send(change) {
  const body = JSON.stringify(eventOf(change));
  for (const seconds of [0.5, 1, 2, 4, 8, undefined]) {
    const at = new Date();
    const headers = {
      'Content-Type': 'application/json',
      'webhook-id': change.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': webhook.sign(change.id, at, body),
    };
    const answer = await fetch(receiver, { method: 'POST', headers, body, redirect: 'manual' }).catch(String);
    console.log(change.number, change.type, change.resource.id, answer.status ?? answer);
    if (answer.status) return;
    if (!seconds)
      throw new Error(`${receiver} does not answer; continue with ${change.number - 1} as [after]`);
    await sleep(1000 * seconds);
  }
}

let next = after ?? (await changes({ sort: '-number', limit: 1 })).pagination.next_after;
for (;;) {
  const { data, pagination } = await changes({ after: next, limit: 100, ...(types && { types }) });
  for (const change of data) await send(change);
  next = pagination.next_after;
  if (!pagination.has_more) await sleep(1000);
}
