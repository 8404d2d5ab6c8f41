import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { clientConfiguration, endpoints } from './configuration.ts';

let client: APIGatewayClient | undefined;

/** The one client of API Gateway's control plane of this process, made on first use from the environment of that moment. */
export function apiGateway(): APIGatewayClient {
  client ??= new APIGatewayClient(clientConfiguration(endpoints.apiGateway()));
  return client;
}
