/**
 * The path of a request as the router reads it: without the query, decoded,
 * with repeated slashes merged.
 */
export function pathOf(url: string): string {
  const [path = ""] = url.split(/[?#;]/, 1);
  return decoded(path).replaceAll(/\/{2,}/g, "/");
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Is the path below the service API, of any version, known or not? */
export function isApiPath(url: string): boolean {
  return /^\/api(?:\/|$)/.test(pathOf(url));
}
