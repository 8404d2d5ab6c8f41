import { describe, expect, test } from 'vitest';
import { countedOperations } from '../../../lib/contract/console/countedOperations.ts';
import { getUsage, groupFailedRequests, listFailedRequests } from '../../../lib/contract/console/usage.ts';
import { operations } from '../../../lib/contract/index.ts';
import { getMyUsage } from '../../../lib/contract/me.ts';
import { inputProblems } from '../../../lib/values/inputProblems.ts';

/** What a parameter takes, what it does not although it looks like it, and the rule. */
interface Values {
  right: string[];
  wrong: string[];
  rule: string;
}

const time: Values = {
  right: ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00+01:00', '2026-03-01'],
  wrong: ['2026-03', '2026-02-30T09:30:00Z', '2026-03-01T09:30:00', 'yesterday', '1772357400'],
  rule: 'must be a time of RFC 3339',
};

const key: Values = {
  right: ['key_2h6w8r1v3z5b7k9m4n0cqtxj'],
  wrong: ['key_1', 'con_2h6w8r1v3z5b7k9m4n0cqtxj', 'KEY_2h6w8r1v3z5b7k9m4n0cqtxj'],
  rule: 'must be an id of the form key_ and 24 characters',
};

const words = (...right: string[]): Values => ({
  right: [...right, ` ${(right[0] as string).toUpperCase()}`],
  wrong: ['nope', `${right[0]},${right[1]}`],
  rule: `must be one of ${right.join(', ')}`,
});

const range = { from: time, to: time, resolution: words('hour', 'day') };

const cases = [
  [getMyUsage, range],
  [
    getUsage,
    {
      ...range,
      group_by: words('status', 'key', 'operation'),
      key_id: key,
      operation: words(...operations.map(({ id }) => id), 'other'),
    },
  ],
  [groupFailedRequests, { key_id: key, status_class: words('4xx', '5xx'), since: time, until: time }],
  [
    listFailedRequests,
    {
      limit: {
        right: ['1', '100'],
        wrong: ['0', '101', '1.5', '-1', '1e1', 'all'],
        rule: 'must be an integer from 1 to 100',
      },
      before: {
        right: [
          '2026-11-22T09:30:00.000Z#6c7c9e05-0000-4000-8000-000000000003',
          '2026-11-22T09:30:00.000Z#Zm9vYmFy_-+/=',
        ],
        wrong: [
          '1',
          'nope',
          '~',
          '2026-11-22T09:30:00.000Z',
          '2026-11-22T09:30:00.000Z#',
          '2026-11-22T09:30:00Z#Zm9vYmFy',
          '2026-11-31T09:30:00.000Z#Zm9vYmFy',
          '2026-13-22T09:30:00.000Z#Zm9vYmFy',
          '2026-11-22T09:30:00.000Z#a#b',
        ],
        rule: 'must be the next_before of a page',
      },
      key_id: key,
      status_class: words('4xx', '5xx'),
      since: time,
      until: time,
      group: {
        right: ['47DEQpj8HBSa-_TImW-5JC'],
        wrong: ['47DEQpj8HBSa-_TImW-5J', '47DEQpj8HBSa-_TImW-5JCe', '47DEQpj8HBSa+/TImW+5JC'],
        rule: 'must be the id of a group of failed requests',
      },
      request_id: {
        right: ['6c7c9e05-0000-4000-8000-000000000003', 'order-17'],
        wrong: ['a b', 'é'],
        rule: 'must be a request id of at most 128 visible characters',
      },
    },
  ],
] as const satisfies readonly (readonly [{ query: object }, Record<string, Values>])[];

describe.each(cases.map(([operation, parameters]) => [operation.id, operation, parameters] as const))(
  '%s',
  (_, { query }, parameters) => {
    const problemsOf = (name: string, value: string) =>
      inputProblems(query(), query().safeParse({ [name]: value }).error?.issues);

    test('has these parameters and no other', () => {
      expect(Object.keys(query().shape).sort()).toEqual(Object.keys(parameters).sort());
    });

    test.each(Object.entries<Values>(parameters))(
      '%s takes what it can mean, and says what that is',
      (name, values) => {
        for (const value of values.right) expect(problemsOf(name, value), value).toEqual([]);
        for (const value of ['', ' ', ...values.wrong]) {
          const [problem, ...others] = problemsOf(name, value);
          expect([problem?.sentence, others], value).toEqual([
            expect.stringContaining(`${name} ${values.rule}`),
            [],
          ]);
        }
      },
    );
  },
);

test('requests are counted by the operations of the contract, and those of no route of it as others', () => {
  expect(countedOperations).toEqual([...operations.map(({ id }) => id), 'other']);
});
