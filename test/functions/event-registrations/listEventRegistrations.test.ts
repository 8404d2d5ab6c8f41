import { describe, expect, test } from 'vitest';
import { listEventRegistrations } from '../../../lib/resources/eventRegistrations.ts';
import { givenAccount, givenKey } from '../../support/data/given.ts';
import { call } from '../../support/http/api.ts';
import { aRegistration, givenRegistrations } from './registrations.ts';

describe('200', () => {
  test('registrations of the account in the order of their creation', async () => {
    const account = givenAccount();
    const { text: key } = await givenKey(account, ['events:read']);
    const registrations = await givenRegistrations(account, [aRegistration(), aRegistration()]);
    const { status, body } = await call(listEventRegistrations, { key });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: registrations,
      pagination: { limit: 25, offset: 0, total: 2, next_updated_since: expect.any(String) },
    });
  });
});
