import type { NoticeKind } from "../languages/en/notifications.ts";
import { notificationTexts as texts } from "../languages/texts.ts";

/** Moderators stay unnamed: such a notification is stored as one by its reader. */
export const isNameless = (kind: NoticeKind): boolean => kind === "moderation";

/** Such as `Ann and Ben like your post`. @param who the names of so many people */
export function sentenceOf(
  kind: NoticeKind,
  who: string,
  people: number,
): string {
  const said = texts.said[kind](people);
  return isNameless(kind) ? said : `${who} ${said}`;
}
