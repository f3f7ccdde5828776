import type { AspectId, DraftId, NotificationId } from "../../features/ids.ts";

// Pages that others lead to, without knowing more of them.

export const HOME = "/home";

/** The user's contacts, and finding others. */
export const PEOPLE = "/people";

/** The user's own groups of people. */
export const ASPECTS = "/aspects";

export function aspectPath(id: AspectId): string {
  return `${ASPECTS}/${id}`;
}

/** Where a post is written. */
export const WRITE = "/write";

/** Where a saved post is written on. */
export function draftPath(id: DraftId | string): string {
  return `${WRITE}?draft=${id}`;
}

export const NOTIFICATIONS = "/notifications";
export const OPEN_NOTICES = `${NOTIFICATIONS}/open`;

/** Leads to what notifications are about, and marks them as read. */
export function openNoticesPath(
  ids: readonly NotificationId[],
  to: string,
): string {
  const query = new URLSearchParams({ id: ids.join(","), to });
  return `${OPEN_NOTICES}?${query.toString()}`;
}

/** Where the first admin of a server signs up. */
export const SETUP = "/setup";

/** The first steps of a newcomer. */
export const FIRST_STEPS = "/welcome";

/** Imports of archives and lists. */
export const IMPORTS = "/settings/imports";

/** The moderators' decisions about the user, and appeals against them. */
export const STRIKES = "/settings/strikes";
export const PRIVACY_SETTINGS = "/settings/privacy";

/** The terms of use, if the server has any. */
export const TERMS = "/about/terms";

/** Where somebody who lost the password asks for a new one. */
export const LOST_PASSWORD = "/users/password";
