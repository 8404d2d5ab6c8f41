import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';

/** Calls a function with an event as JSON. @returns its answer as JSON @throws Error with why it failed */
export async function invoke(lambda: LambdaClient, FunctionName: string, payload: string): Promise<string> {
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({ FunctionName, Payload: Buffer.from(payload) }),
  );
  const answer = Payload?.transformToString() ?? 'null';
  if (FunctionError === undefined) return answer;
  throw new Error((JSON.parse(answer) as { errorMessage?: string } | null)?.errorMessage ?? FunctionError);
}
