import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { handler as listHandler } from '../../../functions/contacts/listContacts.ts';
import { handler as updateHandler } from '../../../functions/contacts/updateContact.ts';
import { type Contact, listContacts, updateContact } from '../../../lib/resources/contacts.ts';
import { aContact, givenAccount, givenContacts } from '../../support/data/given.ts';
import { fullAccess, gatewayEvent, lambdaContext } from '../../support/http/events.ts';
import { nextQuery } from '../../support/http/nextQuery.ts';
import { asFunction } from '../../support/permissions/asFunction.ts';
import { index } from '../../support/pipeline/stream.ts';
import { usePipeline } from '../../support/pipeline/usePipeline.ts';

// A client that knows nothing but rel="next", while others change what it lists.

type Handler = (event: object, context: Context) => Promise<APIGatewayProxyResult>;

const pipeline = usePipeline();
const list = asFunction('listContacts', listHandler as unknown as Handler);
const update = asFunction('updateContact', updateHandler as unknown as Handler);

/** The contacts of a walk, page by page. */
async function* pages(account: string, query: Record<string, string>): AsyncGenerator<Contact[]> {
  for (let asked: Record<string, string> | undefined = query; asked; ) {
    const event = gatewayEvent(listContacts, fullAccess(account), { query: asked });
    const { statusCode, body, multiValueHeaders, headers } = await list(event, lambdaContext());
    expect(statusCode, body).toBe(200);
    yield (JSON.parse(body) as { data: Contact[] }).data;
    asked = nextQuery(headers?.Link ?? multiValueHeaders?.Link);
  }
}

const create = (account: string, amount: number, tags = ['new']) =>
  givenContacts(
    account,
    Array.from({ length: amount }, () => aContact({ tags })),
  );

async function setTags(account: string, contactId: string, tags: string[]): Promise<void> {
  const event = gatewayEvent(updateContact, fullAccess(account), { params: { contactId }, body: { tags } });
  expect(await update(event, lambdaContext())).toMatchObject({ statusCode: 200 });
}

async function indexNew(account: string): Promise<void> {
  const changes = (await pipeline.changes()).get(account) ?? [];
  if (changes.length > 0) expect(await index(changes)).toEqual([]);
}

const ids = (some: readonly Contact[]) => some.map(({ id }) => id);

/** What happens after a page: contacts lose or get the tag, others are created, the index follows or does not. */
const events = fc.record({
  untagged: fc.array(fc.nat(), { maxLength: 8 }),
  tagged: fc.array(fc.nat(), { maxLength: 3 }),
  created: fc.nat({ max: 6 }),
  isIndexed: fc.boolean(),
});
const walk = fc.record({
  limit: fc.integer({ min: 1, max: 9 }),
  sort: fc.constantFrom(undefined, 'created_at', '-created_at'),
  isFiltered: fc.boolean(),
  offset: fc.constantFrom(undefined, 0, 3),
});

test('with random changes during random walks, no contact is met twice, and none is missed that was there from the start until it was met', async () => {
  const property = fc.asyncProperty(
    walk,
    fc.array(events, { minLength: 1, maxLength: 12 }),
    async (asked, steps) => {
      const account = givenAccount();
      const start = [...(await create(account, 24)), ...(await create(account, 6, []))];
      await indexNew(account);
      const query = {
        limit: `${asked.limit}`,
        ...(asked.sort === undefined ? {} : { sort: asked.sort }),
        ...(asked.isFiltered ? { tag: 'new' } : {}),
        ...(asked.offset === undefined ? {} : { offset: `${asked.offset}` }),
      };
      const matching = asked.isFiltered ? start.slice(0, 24) : start;
      const ordered = asked.sort === '-created_at' ? matching.toReversed() : matching;
      const due = new Set(ids(ordered.slice(asked.offset ?? 0)));
      const met: string[] = [];
      let at = 0;
      for await (const page of pages(account, query)) {
        met.push(...ids(page));
        const { untagged, tagged, created, isIndexed } = steps[at++ % steps.length] as (typeof steps)[number];
        for (const [some, tags] of [
          [untagged, []],
          [tagged, ['new']],
        ] as const)
          for (const nth of some) {
            const { id } = start[nth % start.length] as Contact;
            await setTags(account, id, [...tags]);
            if (asked.isFiltered && tags.length === 0 && !met.includes(id)) due.delete(id);
          }
        if (at < 6) await create(account, created);
        if (isIndexed) await indexNew(account);
      }
      expect(new Set(met).size, 'met twice').toBe(met.length);
      expect(
        [...due].filter((id) => !met.includes(id)),
        'missed',
      ).toEqual([]);
    },
  );
  await fc.assert(property, { numRuns: 12, endOnFailure: true });
});
