import { isIP } from "node:net";

/** A mail server to which Kith hands its mails. */
export type SmtpServer = {
  readonly host: string;
  readonly port: number;
  /** Is the connection TLS from its beginning? Otherwise STARTTLS begins it. */
  readonly isTls: boolean;
  /** Does it run on this machine? Then TLS is no condition. */
  readonly isLoopback: boolean;
  readonly credentials?: { readonly user: string; readonly password: string };
};

const PORTS = { "smtp:": 587, "smtps:": 465 } as const;

/**
 * Reads `smtp://` or `smtps://`, with name and password in percent-encoding.
 * @returns undefined for anything else
 */
export function readSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== "smtp:" && url?.protocol !== "smtps:") return undefined;
  if (url.hostname === "" || url.search !== "" || url.hash !== "")
    return undefined;
  if (url.pathname !== "" && url.pathname !== "/") return undefined;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const [user, password] = [decode(url.username), decode(url.password)];
  if (user === undefined || password === undefined) return undefined;
  if ((user === "") !== (password === "")) return undefined;
  return {
    host,
    port: url.port === "" ? PORTS[url.protocol] : Number(url.port),
    isTls: url.protocol === "smtps:",
    isLoopback: isLoopback(host),
    ...(user !== "" && { credentials: { user, password } }),
  };
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith("127.");
  return host === "::1" || host === "localhost";
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
