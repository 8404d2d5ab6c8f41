/** A group of files to mutate, and the tests that must fail for a mutant. These tests start no stack. */
interface Area {
  code: readonly string[];
  tests: readonly string[];
}

export const areas = {
  keys: {
    code: ['lib/keys/access.ts', 'lib/keys/format.ts'],
    tests: ['test/lib/keys/access.unit.test.ts', 'test/lib/keys/format.unit.test.ts'],
  },
  positions: {
    code: ['lib/ids.ts', 'lib/records/position.ts', 'lib/records/range.ts'],
    tests: [
      'test/lib/ids.unit.test.ts',
      'test/lib/records/position.unit.test.ts',
      'test/lib/records/range.unit.test.ts',
    ],
  },
  retry: {
    code: [
      'lib/webhooks/deliveries/schedule.ts',
      'lib/webhooks/deliveries/recordAttempt.ts',
      'lib/webhooks/jobs/dueTimes.ts',
    ],
    tests: [
      'test/lib/webhooks/dueTimes.unit.test.ts',
      'test/lib/webhooks/recordAttempt.unit.test.ts',
      'test/lib/webhooks/schedule.unit.test.ts',
    ],
  },
  addresses: {
    code: ['lib/webhooks/sending/address.ts', 'lib/values/receiverUrl.ts'],
    tests: ['test/lib/webhooks/address.unit.test.ts', 'test/lib/contract/receiverUrl.unit.test.ts'],
  },
  contract: {
    code: [
      'lib/values/texts/characters.ts',
      'lib/values/exactNumber.ts',
      'lib/values/json.ts',
      'lib/values/texts/languageTag.ts',
      'lib/values/texts/normalized.ts',
      'lib/values/problemMessages.ts',
      'lib/values/shared.ts',
      'lib/values/structure.ts',
    ],
    tests: [
      'test/lib/contract/contract.unit.test.ts',
      'test/lib/contract/exactNumber.unit.test.ts',
      'test/lib/contract/json.unit.test.ts',
      'test/lib/contract/languageTag.unit.test.ts',
      'test/lib/contract/values.unit.test.ts',
      'test/properties.unit.test.ts',
    ],
  },
} satisfies Record<string, Area>;
