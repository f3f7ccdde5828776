/** A database URL without its password, for messages. */
export function withoutPassword(url: string): string {
  try {
    const parsed = new URL(url);
    if (parsed.password !== "") parsed.password = "…";
    return decodeURI(parsed.toString());
  } catch {
    return "the given URL";
  }
}
