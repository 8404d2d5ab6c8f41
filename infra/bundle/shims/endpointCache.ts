/** Stands in for the SDK's endpoint cache, which DynamoDB's client makes and, without endpoint discovery, never uses. */
export class EndpointCache {}
