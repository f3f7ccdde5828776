/**
 * The attribute by which a page shows a picture of another server: an address of
 * this server that names it.
 */
export function proxiedSource(url: string): string {
  const named = Buffer.from(url).toString("base64url");
  return `src="http://localhost:\\d+/proxy/[\\w-]+/${named}"`;
}
