import { readCookie } from "./session-cookie.ts";

/** A notice on the sign-in page after a redirect. */
export type Notice = "created" | "pending";

const NAME = "kith_notice";

/**
 * A cookie rather than a query: clients compare the redirect target of a
 * sign-up.
 */
export function setNotice(notice: Notice): string {
  return `${NAME}=${notice}; Path=/users/sign_in; Max-Age=120; HttpOnly; SameSite=Lax`;
}

export function clearNotice(): string {
  return `${NAME}=; Path=/users/sign_in; Max-Age=0; HttpOnly; SameSite=Lax`;
}

export function readNotice(header: string | undefined): Notice | undefined {
  return readCookie(header, NAME, /^(?:created|pending)$/) as
    Notice | undefined;
}
