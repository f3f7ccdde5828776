import type { AccountRecord } from "../../features/accounts/index.ts";
import type { UserId } from "../../features/ids.ts";
import type { Page } from "../../features/page.ts";
import {
  DEFAULT_AVATAR_PATH,
  DEFAULT_HEADER_PATH,
} from "../../lib/images/default-avatar.ts";
import { presentRole } from "../entities/account.ts";
import type { SiteAddresses } from "../entities/site.ts";
import { toWireId, toWireTime, type Entity } from "../kit/wire.ts";

/**
 * Accounts that wait for approval are no people yet, so they have no ids of people: theirs
 * begin here. No person has such an id, and it is below 2^53.
 */
const FIRST = 2 ** 52;

export const pendingIdOf = (userId: UserId): number => FIRST + userId;

/** @returns undefined for the id of a person */
export const readPendingId = (id: number): UserId | undefined =>
  id > FIRST ? ((id - FIRST) as UserId) : undefined;

/** The page of waiting accounts that a page by their ids here asks for. */
export function pageOfPending<T extends Page>(page: T): T {
  const keyOf = (id: number | undefined) =>
    id === undefined ? undefined : Math.max(id - FIRST, 0);
  return { ...page, before: keyOf(page.before), after: keyOf(page.after) };
}

/** An account that waits for approval, as moderators see it. */
export function presentPending(
  { baseUrl }: Pick<SiteAddresses, "baseUrl">,
  { id: userId, username, createdAt, locale, reason, role }: AccountRecord,
): Entity {
  const id = toWireId(pendingIdOf(userId));
  const created = toWireTime(createdAt);
  const url = `${baseUrl}/u/${username}`;
  const [avatar, header] = [
    baseUrl + DEFAULT_AVATAR_PATH,
    baseUrl + DEFAULT_HEADER_PATH,
  ];
  return {
    ...{ id, username, domain: null, created_at: created },
    ...{ email: "", ip: null, ips: [], locale, invite_request: reason },
    role: presentRole(role),
    ...{ confirmed: true, approved: false, disabled: false, sensitized: false },
    ...{ silenced: false, suspended: false },
    account: {
      ...{ id, username, acct: username, display_name: "" },
      ...{ locked: false, bot: false, group: false, discoverable: false },
      ...{ indexable: false, created_at: created, note: "", url, uri: url },
      ...{ avatar, avatar_static: avatar, avatar_description: "" },
      ...{ header, header_static: header, header_description: "" },
      ...{ followers_count: 0, following_count: 0, statuses_count: 0 },
      ...{ last_status_at: null, hide_collections: true, emojis: [] },
      ...{ fields: [], noindex: true, roles: [] },
      ...{ show_media: true, show_media_replies: true, show_featured: true },
    },
  };
}
