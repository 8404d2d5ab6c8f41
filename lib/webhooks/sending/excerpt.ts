/** How much of an answer's body is kept, in bytes. */
export const excerptBytes = 1024;

/**
 * The beginning of a body as text, at most `excerptBytes` bytes of UTF-8; null when it is empty. Bytes that are no text become
 * question marks: one byte each, so that the text does not get longer than the bytes.
 */
export function excerptOf(bytes: Uint8Array): string | null {
  // With `stream`, a character that the cut splits is left out; otherwise it would become a replacement character.
  const text = new TextDecoder().decode(bytes.subarray(0, excerptBytes), {
    stream: bytes.length > excerptBytes,
  });
  return text.replaceAll('\r\n', '\n').replace(/(?![\n\t])[\p{Cc}\uFFFD]/gu, '?') || null;
}
