import { ofForm } from '../../schemas/texts.ts';

/** The text of a link's code and of a session's cookie: 32 random bytes in base64url. */
export const secretTextShape = /^[A-Za-z0-9_-]{43}$/;

export const secretText = () =>
  ofForm(secretTextShape, 'must be a string of 43 characters out of A-Z a-z 0-9 - _');
