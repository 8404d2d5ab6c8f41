import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
import { noteRequests, notesFile } from './note.ts';

// Loaded before a local stack that tests start, in each of its threads: those of Lambdas note what they ask of AWS. Of the
// environment of the stack they get nothing, so the name of the file goes another way.

const { AWS_LAMBDA_FUNCTION_NAME: name } = process.env;
if (isMainThread) setEnvironmentData(notesFile, process.env[notesFile]);
else if (name !== undefined) noteRequests(getEnvironmentData(notesFile) as string, () => name);
