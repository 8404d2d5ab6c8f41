/** The headers of what a receiver is sent, by the Standard Webhooks. */
export const webhookHeaderNotes = {
  'webhook-id': {
    description:
      'The id of the event, the same in every attempt: what you have taken once, you need not take again.',
    schema: { type: 'string', pattern: '^evt_[0-9a-hjkmnp-tv-z]{24}$', minLength: 28, maxLength: 28 },
    example: 'evt_qz0t2pamgs0ca30pmkfk3h9f',
  },
  'webhook-timestamp': {
    description:
      'When this attempt was made, in seconds since 1970. Refuse what is more than five minutes away.',
    schema: { type: 'string', pattern: '^[0-9]+$', maxLength: 16 },
    example: '1772442001',
  },
  'webhook-signature': {
    description:
      'One signature for each secret that is live, with a space between them: `v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64. One that fits is enough.',
    schema: {
      type: 'string',
      pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
      maxLength: 1024,
    },
    example: 'v1,yQ1ZVuP6XcCkW7m0Q9r4N5v8b2Hn3Jt6Ls0Df1Ga2Ks=',
  },
};

/** What a receiver may answer, and what follows. */
export const webhookAnswerNotes = {
  '2XX':
    'It has arrived. All of the answer must have come within 15 seconds; of its body 1 KB is kept for you to see.',
  '410': 'You want no more of this: the subscription is disabled.',
  '429': 'Not now. It is tried again, after `Retry-After` if that is later; 24 hours at most.',
  '503': 'Not now. It is tried again, after `Retry-After` if that is later; 24 hours at most.',
  default: 'It has not arrived; a redirect is no success either. It is tried 13 times in three days.',
};
