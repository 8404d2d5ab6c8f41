import { userInfo } from 'node:os';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { Who } from '../../lib/activity/author.ts';

/** Returns the operator of a local stack: the user of this computer. */
export function localOperator(): Who {
  const { username } = userInfo();
  return { kind: 'operator', id: username, name: username };
}

/** Returns the operator of a deployed stack: the identity of the shell's AWS credentials. It needs no permission. */
export async function awsOperator(): Promise<Who> {
  const { Arn = '' } = await new STSClient({}).send(new GetCallerIdentityCommand({}));
  return { kind: 'operator', id: Arn, name: Arn.slice(Arn.lastIndexOf('/') + 1) };
}
