/** How many attempts a delivery keeps: the newest ones, as many as the retry schedule has. A page of 100 deliveries must fit into a response. */
export const attemptsKept = 13;

/**
 * pending: an attempt is planned, or the delivery waits until its receiver works or its subscription is active. cancelled: the subscription was
 * deleted.
 */
export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const;
