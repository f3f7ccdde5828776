/**
 * A cookie with a secret: of a session, or of a sign-in before its second step.
 */
export type SecretCookie = {
  /** The secret that the browser sent, if it is well-formed. */
  readonly read: (header: string | undefined) => string | undefined;
  /** A `Set-Cookie` value that stores the secret. */
  readonly set: (secret: string) => string;
  /** A `Set-Cookie` value that deletes it. */
  readonly clear: () => string;
};

const SESSION_SECONDS = 30 * 24 * 3600;
const PENDING_SECONDS = 10 * 60;
const SECRET = /^[\w-]{20,200}$/;

/** The session cookie. */
export function sessionCookie(baseUrl: string): SecretCookie {
  return secretCookie(baseUrl, "kith_session", SESSION_SECONDS);
}

/** The cookie of a sign-in between the password and the second factor. */
export function pendingCookie(baseUrl: string): SecretCookie {
  return secretCookie(baseUrl, "kith_sign_in", PENDING_SECONDS);
}

/**
 * On https the name has the prefix `__Host-`: browsers then accept the cookie
 * from this host only, never from a sibling subdomain. On http the name has the
 * port, because servers on one host share their cookies.
 */
function secretCookie(
  baseUrl: string,
  plainName: string,
  maxAgeSeconds: number,
): SecretCookie {
  const { protocol, port } = new URL(baseUrl);
  const isSecure = protocol === "https:";
  const name = isSecure
    ? `__Host-${plainName}`
    : `${plainName}${port === "" ? "" : `_${port}`}`;
  const serialise = (value: string, maxAge: number) =>
    `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax` +
    (isSecure ? "; Secure" : "");
  return {
    read: (header) => readCookie(header, name, SECRET),
    set: (secret) => serialise(secret, maxAgeSeconds),
    clear: () => serialise("", 0),
  };
}

/** The first well-formed cookie of that name. */
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
