export const MAIL_SETTINGS = "/settings/mail";
export const CONFIRM_PATH = "/mail/confirm";
export const UNSUBSCRIBE_PATH = "/mail/unsubscribe";
export const NEW_PASSWORD = "/users/password/new";

/** @param token of characters that need no escape in a query */
export function withToken(path: string, token: string): string {
  return `${path}?token=${token}`;
}
