/** How long an Idempotency-Key may be. */
export const idempotencyKeyMax = 255;

/** How long an If-Match or If-None-Match may be, in all headers of the name together. */
export const entityTagsMax = 1024;
