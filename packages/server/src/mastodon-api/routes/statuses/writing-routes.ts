import type { SignedIn } from "../../../features/accounts/index.ts";
import type { DraftId, PhotoId } from "../../../features/ids.ts";
import type { UserCall } from "../../kit/mastodon-route.ts";
import {
  checkDescription,
  type Focus,
} from "../../../features/photos/index.ts";
import { warnOfPictures } from "../../../features/comments/index.ts";
import { amendAll, checkWarning } from "../../../features/posts/index.ts";
import { idOfWriting, type Writing } from "../../entities/status.ts";
import { userRoute, type MastodonRoute } from "../../kit/mastodon-route.ts";
import { notFound, Refusal } from "../../kit/refusals.ts";
import type { Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { getWriting } from "../../loading/find-writing.ts";
import { listPhotosOfWriting, loadMedia } from "../../loading/load-media.ts";
import { loadStatus } from "../../loading/load-statuses.ts";
import { readFocus } from "../media/read-focus.ts";
import { completeMentions } from "./complete-mentions.ts";
import { checkMentionsOfEdit } from "./mentions-in-reach.ts";
import {
  endOfPoll,
  readLanguage,
  readNewStatus,
  readPoll,
  readQuotable,
  type NewPollChoice,
} from "./new-status.ts";
import { publishStatus } from "./publish-status.ts";
import { presentScheduled, scheduleStatus } from "./schedule-status.ts";

/** Writes, edits and deletes statuses. */
export function statusWritingRoutes(deps: MastodonDeps): MastodonRoute[] {
  return [
    userRoute({
      method: "POST",
      path: "/v1/statuses",
      scope: "write:statuses",
      limit: "write",
      handle: (call) => submit(deps, call),
    }),
    userRoute({
      method: "PUT",
      path: "/v1/statuses/:id",
      scope: "write:statuses",
      limit: "write",
      handle: async (call) => {
        const writing = await getOwn(deps, call.id(), call.viewer);
        await edit(deps, call, writing);
        return loadStatus(
          deps,
          await getWriting(deps, call.id(), call.viewer),
          call.viewer,
        );
      },
    }),
    userRoute({
      method: "DELETE",
      path: "/v1/statuses/:id",
      scope: "write:statuses",
      limit: "costly",
      handle: (call) => removeStatus(deps, call),
    }),
  ];
}

/** The text and the pictures are for the status that the program writes in its place. */
async function removeStatus(
  deps: MastodonDeps,
  { id, input, viewer }: UserCall,
): Promise<Entity> {
  const { comments, photos, posts } = deps;
  const writing = await getOwn(deps, id(), viewer);
  const { content: _, ...rest } = await loadStatus(deps, writing, viewer);
  const { post, comment } = writing;
  const text = (comment ?? post).text;
  const keepsPhotos = input.flag("delete_media") !== true;
  const shown = await listPhotosOfWriting(photos, writing);
  await (comment
    ? comments.remove(viewer, comment.guid, keepsPhotos)
    : posts.deleteOrHide(viewer, post.guid, keepsPhotos));
  const ids = keepsPhotos ? shown.map((photo) => photo.id) : [];
  const media = await loadMedia(deps, ids, viewer);
  return { ...rest, media_attachments: media, text };
}

const SCHEDULED = "scheduled:";

/** The same key within an hour gives the first result. */
async function submit(
  deps: MastodonDeps,
  { headers, input, viewer, app }: UserCall,
): Promise<Entity> {
  const given = headers["idempotency-key"];
  const key = typeof given === "string" ? `status ${given}` : undefined;
  const at = input.filled("scheduled_at");
  const { once } = deps.submissions;
  const result = await once(viewer.userId, key, async (noteResult) => {
    const status = await readNewStatus(deps, input);
    if (at !== undefined) {
      const resultOf = (id: DraftId) => SCHEDULED + String(id);
      return resultOf(
        await scheduleStatus(deps, viewer, status, at, (tx, id) =>
          noteResult(tx, resultOf(id)),
        ),
      );
    }
    const published = await publishStatus(deps, viewer, status, {
      app,
      note: (tx, id) => noteResult(tx, String(id)),
    });
    return String(idOfWriting(published));
  });
  if (result.startsWith(SCHEDULED)) {
    const id = Number(result.slice(SCHEDULED.length)) as DraftId;
    const draft = await deps.drafts.get(viewer.userId, id);
    return presentScheduled(deps, draft, viewer);
  }
  const writing = await getWriting(deps, Number(result), viewer);
  return loadStatus(deps, writing, viewer);
}

/** @throws {KithError} `not_found`, also for a status of another person */
async function getOwn(
  deps: MastodonDeps,
  id: number,
  { personId }: SignedIn,
): Promise<Writing> {
  const writing = await getWriting(deps, id, { personId, userId: null });
  if ((writing.comment ?? writing.post).personId !== personId) throw notFound();
  return writing;
}

async function edit(
  deps: MastodonDeps,
  { input, viewer }: UserCall,
  { post, comment }: Writing,
): Promise<void> {
  const given = input.text("status");
  const text =
    given === undefined ? undefined : await completeMentions(deps, given);
  const changes = {
    text,
    warning: input.has("spoiler_text")
      ? checkWarning(input.text("spoiler_text"))
      : undefined,
    language: input.filled("language")
      ? readLanguage(input.filled("language"))
      : undefined,
  };
  const pictures = {
    isTextOptional: true,
    ...(input.has("media_ids") && {
      photoIds: input.ids("media_ids") as PhotoId[],
    }),
  };
  const poll = readPoll(input.record("poll"), text ?? post.text);
  if (comment) {
    if (poll) throw new Refusal(422, "Validation failed: A reply has no poll");
    const described = await readDescriptions(deps, { input, viewer });
    await deps.comments.edit(
      viewer,
      { id: comment.id },
      {
        ...{ ...changes, ...pictures, ...readCommentWarning(input) },
        amend: deps.photos.amendComment(described),
      },
    );
    return;
  }
  const described = await readDescriptions(deps, { input, viewer });
  if (text !== undefined) await checkMentionsOfEdit(deps, post, text);
  await deps.posts.edit(
    viewer,
    { id: post.id },
    {
      ...changes,
      quotableBy: readQuotable(input.filled("quote_approval_policy")),
      ...pictures,
      nsfw: input.flag("sensitive"),
      amend: amendAll(
        poll ? deps.polls.amend(readAmended(deps, input, poll)) : undefined,
        deps.photos.amend(described),
      ),
    },
  );
}

function readCommentWarning(input: UserCall["input"]) {
  if (!input.has("spoiler_text")) return {};
  const warning = checkWarning(input.text("spoiler_text"));
  const photoIds = input.ids("media_ids");
  return {
    warning: warnOfPictures(warning, input.flag("sensitive"), photoIds),
  };
}

/** Parts of the poll that the program leaves out stay. */
function readAmended(
  deps: MastodonDeps,
  input: UserCall["input"],
  poll: NewPollChoice,
) {
  const { question, answers, multiple } = poll;
  const hidesTotals = input.record("poll")?.flag("hide_totals");
  return {
    ...{ question, answers, multiple, hidesTotals },
    endsAt: endOfPoll(deps, poll),
  };
}

type Description = { readonly text?: string; readonly focus?: Focus };

/**
 * Descriptions and focal points may be changed with the status. All are checked before
 * anything is changed.
 * @throws {KithError} `not_found`, also for a picture of another person, or `bad_request`
 */
async function readDescriptions(
  { photos }: Pick<MastodonDeps, "photos">,
  { input, viewer }: Pick<UserCall, "input" | "viewer">,
): Promise<Map<PhotoId, Description>> {
  const all = new Map<PhotoId, Description>();
  for (const media of input.records("media_attributes")) {
    const id = (media.id("id") ?? 0) as PhotoId;
    const [text, focus] = [media.text("description"), media.filled("focus")];
    const found = await photos.findVisible({ id }, viewer);
    if (found?.personId !== viewer.personId) throw notFound();
    const description = {
      ...(text !== undefined && { text: checkDescription(text) }),
      ...(focus !== undefined && { focus: readFocus(focus) }),
    };
    all.set(id, { ...all.get(id), ...description });
  }
  return all;
}
