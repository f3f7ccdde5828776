import type {
  AnnouncementReaction,
  ShownAnnouncement,
} from "../../features/announcements/index.ts";
import { toWireId, toWireTime, type Entity } from "../kit/wire.ts";
import { renderContent } from "./content.ts";
import type { SiteAddresses } from "./site.ts";

/** @param reactions as the reader sees them */
export function presentAnnouncement(
  site: SiteAddresses,
  { id, text, startsAt, endsAt, createdAt, isDismissed }: ShownAnnouncement,
  reactions: readonly AnnouncementReaction[],
): Entity {
  const at = toWireTime(createdAt);
  return {
    id: toWireId(id),
    content: renderContent(site, text, new Map()),
    starts_at: startsAt && toWireTime(startsAt),
    ends_at: endsAt && toWireTime(endsAt),
    all_day: false,
    ...{ published_at: at, updated_at: at, read: isDismissed },
    ...{ mentions: [], statuses: [], tags: [], emojis: [] },
    reactions: reactions.map(({ emoji, count, isOwn }) => ({
      ...{ name: emoji, count, me: isOwn },
    })),
  };
}
