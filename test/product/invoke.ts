import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

const ours = new LambdaClient();

/** Calls a function of the API that has no URL. @returns its result @throws Error with what it says is wrong */
export async function invoke(FunctionName: string | undefined, input: object, lambda = ours) {
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({ FunctionName, Payload: JSON.stringify(input) }),
  );
  const result = JSON.parse(Payload?.transformToString() ?? '{}');
  if (FunctionError) throw new Error(result.errorMessage);
  return result;
}
