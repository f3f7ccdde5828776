/**
 * Makes remote text storable: no lone surrogates, no NUL (PostgreSQL refuses
 * it), line ends as LF.
 */
export function storableText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD").toWellFormed();
}
