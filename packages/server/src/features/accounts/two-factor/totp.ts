import { createHmac, timingSafeEqual } from "node:crypto";

/** The defaults of RFC 6238, which every authenticator app assumes. */
export const TOTP_SECRET_BYTES = 20;
const STEP_S = 30;
const DIGITS = 6;
/** Tolerates clock differences and slow typing. */
const STEPS_ASIDE = 1;

/** Returns the time step of a code. */
export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / 1000 / STEP_S);
}

/** @see RFC 4226, section 5.3; RFC 6238, section 4 */
export function codeAt(
  secret: Uint8Array,
  step: number,
  digits = DIGITS,
): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/**
 * Finds the step that a code belongs to.
 * @param after the last step whose code was accepted: that one and earlier ones are
 *   refused
 * @returns undefined if it is not the code of a step near enough
 */
export function findStep(
  secret: Uint8Array,
  code: string,
  now: Date,
  after: number,
): number | undefined {
  const given = Buffer.from(code);
  if (given.length !== DIGITS) return undefined;
  const current = stepAt(now);
  let found: number | undefined;
  for (let aside = -STEPS_ASIDE; aside <= STEPS_ASIDE; aside += 1) {
    const step = current + aside;
    const expected = Buffer.from(codeAt(secret, Math.max(step, 0)));
    if (timingSafeEqual(given, expected) && step > after) found = step;
  }
  return found;
}

/** The forms in which an app receives a secret: by QR code or by hand. */
export type TotpKey = {
  /** Base32. */
  readonly secret: string;
  /** `otpauth://totp/…` */
  readonly uri: string;
};

/** @see https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function describeKey(secret: Uint8Array, handle: string): TotpKey {
  const text = toBase32(secret);
  const label = `${encodeURIComponent("Kith")}:${encodeURIComponent(handle)}`;
  return {
    secret: text,
    uri: `otpauth://totp/${label}?secret=${text}&issuer=Kith`,
  };
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Without padding. @see RFC 4648, section 6 */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0"));
  const groups = bits.join("").match(/.{1,5}/g) ?? [];
  return groups
    .map((group) => BASE32[parseInt(group.padEnd(5, "0"), 2)])
    .join("");
}
