import type { MastodonWorld, Owner } from "./mastodon-world.ts";

/** The kind of record that has this key, wherever it is. */
const SIGNS: Readonly<Record<string, string>> = {
  reblogs_count: "Status",
  followers_count: "Account",
  preview_url: "MediaAttachment",
  voters_count: "Poll",
  replies_policy: "List",
  filter_action: "Filter",
  whole_word: "FilterKeyword",
  status_id: "FilterStatus",
  scheduled_at: "ScheduledStatus",
  last_status: "Conversation",
  group_key: "Notification",
};

/** Remembers the id of every record in an answer. */
export function learnIds(
  world: MastodonWorld,
  value: unknown,
  by: Owner | undefined,
): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) {
    const record = value as Readonly<Record<string, unknown>>;
    const sign = Object.keys(SIGNS).find((key) => key in record);
    const { id, group_key: group } = record;
    learnQuote(world, record);
    if (sign !== undefined && typeof id === "string")
      world.learnId(SIGNS[sign] ?? "", id, by);
    if (typeof group === "string") world.learnId("Group", group, by);
  }
  for (const member of Object.values(value)) learnIds(world, member, by);
}

/** Only the author of a quoted status can take the quote back. */
function learnQuote(
  world: MastodonWorld,
  { id, quote }: { readonly id?: unknown; readonly quote?: unknown },
): void {
  const { quoted_status: quoted } = (quote ?? {}) as {
    quoted_status?: { id: string; account: { id: string } } | null;
  };
  const author = quoted && world.personOf(quoted.account.id);
  if (!quoted || !author) return;
  world.learnId("Quoted", quoted.id, author);
  world.learnId("Quoting", String(id), author);
}
