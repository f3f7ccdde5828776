import type { NoticeKind } from "../languages/en/notifications.ts";
import { notificationTexts as texts } from "../languages/texts.ts";

/** Notifications that are stored as ones by their reader. Moderators stay unnamed. */
const NAMELESS: readonly NoticeKind[] = [
  "draft_failed",
  "moderation",
  "own_event_reminder",
  "own_poll_ended",
];

export const isNameless = (kind: NoticeKind): boolean =>
  NAMELESS.includes(kind);

/** Such as `Ann and Ben like your post`. @param who the names of so many people */
export function sentenceOf(
  kind: NoticeKind,
  who: string,
  people: number,
): string {
  const said = texts.said[kind](people);
  return isNameless(kind) ? said : `${who} ${said}`;
}
