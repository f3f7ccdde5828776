/**
 * The text is untrusted: it must not move the cursor, or look like another line
 * or field.
 */
export function inOneLine(field: string | number): string {
  return String(field).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
