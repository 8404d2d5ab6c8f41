/** A group of files to mutate, and the tests that must fail for a mutant. These tests start no stack. */
interface Area {
  code: readonly string[];
  tests: readonly string[];
}

export const areas = {
  keys: {
    code: ['lib/keys/access.ts', 'lib/keys/format.ts'],
    tests: ['test/lib/keys/access.test.ts', 'test/lib/keys/format.test.ts'],
  },
  positions: {
    code: ['lib/ids.ts', 'lib/records/position.ts', 'lib/records/range.ts'],
    tests: ['test/lib/ids.test.ts', 'test/lib/records/position.test.ts', 'test/lib/records/range.test.ts'],
  },
  retry: {
    code: [
      'lib/webhooks/deliveries/schedule.ts',
      'lib/webhooks/deliveries/recordAttempt.ts',
      'lib/webhooks/deliveries/dueTimes.ts',
    ],
    tests: [
      'test/lib/webhooks/dueTimes.test.ts',
      'test/lib/webhooks/recordAttempt.test.ts',
      'test/lib/webhooks/schedule.test.ts',
    ],
  },
  addresses: {
    code: ['lib/webhooks/sending/address.ts', 'lib/contract/values/receiverUrl.ts'],
    tests: ['test/lib/webhooks/address.test.ts', 'test/lib/contract/receiverUrl.test.ts'],
  },
  contract: {
    code: [
      'lib/contract/values/characters.ts',
      'lib/contract/values/exactNumber.ts',
      'lib/contract/values/json.ts',
      'lib/contract/values/languageTag.ts',
      'lib/contract/values/normalized.ts',
      'lib/contract/values/problemMessages.ts',
      'lib/contract/values/shared.ts',
      'lib/contract/values/structure.ts',
    ],
    tests: [
      'test/lib/contract/contract.test.ts',
      'test/lib/contract/exactNumber.test.ts',
      'test/lib/contract/json.test.ts',
      'test/lib/contract/languageTag.test.ts',
      'test/lib/contract/values.test.ts',
      'test/properties.test.ts',
    ],
  },
} satisfies Record<string, Area>;
