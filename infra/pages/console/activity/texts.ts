import type { ActivityAction } from '../../../../lib/contract/console/activity.ts';

/** All texts of the view. */
export const texts = {
  title: 'Activity',
  about:
    'Who changed a key, changed a webhook subscription in this page, or signed in, when and from where. No function can change or delete it.',
  reading: 'activity',
  everything: 'Everything',
  none: 'Nothing is recorded yet. Every change of a key, every change of a webhook subscription here, and every sign-in will be listed.',
  columns: ['What', 'When', 'From'],
  operator: 'operator',
  signedOut: 'signed out',
  outside: 'outside this page',
  ended: 'ended',
  state: { name: 'Name', access: 'Access', expires: 'Expires', hints: 'Secrets' },
  fullAccess: 'Full access',
  never: 'never',
  noSecrets: 'none',
} as const;

export const actionWords: Record<ActivityAction, string> = {
  'key.created': 'created',
  'key.renamed': 'renamed',
  'key.access_changed': 'changed the access of',
  'key.expiry_changed': 'changed the expiry of',
  'key.changed': 'changed',
  'key.rotated': 'rotated',
  'key.revoked': 'revoked',
  'key.expires_soon': 'expires soon',
  'subscription.created': 'created the webhook subscription to',
  'subscription.changed': 'changed the webhook subscription to',
  'subscription.rotated': 'rotated the secret of the webhook subscription to',
  'subscription.deleted': 'deleted the webhook subscription to',
  'link.created': 'made a link to this page for',
  'session.started': 'signed in',
  'session.ended': 'ended the session of',
};
