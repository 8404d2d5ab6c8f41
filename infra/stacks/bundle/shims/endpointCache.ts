/** Replaces the SDK's endpoint cache. The client of DynamoDB uses it only with endpoint discovery, which is off. */
export class EndpointCache {}
