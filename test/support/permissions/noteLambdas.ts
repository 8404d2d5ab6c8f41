import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import { noteRequests, notesFile } from './note.ts';

// Loaded before a local stack that tests start, in each of its threads. The threads of Lambdas note their requests to
// AWS. They do not inherit the environment of the stack, so they get the name of the file in another way.

const { AWS_LAMBDA_FUNCTION_NAME: name } = process.env;
if (isMainThread) setEnvironmentData(notesFile, process.env[notesFile]);
else if (name !== undefined) noteRequests(getEnvironmentData(notesFile) as string, () => name);
