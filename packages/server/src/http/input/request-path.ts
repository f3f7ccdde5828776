/**
 * The path of a request as the router reads it: without the query, its escapes
 * decoded, its repeated slashes taken for one.
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

/** Is it below the service API, of whatever version, served or not? */
export function isApiPath(url: string): boolean {
  return /^\/api(?:\/|$)/.test(pathOf(url));
}
