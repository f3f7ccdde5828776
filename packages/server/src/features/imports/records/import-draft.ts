import {
  MAX_AHEAD_MS,
  MAX_DRAFTS,
  type Draft,
  type DraftContent,
} from "../../drafts/index.ts";
import type { EventId, PersonId, PostId } from "../../ids.ts";
import { findUsableMedia, uploadMedia } from "../import-media.ts";
import type { ItemOf } from "../import-item.ts";
import type { ItemDraft, NamedAudience } from "../item-shapes.ts";
import { listOwnAspects } from "../import-relation.ts";
import type { ImportDeps, ImportRun, RecordOutcome } from "../import-run.ts";
import { findListed } from "./import-hidden.ts";
import { findOwnEvent } from "./import-plans.ts";
import { hasRoomFor } from "./room.ts";

/**
 * A post that was not published. One whose time has passed meanwhile, or is further ahead than
 * people can choose, waits for its author.
 */
export async function importDraft(
  deps: ImportDeps,
  run: ImportRun,
  item: ItemOf<"draft">,
): Promise<RecordOutcome> {
  const { drafts, clock } = deps;
  const { userId } = run.user;
  const { draft, name } = item;
  const all = await drafts.list(userId, { offset: 0, limit: MAX_DRAFTS });
  if (all.some((it) => isSame(it, item))) return "known";
  const count = async () => all.length;
  if (!(await hasRoomFor(run, "draft", MAX_DRAFTS, count))) return "too_many";
  const media = await findUsableMedia(deps, run, item, name);
  if (run.isRehearsal) return "added";
  const photoIds = await uploadMedia(deps, run, media, name);
  const { event, quoted, publishAt, audience, ...words } = draft;
  const aheadMs = Date.parse(publishAt ?? "") - clock.now().getTime();
  const isComing = aheadMs > 0 && aheadMs < MAX_AHEAD_MS;
  await drafts.save(run.user, {
    content: {
      ...{ ...words, photoIds },
      audience: await resolve(deps, run, audience),
      eventId: await findEventId(deps, run, event),
      quoteId: await findQuoteId(deps, run, quoted),
    },
    publishAt: isComing ? publishAt : null,
  });
  return "added";
}

/** The words of a draft say which one it is: it has no name that is the same everywhere. */
function isSame(
  { content }: Draft,
  { draft, media }: ItemOf<"draft">,
): boolean {
  return (
    wordsOf(content) === wordsOf(draft) &&
    content.photoIds.length === media.length
  );
}

function wordsOf({
  text,
  nsfw,
  warning,
  location,
  poll,
}: Pick<ItemDraft, "location" | "nsfw" | "poll" | "text" | "warning">) {
  return JSON.stringify([
    ...[text, nsfw, warning],
    location && [location.address, location.lat, location.lng],
    poll && [
      poll.question,
      poll.answers,
      poll.multiple,
      poll.endsAt,
      poll.hidesTotals ?? false,
    ],
  ]);
}

/** Aspects and people that are not here are left out; without any it is for its author alone. */
async function resolve(
  { aspects, people }: ImportDeps,
  run: ImportRun,
  audience: NamedAudience,
): Promise<DraftContent["audience"]> {
  const { kind } = audience;
  if (kind === "aspects") {
    const known = await listOwnAspects(aspects, run);
    const aspectIds = audience.aspects.flatMap(
      (name) => known.get(name.trim()) ?? [],
    );
    return aspectIds.length > 0 ? { kind, aspectIds } : { kind: "self" };
  }
  if (kind === "people") {
    const found = await people.listByHandle(audience.people);
    const personIds: PersonId[] = [...found.values()].map(({ id }) => id);
    return personIds.length > 0 ? { kind, personIds } : { kind: "self" };
  }
  return { kind };
}

async function findEventId(
  deps: ImportDeps,
  run: ImportRun,
  guid: string | null,
): Promise<EventId | null> {
  if (guid === null) return null;
  const event =
    (await findOwnEvent(deps, run, guid)) ??
    (await deps.events.findVisible({ guid }, run.user));
  return event?.id ?? null;
}

async function findQuoteId(
  deps: ImportDeps,
  run: ImportRun,
  guid: string | null,
): Promise<PostId | null> {
  if (guid === null) return null;
  return (await findListed(deps, run, { guid }))?.id ?? null;
}
