import createClient, { type Client } from 'openapi-fetch';
import type { components, paths, webhooks } from './build/api.ts';

export type Api = Client<paths>;

/** What goes in or comes out, by the name that it has in the document. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** Any event that is posted to a receiver. Its `type` names the kind. */
export type WebhookEvent = webhooks[keyof webhooks]['post']['requestBody']['content']['application/json'];

export const api: Api = createClient<paths>({ baseUrl: 'https://api.example.com/v1' });
