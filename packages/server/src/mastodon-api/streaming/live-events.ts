import type { SignedIn } from "../../features/accounts/index.ts";
import type { Announcements } from "../../features/announcements/index.ts";
import type { LiveEvent } from "../../features/changes/index.ts";
import type { AnnouncementId, AspectId } from "../../features/ids.ts";
import type { Post } from "../../features/posts/index.ts";
import { presentAnnouncement } from "../entities/announcement.ts";
import { presentNotice } from "../entities/notification.ts";
import { toWireId } from "../kit/wire.ts";
import type { MastodonDeps } from "../loading/deps.ts";
import { findWriting } from "../loading/find-writing.ts";
import { loadConversationEntities } from "../loading/load-conversations.ts";
import { loadClientNotices } from "../loading/load-notices.ts";
import { loadStatuses } from "../loading/load-statuses.ts";
import type { StreamName } from "./stream-name.ts";

export type LiveEventDeps = MastodonDeps & {
  readonly announcements: Pick<Announcements, "listCurrent" | "listReactions">;
};

/** An event as programs get it, and the streams that it is in. */
export type StreamEvent = {
  readonly event:
    | "update"
    | "status.update"
    | "delete"
    | "notification"
    | "conversation"
    | "filters_changed"
    | "announcement"
    | "announcement.delete"
    | "announcement.reaction";
  /** A text: JSON, or an id. */
  readonly payload?: string;
  readonly isIn: (stream: StreamName) => Promise<boolean>;
};

/**
 * Renders a change for one user, as it is at this moment.
 * @returns nothing for a change of which clients know nothing, or that is gone by now
 */
export async function renderChange(
  deps: LiveEventDeps,
  user: SignedIn,
  change: LiveEvent,
): Promise<StreamEvent | undefined> {
  switch (change.type) {
    case "post":
      return renderStatus(deps, user, change.postId, "update");
    case "post apart": {
      const found = await renderStatus(deps, user, change.postId, "update");
      return (
        found && {
          ...found,
          isIn: async (stream) => stream.kind === "list" && found.isIn(stream),
        }
      );
    }
    case "edit": {
      const id = change.commentId ?? change.postId;
      return renderStatus(deps, user, id, "status.update");
    }
    case "deletion":
      return {
        event: "delete",
        payload: String(change.postId),
        isIn: async ({ kind }) => kind === "user" || kind === "list",
      };
    case "message": {
      const talk = await deps.conversations.find(user, { id: change.postId });
      const [entity] = talk
        ? await loadConversationEntities(deps, [talk], user)
        : [];
      return (
        entity && {
          event: "conversation",
          payload: JSON.stringify(entity),
          isIn: async ({ kind }) => kind === "user" || kind === "direct",
        }
      );
    }
    case "notification": {
      const { notifications } = deps;
      const found = await notifications.find(user, change.notificationId);
      const [notice] = found
        ? await loadClientNotices(deps, [found], user)
        : [];
      return (
        notice && {
          event: "notification",
          payload: JSON.stringify(presentNotice(notice)),
          isIn: async ({ kind }) => kind.startsWith("user"),
        }
      );
    }
    case "filters":
      return { event: "filters_changed", isIn: isOfUser };
    case "announcement reaction":
      return renderReaction(deps, user, change);
    case "announcement":
      return renderAnnouncement(deps, user, change.announcementId);
    case "announcement removal":
      return {
        event: "announcement.delete",
        payload: toWireId(change.announcementId),
        isIn: isOfUser,
      };
    case "count":
    case "reset":
      return undefined;
  }
}

/** As many as programs list. */
const ANNOUNCEMENTS = { offset: 0, limit: 40 } as const;

const isOfUser = async ({ kind }: StreamName) => kind === "user";

/** None where it is over, or withdrawn by now. */
async function renderAnnouncement(
  { announcements, site }: LiveEventDeps,
  { userId }: SignedIn,
  id: AnnouncementId,
): Promise<StreamEvent | undefined> {
  const current = await announcements.listCurrent(userId, ANNOUNCEMENTS);
  const found = current.find((it) => it.id === id);
  if (!found) return undefined;
  const reactions = await announcements.listReactions(userId, [id]);
  const entity = presentAnnouncement(site, found, reactions.get(id) ?? []);
  return {
    event: "announcement",
    payload: JSON.stringify(entity),
    isIn: isOfUser,
  };
}

/** Of how many users reacted so by now; none for an announcement that is over. */
async function renderReaction(
  { announcements }: LiveEventDeps,
  { userId }: SignedIn,
  { announcementId, emoji }: Extract<LiveEvent, { emoji: unknown }>,
): Promise<StreamEvent | undefined> {
  const current = await announcements.listCurrent(userId, ANNOUNCEMENTS);
  if (!current.some(({ id }) => id === announcementId)) return undefined;
  const found = await announcements.listReactions(userId, [announcementId]);
  const all = found.get(announcementId) ?? [];
  const count = all.find((it) => it.emoji === emoji)?.count ?? 0;
  const announcement_id = toWireId(announcementId);
  return {
    event: "announcement.reaction",
    payload: JSON.stringify({ name: emoji, count, announcement_id }),
    isIn: isOfUser,
  };
}

async function renderStatus(
  deps: MastodonDeps,
  user: SignedIn,
  id: number,
  event: "update" | "status.update",
): Promise<StreamEvent | undefined> {
  const writing = await findWriting(deps, id, user);
  const [status] = writing
    ? await loadStatuses(deps, [writing], user, "home")
    : [];
  if (!writing || !status) return undefined;
  return {
    event,
    payload: JSON.stringify(status),
    isIn: async ({ kind, aspectId }) =>
      kind === "user" ||
      (kind === "list" &&
        aspectId !== undefined &&
        (await isInList(deps, user, aspectId, writing.post))),
  };
}

/** The members write what is in a list; the user's own posts are seen in its home. */
async function isInList(
  { aspects, db }: MastodonDeps,
  { userId }: SignedIn,
  aspectId: AspectId,
  { personId }: Post,
): Promise<boolean> {
  const aspect = await aspects.find(db.read, userId, aspectId);
  const members = aspect?.memberships ?? [];
  return members.some((member) => member.personId === personId);
}
