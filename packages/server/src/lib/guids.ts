import { randomUUID, randomUUIDv7 } from "node:crypto";

/**
 * Creates a guid: 32 lower-case hexadecimal characters, a UUID of version 7
 * (RFC 9562 §5.7). It begins with the time, so that new ones are adjacent in an
 * index; 74 bits of it are random.
 */
export function newGuid(): string {
  return randomUUIDv7().replaceAll("-", "");
}

/**
 * Creates a guid without the time, so that a person's does not disclose the
 * date of registration.
 */
export function newPersonGuid(): string {
  return randomUUID().replaceAll("-", "");
}

const GUID = /^[0-9A-Za-z\-_@.:]{15,254}[0-9A-Za-z]$/;

/**
 * Is this a guid as servers exchange them: 16 to 255 characters, the last one a
 * letter or digit?
 * @see diaspora* federation protocol, GUID
 */
export function isGuid(text: string): boolean {
  return GUID.test(text);
}
