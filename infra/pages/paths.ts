/** Where the page is. Its files are below, and its API is below `api/`. */
export const pagePath = '/console/';

/** The name of the stage of the REST API. The path is then the same in CloudFront, in API Gateway and in the local stack. */
export const stageName = 'console';

/** The message for a file that does not exist. */
export const noFileMessage = 'There is no such file';
