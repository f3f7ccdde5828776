import { readPostLanguage } from "../../kit/language-input.ts";
import type { Static } from "typebox";
import type { Viewer } from "../../../features/visibility/index.ts";
import { Type } from "../../../lib/json-schema.ts";
import type { EventId, PhotoId, PostId } from "../../../features/ids.ts";
import {
  attachAll,
  checkLocation,
  type Author,
  type Post,
  type PostKey,
  checkWarning,
} from "../../../features/posts/index.ts";
import { flag, text, uint } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { quotableBy } from "../../kit/quotable-input.ts";
import { AUDIENCE_INPUT } from "../../kit/audience-input.ts";
import { findByIdOrGuid } from "../../kit/identifiers.ts";
import {
  presentPosts,
  type PresentPostsDeps,
} from "../../presenters/present-posts.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";
import { readVisibility, VISIBILITY } from "../../kit/visibility.ts";
import { chooseAudience, type ChooseAudienceDeps } from "./audience-routes.ts";

export const LANGUAGE_WORDS =
  "In which it is written: a tag of BCP 47, such as en or pt-BR";

const LIST = Type.Object({ visibility: VISIBILITY });

/** The input of a new post. */
export const CREATE = Type.Object({
  post: text("The text, in Markdown"),
  ...AUDIENCE_INPUT,
  eventID: uint("A calendar event that the user may see, to attach"),
  quoteID: uint("A public post, or your own, that the post quotes; 0 for none"),
  photoID: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1 }), {
      description: "Pictures of the user's to attach, uploaded before",
    }),
  ),
  location_address: text("Where it is written, in words"),
  location_lat: text("The same in decimal degrees: latitude, -90 to 90"),
  location_lng: text("Longitude, -180 to 180; both or none"),
  nsfw: flag("Hides the post behind a warning"),
  content_warning: text(
    "What the post warns of before it is read, at most 500 characters",
  ),
  language: text(LANGUAGE_WORDS),
  quotable_by: quotableBy(
    "Who may quote the post if it is public, beside you: everyone, followers or nobody; as in your settings where not said",
  ),
  poll_question: text("Asks a question, at most 255 characters"),
  poll_answer: Type.Optional(
    Type.Array(Type.String(), {
      description: "2 to 20 answers to choose from, none of them twice",
    }),
  ),
  poll_multiple: flag("May more than one answer be chosen?"),
  poll_ends_at: text("Until when votes count: RFC 3339, in the future"),
});

export type PostsRoutesDeps = PresentPostsDeps & ChooseAudienceDeps;

/** Gets a post that the viewer may see. @throws {KithError} `not_found` */
export async function getPost(
  { posts }: PresentPostsDeps,
  identifier: string,
  viewer: Viewer,
): Promise<Post> {
  const post = await findByIdOrGuid<PostId, Post>(identifier, (key: PostKey) =>
    posts.findVisible(key, viewer),
  );
  if (!post) throw new KithError("not_found", "No such post.");
  return post;
}

/**
 * Presents one post. The caller has checked that the viewer may see it; `isNew`
 * as in `presentPosts`.
 */
export async function presentOne(
  deps: PresentPostsDeps,
  post: Post,
  viewer: Viewer,
  isNew = false,
): Promise<WireRecord> {
  const [record] = await presentPosts(deps, [post], viewer, {
    areNew: isNew,
    context: "thread",
  });
  if (!record) throw new Error("The post cannot be presented");
  return record;
}

export function postsRoutes(deps: PostsRoutesDeps): ApiRoute[] {
  const { posts } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listPosts",
      path: "/posts",
      summary: "Lists posts, newest first.",
      isKept: true,
      input: LIST,
      output: listOf("Post"),
      handle: async ({ user, input, page, scope }) => {
        const visibility = readVisibility(input.visibility);
        const found = await posts.listStream(user, visibility, page);
        const context = visibility === "public" ? "public" : "home";
        return presentPosts(deps, found, user, { context, scope });
      },
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:statuses",
      name: "createPost",
      path: "/posts",
      summary: "Publishes a post.",
      input: CREATE,
      needs: ["post"],
      example: { post: "Hello, #world!", aspectID: [0] },
      output: one("Post"),
      handle: async ({ user, input }) =>
        presentOne(deps, await publish(deps, user, input), user, true),
    }),
    ...routesOfOne(deps),
  ];
}

/** Validates the input and publishes the post. */
async function publish(
  deps: PostsRoutesDeps,
  author: Author,
  input: Static<typeof CREATE> & { readonly post: string },
): Promise<Post> {
  const { posts, events, polls, quotes } = deps;
  const audience = await chooseAudience(deps, author, input);
  const eventId = input.eventID ?? 0;
  const quoteId = input.quoteID ?? 0;
  const ask = polls.ask({
    question: input.poll_question,
    answers: input.poll_answer,
    multiple: input.poll_multiple,
    endsAt: input.poll_ends_at,
  });
  const location = checkLocation({
    address: input.location_address,
    lat: input.location_lat,
    lng: input.location_lng,
  });
  const quote =
    quoteId > 0 ? quotes.quote(author, { id: quoteId as PostId }) : undefined;
  const post = {
    author,
    text: input.post,
    nsfw: input.nsfw ?? false,
    warning: checkWarning(input.content_warning),
    language: readPostLanguage(input.language),
    quotableBy: input.quotable_by,
    audience,
    photoIds: (input.photoID ?? []) as PhotoId[],
    ...((ask ?? quote) && { attach: attachAll(ask, quote) }),
    ...(location && { location }),
  };
  return eventId > 0
    ? events.publishPost(post, eventId as EventId)
    : posts.publish(post);
}

function routesOfOne(deps: PresentPostsDeps): ApiRoute[] {
  const { posts } = deps;
  return [
    showRoute(deps, "GET", "showPost"),
    showRoute(deps, "POST", "showPostByPost"),
    apiRoute({
      method: "DELETE",
      limit: "write",
      scope: "write:statuses",
      name: "deletePost",
      path: "/posts/:id",
      summary: "Deletes your post, or hides somebody else's from you.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        const { guid } = await getPost(deps, path("id"), user);
        await posts.deleteOrHide(user, guid);
        return {};
      },
    }),
    apiRoute({
      method: "POST",
      limit: "write",
      scope: "write:statuses",
      name: "resharePost",
      path: "/posts/:id/reshare",
      summary: "Reshares a public post.",
      input: NO_INPUT,
      output: one("Post"),
      handle: async ({ user, path }) => {
        const { guid } = await getPost(deps, path("id"), user);
        return presentOne(deps, await posts.reshare(user, guid), user);
      },
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listReshares",
      path: "/posts/:id/reshares",
      summary: "Lists the reshares of a post, newest first.",
      input: NO_INPUT,
      output: listOf("Post"),
      handle: async ({ user, path, page }) => {
        const { guid } = await getPost(deps, path("id"), user);
        const found = await posts.listReshares(guid, user, page);
        return presentPosts(deps, found, user);
      },
    }),
  ];
}

/** Some clients send the query as a body. */
function showRoute(
  deps: PresentPostsDeps,
  method: "GET" | "POST",
  name: string,
): ApiRoute {
  return apiRoute({
    scope: "read:statuses",
    name,
    method,
    limit: "read",
    path: "/posts/:id",
    summary: "Shows a post.",
    input: NO_INPUT,
    output: one("Post"),
    handle: async ({ user, path }) =>
      presentOne(deps, await getPost(deps, path("id"), user), user),
  });
}
