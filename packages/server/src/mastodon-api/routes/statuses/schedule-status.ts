import type { SignedIn } from "../../../features/accounts/index.ts";
import type {
  Draft,
  DraftContent,
  NewDraftContent,
  SaveDraft,
} from "../../../features/drafts/index.ts";
import type { DraftId } from "../../../features/ids.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import { KithError } from "../../../lib/errors.ts";
import { userRoute, type MastodonRoute } from "../../kit/mastodon-route.ts";
import { OF_STATUSES, readAskedPage } from "../../kit/paging.ts";
import { invalid, notFound, Refusal } from "../../kit/refusals.ts";
import { toWireId, toWireTime, type Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { loadMedia } from "../../loading/load-media.ts";
import {
  audienceOfStatus,
  type NewPollChoice,
  type NewStatus,
} from "./new-status.ts";

/** Statuses that are published at a time: drafts that have one. */
export function scheduledRoutes(deps: MastodonDeps): MastodonRoute[] {
  const { drafts } = deps;
  const get = async (user: SignedIn, id: number) => {
    const draft = await drafts.get(user.userId, id as DraftId);
    if (draft.publishAt === null) throw notFound();
    return draft;
  };
  return [
    userRoute({
      method: "GET",
      path: "/v1/scheduled_statuses",
      scope: "read:statuses",
      limit: "read",
      handle: async ({ input, link, viewer }) => {
        const page = readAskedPage(input, OF_STATUSES);
        const found = await drafts.list(viewer.userId, page, true);
        link(
          page,
          found.map(({ id }) => id),
        );
        const all = [];
        for (const draft of found)
          all.push(await presentScheduled(deps, draft, viewer));
        return all;
      },
    }),
    userRoute({
      method: "GET",
      path: "/v1/scheduled_statuses/:id",
      scope: "read:statuses",
      limit: "read",
      handle: async ({ id, viewer }) =>
        presentScheduled(deps, await get(viewer, id()), viewer),
    }),
    userRoute({
      method: "PUT",
      path: "/v1/scheduled_statuses/:id",
      scope: "write:statuses",
      limit: "write",
      handle: async ({ id, input, viewer }) => {
        const draft = await get(viewer, id());
        const at = input.filled("scheduled_at");
        const publishAt =
          at === undefined ? draft.publishAt : readScheduledAt(deps, at);
        const { content } = draft;
        const saved = await drafts.save(
          viewer,
          { content, publishAt },
          draft.id,
        );
        return presentScheduled(deps, saved, viewer);
      },
    }),
    userRoute({
      method: "DELETE",
      path: "/v1/scheduled_statuses/:id",
      scope: "write:statuses",
      limit: "write",
      handle: async ({ id, viewer }) => {
        const draft = await get(viewer, id());
        await drafts.remove(viewer.userId, draft.id);
        return {};
      },
    }),
  ];
}

/** @throws {Refusal} in the words that clients know */
function readScheduledAt(
  { drafts }: Pick<MastodonDeps, "drafts">,
  text: string,
): Timestamp {
  try {
    const at = drafts.readPublishTime(text);
    if (at !== null) return at;
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
  }
  throw new Refusal(422, "Record invalid");
}

/**
 * @param note notes its id in the transaction that makes it
 * @throws {Refusal} for what cannot be published later
 */
export async function scheduleStatus(
  deps: MastodonDeps,
  user: SignedIn,
  status: NewStatus,
  at: string,
  note: NonNullable<SaveDraft["note"]>,
): Promise<DraftId> {
  const publishAt = readScheduledAt(deps, at);
  if (status.replyTo !== undefined)
    throw invalid("A reply cannot be scheduled");
  if (status.visibility === "direct")
    throw invalid("A private message cannot be scheduled");
  const content: NewDraftContent = {
    text: status.text,
    audience: await audienceOfStatus(deps, user, status),
    ...{ photoIds: status.photoIds, isTextOptional: true },
    eventId: null,
    quoteId: status.quoteId,
    nsfw: status.isSensitive,
    warning: status.warning,
    language: status.language,
    quotableBy: status.quotableBy,
    location: null,
    poll: status.poll && draftPollOf(status.poll),
  };
  const { id } = await deps.drafts.save(user, {
    content,
    publishAt,
    note,
  });
  return id;
}

/** The end of a poll with a duration is found when its time is known. */
const draftPollOf = ({
  durationS,
  ...poll
}: NewPollChoice): DraftContent["poll"] => ({
  ...{ ...poll, endsAt: null },
  ...(durationS !== undefined && { durationS }),
});

/** A draft that has a time. */
export async function presentScheduled(
  deps: MastodonDeps,
  { id, content, publishAt }: Draft,
  viewer: SignedIn,
): Promise<Entity> {
  const { poll, photoIds, quoteId } = content;
  return {
    id: toWireId(id),
    scheduled_at: publishAt && toWireTime(publishAt),
    params: {
      text: content.text,
      poll: poll && {
        options: poll.answers,
        multiple: poll.multiple,
        expires_in: poll.durationS ?? null,
        hide_totals: poll.hidesTotals ?? false,
      },
      media_ids: photoIds.map(toWireId),
      sensitive: content.nsfw,
      spoiler_text: content.warning ?? "",
      visibility: visibilityIn(content),
      in_reply_to_id: null,
      language: content.language,
      scheduled_at: null,
      application_id: null,
      idempotency: null,
      with_rate_limit: false,
      quoted_status_id: quoteId && toWireId(quoteId),
    },
    media_attachments: await loadMedia(deps, photoIds, viewer),
  };
}

function visibilityIn({ audience: { kind } }: DraftContent): string {
  if (kind === "everyone") return "public";
  return kind === "unlisted" ? kind : kind === "self" ? "direct" : "private";
}
