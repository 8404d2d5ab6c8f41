import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

const { URL: baseUrl = '', KEY = '' } = process.env;
const api = createClient<paths>({ baseUrl, headers: { 'X-Api-Key': KEY } });

const body: components['schemas']['ContactDraft'] = { email: 'ada@example.com', tags: ['vip'] };
const params = { header: { 'Idempotency-Key': crypto.randomUUID() } };
const { data: contact, error } = await api.POST('/contacts', { params, body });
if (error) throw new Error(error.message);
console.log(contact.id, contact.version);
