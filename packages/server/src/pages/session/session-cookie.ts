/** A cookie that holds a secret: of a session, or of a sign-in that waits for its second step. */
export type SecretCookie = {
  /** The secret that the browser sent, if it has the form of one. */
  readonly read: (header: string | undefined) => string | undefined;
  /** Value of `Set-Cookie` that gives the secret to the browser. */
  readonly set: (secret: string) => string;
  /** Value of `Set-Cookie` that makes the browser forget it. */
  readonly clear: () => string;
};

const SESSION_SECONDS = 30 * 24 * 3600;
const PENDING_SECONDS = 10 * 60;
const SECRET = /^[\w-]{20,200}$/;

/** The cookie of a session. */
export function sessionCookie(baseUrl: string): SecretCookie {
  return secretCookie(baseUrl, "kith_session", SESSION_SECONDS);
}

/** The cookie of somebody who has given the password and not yet the second factor. */
export function pendingCookie(baseUrl: string): SecretCookie {
  return secretCookie(baseUrl, "kith_sign_in", PENDING_SECONDS);
}

/**
 * On https the name has the prefix `__Host-`: browsers then take the cookie from
 * this host alone, never from a neighbouring subdomain. On http the name has the
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
