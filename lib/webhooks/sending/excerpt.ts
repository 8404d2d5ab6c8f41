/** How much of an answer is kept, in bytes. */
export const excerptBytes = 1024;

/**
 * The beginning of an answer as text of at most `excerptBytes` bytes of UTF-8; null when there is nothing. What is no text
 * becomes a question mark, which is as short as the shortest of what it stands for.
 */
export function excerptOf(bytes: Uint8Array): string | null {
  // As a stream, the character that the cut goes through is left out, and not taken for a broken one.
  const text = new TextDecoder().decode(bytes.subarray(0, excerptBytes), {
    stream: bytes.length > excerptBytes,
  });
  return text.replaceAll('\r\n', '\n').replace(/(?![\n\t])[\p{Cc}\uFFFD]/gu, '?') || null;
}
