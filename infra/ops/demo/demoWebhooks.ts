/**
 * Creates a paused webhook subscription through the API, and an event with a held delivery for it. An existing
 * subscription is not changed, because people may have edited it.
 * @param url of the API
 * @param key with full access
 */
export async function seedWebhooks(url: string, key: string): Promise<void> {
  const send = (method: string, path: string, body: object) =>
    fetch(url + path, {
      method,
      headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const created = await send('POST', '/webhook-subscriptions', {
    // The receiver of the guide to webhooks listens on this port.
    url: 'http://127.0.0.1:4000/demo',
    event_types: ['contact.updated'],
    description: 'Waits for a receiver on this machine',
    status: 'paused',
  });
  if (created.status !== 201) return;
  const contacts = await fetch(`${url}/contacts?limit=1&offset=1`, { headers: { 'X-Api-Key': key } });
  const { data } = (await contacts.json()) as { data: { id: string }[] };
  for (const { id } of data) await send('PATCH', `/contacts/${id}`, { note: 'Prefers e-mail' });
}
