/** The headers of requests to receivers, as defined by Standard Webhooks. */
export const webhookHeaderNotes = {
  'webhook-id': {
    description:
      'The id of the event, which is the same in every attempt. If you have already processed an event with this id, ignore it.',
    schema: { type: 'string', pattern: '^evt_[0-9a-hjkmnp-tv-z]{24}$', minLength: 28, maxLength: 28 },
    example: 'evt_qz0t2pamgs0ca30pmkfk3h9f',
  },
  'webhook-timestamp': {
    description:
      'The time of this attempt in seconds since 1970 (UTC). Reject the request if it differs from your clock by more than five minutes.',
    schema: { type: 'string', pattern: '^[0-9]+$', maxLength: 16 },
    example: '1772442001',
  },
  'webhook-signature': {
    description:
      'One signature for each valid secret, separated by spaces. A signature is `v1,` followed by the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64. Accept the request if at least one signature matches.',
    schema: {
      type: 'string',
      pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
      maxLength: 1024,
    },
    example: 'v1,yQ1ZVuP6XcCkW7m0Q9r4N5v8b2Hn3Jt6Ls0Df1Ga2Ks=',
  },
};

/** The responses of a receiver, and their effects. */
export const webhookAnswerNotes = {
  '2XX':
    'The attempt succeeded. The complete response must arrive within 15 seconds. The log keeps the first 1 KB of its body.',
  '410': 'The attempt failed, and the subscription is disabled.',
  '429':
    'The attempt failed. The API retries on schedule, or after `Retry-After` if that is later, up to 24 hours.',
  '503':
    'The attempt failed. The API retries on schedule, or after `Retry-After` if that is later, up to 24 hours.',
  default: 'The attempt failed, as it does for redirects. The API makes 13 attempts in three days.',
};
