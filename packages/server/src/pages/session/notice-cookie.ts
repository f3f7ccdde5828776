import { readCookie } from "./session-cookie.ts";

/** A notice on the sign-in page after a sign-up. */
export type Notice = "created" | "pending";

/** The notice, and the name of the new account. */
export type SignUpNotice = {
  readonly notice: Notice;
  readonly username: string;
};

const NAME = "kith_notice";
const FORM = /^(?:created|pending)\.[a-z0-9_]{1,30}$/;

/**
 * A cookie rather than a query: clients compare the redirect target of a
 * sign-up.
 */
export function setNotice({ notice, username }: SignUpNotice): string {
  const value = `${notice}.${username.trim().toLowerCase()}`;
  return `${NAME}=${value}; Path=/users/sign_in; Max-Age=120; HttpOnly; SameSite=Lax`;
}

export function clearNotice(): string {
  return `${NAME}=; Path=/users/sign_in; Max-Age=0; HttpOnly; SameSite=Lax`;
}

export function readNotice(
  header: string | undefined,
): SignUpNotice | undefined {
  const value = readCookie(header, NAME, FORM);
  if (value === undefined) return undefined;
  const [notice, username = ""] = value.split(".");
  return { notice: notice === "pending" ? "pending" : "created", username };
}
