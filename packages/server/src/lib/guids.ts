import { randomUUID, randomUUIDv7 } from "node:crypto";

/**
 * Makes a Guid of ours: 32 lower-case hexadecimal characters, a UUID of version 7
 * (RFC 9562 §5.7). It begins with the time, so that new ones stand side by side in
 * an index; 74 bits of it are random.
 */
export function newGuid(): string {
  return randomUUIDv7().replaceAll("-", "");
}

/** The same without the time: of people it is nobody's business when they came. */
export function newPersonGuid(): string {
  return randomUUID().replaceAll("-", "");
}

const GUID = /^[0-9A-Za-z\-_@.:]{15,254}[0-9A-Za-z]$/;

/**
 * Is this a Guid as servers exchange them: 16 to 255 characters, the last one a
 * letter or digit?
 * @see diaspora* federation protocol, GUID
 */
export function isGuid(text: string): boolean {
  return GUID.test(text);
}
