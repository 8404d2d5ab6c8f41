import type { ActivityAction } from '../../../../lib/contract/console/activity.ts';

// All texts of the view.

export const title = 'Activity';
export const about =
  'Who changed an API key or a webhook subscription here, or signed in: when, and from where. This list cannot be edited.';
export const reading = 'activity';
export const filtersPerson = 'User';
export const filtersAnybody = 'All users';
export const filtersSubscription = 'Webhook';
export const filtersAnySubscription = 'All webhooks';
export const noneFiltered = 'No activity matches.';
export const none =
  'Nothing is recorded yet. Every change of a key, every change of a webhook subscription here, and every sign-in will be listed.';
export const columns = ['What', 'When', 'From'] as const;
export const operator = 'operator';
export const signedOut = '{who} signed out';
export const outside = '—';
export const ended = 'ended';
export const state = { name: 'Name', access: 'Access', expires: 'Expires', hints: 'Secrets' } as const;
export const fullAccess = 'Full access';
export const never = 'never';
export const noSecrets = 'none';

export const sentences = {
  'key.created': '{who} created {key_name}',
  'key.renamed': '{who} renamed {key_name}',
  'key.access_changed': '{who} changed the access of {key_name}',
  'key.expiry_changed': '{who} changed the expiry of {key_name}',
  'key.changed': '{who} changed {key_name}',
  'key.rotated': '{who} rotated {key_name}',
  'key.revoked': '{who} revoked {key_name}',
  'key.expires_soon': '{key_name} expires soon',
  'subscription.created': '{who} created the webhook {webhook}',
  'subscription.changed': '{who} changed the webhook {webhook}',
  'subscription.paused': '{who} paused the webhook {webhook}',
  'subscription.resumed': '{who} resumed the webhook {webhook}',
  'subscription.rotated': '{who} rotated the secret of the webhook {webhook}',
  'subscription.deleted': '{who} deleted the webhook {webhook}',
  'subscription.tested': '{who} tested the webhook {webhook}',
  'subscription.redelivered': '{who} redelivered events of the webhook {webhook}',
  'link.created': '{who} made a link to this page for {person}',
  'session.started': '{who} signed in',
  'session.ended': '{who} ended the session of {person}',
} as const satisfies Record<ActivityAction, string>;
