import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StackDescription } from '../../../infra/local/process/stackFile.ts';
import { env } from '../../../lib/env.ts';
import { served } from '../http/served.ts';

const name = 'public-api-prod';

/** The answer of CloudFormation to DescribeStacks for a stack with these outputs. */
function describedStack(outputs: Record<string, string>): string {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${name}</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

/** An output for each part of a local stack: a deployed one has the same names, with a capital. */
const outputsOf = (running: StackDescription): Record<string, string> =>
  Object.fromEntries(
    Object.entries(running).flatMap(([part, value]) =>
      typeof value === 'string' ? [[part.replace(/^./, (first) => first.toUpperCase()), value]] : [],
    ),
  );

/**
 * AWS with one deployed stack, `public-api-prod`, whose tables and queues are those of a local one.
 * @param outputs in place of those of the local stack, or beside them
 * @param others answers what is no question for the stack
 * @returns the environment of a command that works with it
 */
export async function givenDeployedStack(
  running: StackDescription,
  outputs: Record<string, string>,
  others: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<Record<string, string>> {
  const endpoint = await served(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    if (body.includes(`StackName=${name}&`) || body.endsWith(`StackName=${name}`))
      response.end(describedStack({ ...outputsOf(running), ...outputs }));
    else others(request, response, body);
  });
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: running.databaseEndpoint,
    AWS_REGION: running.region,
    AWS_ACCESS_KEY_ID: 'ops',
    AWS_SECRET_ACCESS_KEY: 'ops',
    // Nothing but what the stack tells.
    [env.idKey]: '',
  };
}
