import { randomBytes } from "node:crypto";

/** Makes a Guid of ours: 32 lower-case hexadecimal characters. */
export function newGuid(): string {
  return randomBytes(16).toString("hex");
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
