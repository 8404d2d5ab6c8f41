/** Replaces the SDK's endpoint cache. DynamoDB's client uses it only for endpoint discovery, which is off. */
export class EndpointCache {}
