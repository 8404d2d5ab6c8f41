import { beginSession } from '../../lib/console/consoleLinks.ts';
import { findDeliveries } from '../../lib/console/findDeliveries.ts';
import {
  createAccountKey,
  endPreviousSecrets,
  revokeAccountKey,
  rotateAccountKey,
  updateAccountKey,
} from '../../lib/console/keyChanges.ts';
import { pageOfActivity, pageOfKeys, showKeyWithHistory } from '../../lib/console/keyViews.ts';
import { deleteSession, sessionAnswer } from '../../lib/console/sessions.ts';
import { pageWithDeliveries, subscriptionWithDeliveries } from '../../lib/console/subscriptionViews.ts';
import { asAnswer } from '../../lib/http/answers.ts';
import { consoleApi } from '../../lib/http/consoleApi.ts';
import { groupFailures, listFailures } from '../../lib/usage/listFailures.ts';
import { usageOf } from '../../lib/usage/usage.ts';
import { getDelivery } from '../../lib/webhooks/log/deliveryLog.ts';
import { listDeliveries } from '../../lib/webhooks/log/listDeliveries.ts';
import { fromConsole } from '../../lib/webhooks/model/subscription.ts';
import { getRedelivery, startRedelivery } from '../../lib/webhooks/redelivery/bulkRedelivery.ts';
import { redeliver } from '../../lib/webhooks/redelivery/redeliver.ts';
import { createSubscription } from '../../lib/webhooks/subscriptions/createSubscription.ts';
import { deleteSubscription } from '../../lib/webhooks/subscriptions/deleteSubscription.ts';
import { rotateSecret } from '../../lib/webhooks/subscriptions/rotateSecret.ts';
import { updateSubscription } from '../../lib/webhooks/subscriptions/updateSubscription.ts';

/** The console's API. It is a single function, so that the next click finds it warm. */
export const handler = consoleApi({
  startSession: async ({ body, cookie, origin, deadline, signIn }) => {
    const started = await beginSession(body.code, {
      before: cookie,
      replace: body.replace,
      origin,
      deadline,
    });
    signIn(started);
    return sessionAnswer(started.session);
  },
  getSession: ({ session }) => sessionAnswer(session),
  endSession: async ({ session, who, deadline, signOut }) => {
    await deleteSession(session, who, deadline);
    signOut();
    return undefined;
  },

  listKeys: ({ account, query }) => pageOfKeys(account, query),
  createKey: async ({ body, account, who, deadline, once }) =>
    asAnswer(await createAccountKey(body, { account, who, deadline, once })),
  getKey: ({ account, params }) => showKeyWithHistory(account, params.keyId),
  updateKey: ({ params, body, account, who, deadline, permit }) =>
    updateAccountKey(params.keyId, body, { account, who, deadline, ifMatch: permit }),
  rotateKey: async ({ params, body, account, who, deadline, once }) =>
    asAnswer(await rotateAccountKey(params.keyId, body.overlap_seconds, { account, who, deadline, once })),
  endOldSecrets: ({ params, account, who, deadline }) =>
    endPreviousSecrets(params.keyId, { account, who, deadline }),
  revokeKey: ({ params, account, who, deadline }) =>
    revokeAccountKey(params.keyId, { account, who, deadline }),

  listActivity: ({ account, query }) => pageOfActivity(account, query),
  getUsage: ({ account, query }) => usageOf(account, query),
  listFailedRequests: ({ account, query }) => listFailures(account, query),
  groupFailedRequests: ({ account, query }) => groupFailures(account, query),

  consoleListWebhookSubscriptions: ({ account, query }) => pageWithDeliveries(account, query),
  consoleCreateWebhookSubscription: async ({ account, body, deadline, once, who }) =>
    asAnswer(await createSubscription(account, body, { by: { ...fromConsole, who }, deadline, once })),
  consoleGetWebhookSubscription: ({ account, params }) =>
    subscriptionWithDeliveries(account, params.subscriptionId),
  consoleUpdateWebhookSubscription: ({ account, params, body, deadline, permit, who }) =>
    updateSubscription(account, params.subscriptionId, body, {
      by: { ...fromConsole, who },
      deadline,
      ifMatch: permit,
    }),
  consoleDeleteWebhookSubscription: async ({ account, params, deadline, who }) => {
    await deleteSubscription(account, params.subscriptionId, deadline, who);
    return undefined;
  },
  consoleRotateWebhookSecret: async ({ account, params, body, deadline, once, who }) =>
    asAnswer(
      await rotateSecret(account, params.subscriptionId, body.overlap_seconds, {
        by: { ...fromConsole, who },
        deadline,
        once,
      }),
    ),

  consoleListWebhookDeliveries: ({ account, params, query }) =>
    listDeliveries(account, params.subscriptionId, query, fromConsole.access),
  findWebhookDeliveries: ({ account, query }) => findDeliveries(account, query.id),
  consoleGetWebhookDelivery: ({ account, params }) =>
    getDelivery(account, params.subscriptionId, params.deliveryId, fromConsole.access),
  consoleRedeliverWebhook: async ({ account, params, deadline, once, who }) => {
    const { access } = fromConsole;
    return asAnswer(
      await redeliver(account, params.subscriptionId, params.deliveryId, { access, deadline, once, who }),
    );
  },
  consoleRedeliverWebhooks: async ({ account, params, body, deadline, once, who }) =>
    asAnswer(await startRedelivery(account, params.subscriptionId, body, { deadline, once, who })),
  consoleGetWebhookRedelivery: ({ account, params }) =>
    getRedelivery(account, params.subscriptionId, params.redeliveryId),
});
