/** The cookie that holds a session's secret. */
export type SessionCookie = {
  /** The secret that the browser sent, if it has the form of one. */
  readonly read: (header: string | undefined) => string | undefined;
  /** Value of `Set-Cookie` that begins a session. */
  readonly set: (secret: string) => string;
  /** Value of `Set-Cookie` that makes the browser forget the session. */
  readonly clear: () => string;
};

const MAX_AGE_SECONDS = 30 * 24 * 3600;
const SECRET = /^[\w-]{20,200}$/;

/**
 * On https the name has the prefix `__Host-`: browsers then take the cookie from
 * this host alone, never from a neighbouring subdomain. On http the name has the
 * port, because servers on one host share their cookies.
 */
export function sessionCookie(baseUrl: string): SessionCookie {
  const { protocol, port } = new URL(baseUrl);
  const isSecure = protocol === "https:";
  const name = isSecure
    ? "__Host-kith_session"
    : `kith_session${port === "" ? "" : `_${port}`}`;
  const serialise = (value: string, maxAge: number) =>
    `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax` +
    (isSecure ? "; Secure" : "");
  return {
    read: (header) => readCookie(header, name, SECRET),
    set: (secret) => serialise(secret, MAX_AGE_SECONDS),
    clear: () => serialise("", 0),
  };
}

/** The first cookie of that name whose value has the form. */
export function readCookie(
  header: string | undefined,
  name: string,
  form: RegExp,
): string | undefined {
  for (const pair of (header ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue;
    const value = pair.slice(equals + 1).trim();
    if (form.test(value)) return value;
  }
  return undefined;
}
