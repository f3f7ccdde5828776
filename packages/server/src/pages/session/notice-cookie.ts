import { readCookie } from "./session-cookie.ts";

/** What the sign-in page says to somebody who has just been elsewhere. */
export type Notice = "created" | "pending";

const NAME = "kith_notice";

/** A cookie rather than a query: programs compare where a sign-up sends them. */
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
