const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const VALUES = new Map([...ALPHABET].map((digit, value) => [digit, value]));

/** Longer texts are refused: the cost is quadratic in the length, and no key or signature is longer. */
const MAX_DIGITS = 256;

/** Encodes bytes in base58btc, the alphabet of Bitcoin, without a multibase prefix. */
export function encodeBase58(bytes: Uint8Array): string {
  const digits: number[] = [];
  for (const byte of bytes) {
    let carry = byte;
    for (let at = 0; at < digits.length; at += 1) {
      carry += (digits[at] ?? 0) * 256;
      digits[at] = carry % 58;
      carry = Math.floor(carry / 58);
    }
    for (; carry > 0; carry = Math.floor(carry / 58)) digits.push(carry % 58);
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  const leading = "1".repeat(zeros < 0 ? bytes.length : zeros);
  return (
    leading +
    digits
      .reverse()
      .map((digit) => ALPHABET[digit])
      .join("")
  );
}

/** Decodes base58btc; undefined for other characters and for more than 256 of them. */
export function decodeBase58(text: string): Uint8Array | undefined {
  if (text.length > MAX_DIGITS) return undefined;
  const bytes: number[] = [];
  for (const digit of text) {
    let carry = VALUES.get(digit);
    if (carry === undefined) return undefined;
    for (let at = 0; at < bytes.length; at += 1) {
      carry += (bytes[at] ?? 0) * 58;
      bytes[at] = carry % 256;
      carry = Math.floor(carry / 256);
    }
    for (; carry > 0; carry = Math.floor(carry / 256)) bytes.push(carry % 256);
  }
  const leading = /^1*/.exec(text)?.[0].length ?? 0;
  return Uint8Array.from([
    ...Array<number>(leading).fill(0),
    ...bytes.reverse(),
  ]);
}
