/** Returns a regular expression for all whole decimal numbers above a limit, because AWS WAF can compare headers only as text. */
export function numeralsAbove(limit: number): string {
  const digits = String(limit);
  const asLong = [...digits].flatMap((digit, i) =>
    digit === '9'
      ? []
      : [`${digits.slice(0, i)}[${Number(digit) + 1}-9]${'\\d'.repeat(digits.length - i - 1)}`],
  );
  return `^0*(${[...asLong, `[1-9]\\d{${digits.length},}`].join('|')})$`;
}
