import { readPostLanguage } from "../../kit/language-input.ts";
import type { Static } from "typebox";
import type {
  DraftContent,
  Drafts,
  NewDraftContent,
} from "../../../features/drafts/index.ts";
import type {
  DraftId,
  EventId,
  PhotoId,
  PostId,
} from "../../../features/ids.ts";
import {
  checkLocation,
  checkWarning,
  type Author,
} from "../../../features/posts/index.ts";
import { text } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { storableText } from "../../../lib/well-formed.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { presentDraft } from "../../schemas/draft-records.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";
import { chooseAudience } from "./audience-routes.ts";
import { CREATE, presentOne, type PostsRoutesDeps } from "./posts-routes.ts";

export type DraftsRoutesDeps = PostsRoutesDeps & { readonly drafts: Drafts };

const SAVE = Type.Object({
  ...CREATE.properties,
  publish_at: text(
    "When it is published by itself: RFC 3339, in the future, within two years. Absent for a draft that waits for you",
  ),
});

const LIST = Type.Object({
  scheduled: Type.Optional(
    Type.Boolean({
      description: "true: only those with PublishAt; false: only the others",
    }),
  ),
});

const idOf = (part: string) => readIdOrNone(part) as DraftId;

/** Posts that a user prepares, of which nobody else learns. */
export function draftsRoutes(deps: DraftsRoutesDeps): ApiRoute[] {
  const { drafts } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listDrafts",
      path: "/drafts",
      summary: "Lists your drafts and scheduled posts, newest first.",
      input: LIST,
      output: listOf("Draft"),
      handle: async ({ user, page, input }) =>
        (await drafts.list(user.userId, page, input.scheduled)).map(
          presentDraft,
        ),
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "showDraft",
      path: "/drafts/:id",
      summary: "Shows a draft of yours.",
      input: NO_INPUT,
      output: one("Draft"),
      handle: async ({ user, path }) =>
        presentDraft(await drafts.get(user.userId, idOf(path("id")))),
    }),
    ...savingRoutes(deps),
    ...endingRoutes(deps),
  ];
}

function savingRoutes(deps: DraftsRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:statuses",
      name: "createDraft",
      path: "/drafts",
      summary: "Saves a draft, or schedules a post.",
      description:
        "It is published under the rules of that moment. If they refuse it, as where an aspect or a picture was deleted, it stays as a draft with FailedReason. Without an audience it gets your default of now. You can have 100.",
      input: SAVE,
      example: { post: "Good morning", audience: "followers" },
      output: one("Draft"),
      handle: async ({ user, input }) => save(deps, user, input),
    }),
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "write:statuses",
      name: "changeDraft",
      path: "/drafts/:id",
      summary: "Replaces everything in a draft of yours, and its time.",
      input: SAVE,
      example: { post: "Good evening", audience: "followers" },
      output: one("Draft"),
      handle: ({ user, input, path }) =>
        save(deps, user, input, idOf(path("id"))),
    }),
  ];
}

function endingRoutes(deps: DraftsRoutesDeps): ApiRoute[] {
  const { drafts } = deps;
  return [
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:statuses",
      name: "publishDraft",
      path: "/drafts/:id/publish",
      summary: "Publishes a draft of yours now.",
      input: NO_INPUT,
      output: one("Post"),

      handle: async ({ user, path }) => {
        const post = await drafts.publish(user, idOf(path("id")));
        return presentOne(deps, post, user, true);
      },
    }),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:statuses",
      name: "deleteDraft",
      path: "/drafts/:id",
      summary: "Deletes a draft of yours.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await drafts.remove(user.userId, idOf(path("id")));
        return {};
      },
    }),
  ];
}

async function save(
  deps: DraftsRoutesDeps,
  author: Author,
  input: Static<typeof SAVE>,
  id?: DraftId,
) {
  const { drafts } = deps;
  const content = await readContent(deps, author, input);
  const publishAt = drafts.readPublishTime(input.publish_at);
  return presentDraft(await drafts.save(author, { content, publishAt }, id));
}

async function readContent(
  deps: DraftsRoutesDeps,
  author: Author,
  input: Static<typeof SAVE>,
): Promise<NewDraftContent> {
  const location = checkLocation({
    address: input.location_address,
    lat: input.location_lat,
    lng: input.location_lng,
  });
  const idOrNull = (given = 0) => (given > 0 ? given : null);
  return {
    text: storableText(input.post ?? ""),
    audience: await chooseAudience(deps, author, input),
    photoIds: (input.photoID ?? []) as PhotoId[],
    eventId: idOrNull(input.eventID) as EventId | null,
    quoteId: idOrNull(input.quoteID) as PostId | null,
    nsfw: input.nsfw ?? false,
    warning: checkWarning(input.content_warning),
    language: readPostLanguage(input.language),
    quotableBy: input.quotable_by,
    location: location ?? null,
    poll: readPoll(deps, input),
  };
}

/** @throws {KithError} as for a new post */
function readPoll(
  { polls }: DraftsRoutesDeps,
  input: Static<typeof SAVE>,
): DraftContent["poll"] {
  const poll = {
    question: input.poll_question ?? "",
    answers: input.poll_answer ?? [],
    multiple: input.poll_multiple ?? false,
    endsAt: input.poll_ends_at ?? "",
  };
  if (!polls.ask(poll)) return null;
  return { ...poll, endsAt: poll.endsAt.trim() || null };
}
