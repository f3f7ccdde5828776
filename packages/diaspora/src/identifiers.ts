const HANDLE =
  /^[\p{Ll}\d\-._]+@(?:[\p{Ll}\d-]+(?:\.[\p{Ll}\d-]*)*|(?:\d{1,3}\.){3}\d{1,3}|\[(?:[0-9a-fA-F]{0,4}:){0,7}[0-9a-fA-F]{1,4}\])(?::\d+)?$/u;
const GUID = /^[0-9A-Za-z\-_@.:]{15,254}[0-9A-Za-z]$/;

/**
 * Whether `text` is a canonical diaspora* ID: `user@host` or `user@host:port`, lower case, at most 255 characters.
 * Nothing is trimmed or lower-cased; see {@link normalizeHandle} for user input.
 * @see diaspora* federation protocol, diaspora* ID
 */
export function isHandle(text: string): boolean {
  return text.length <= 255 && HANDLE.test(text);
}

/**
 * Normalizes a handle from user input or from a document: trims, removes a leading `acct:` or `@`, lower-cases.
 * The result may still be invalid; check it with {@link isHandle}.
 */
export function normalizeHandle(text: string): string {
  return text
    .trim()
    .replace(/^(?:acct:|@)/i, "")
    .toLowerCase();
}

/**
 * Whether `text` is a guid: 16 to 255 of `0-9 A-Z a-z - _ @ . :`, ending in a letter or digit.
 * @see diaspora* federation protocol, GUID
 */
export function isGuid(text: string): boolean {
  return GUID.test(text);
}
