import Type from "typebox";
import type { AspectId, PostId } from "../features/ids.ts";
import type {
  Post,
  PostKey,
  Viewer,
  Visibility,
} from "../features/posts/index.ts";
import { flag, text, uint } from "../http/input.ts";
import { KithError } from "../lib/errors.ts";
import { findByIdOrGuid } from "./identifiers.ts";
import { presentPosts, type PresentPostsDeps } from "./present-posts.ts";
import type { WireRecord } from "./records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "./route.ts";
import { EMPTY, listOf, one } from "./schemas.ts";

const VISIBILITIES: readonly Visibility[] = ["all", "public", "private"];

const LIST = Type.Object({
  visibility: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2,
      description: "0 all that the user may see, 1 public, 2 not public",
    }),
  ),
});

const CREATE = Type.Object({
  post: text("The text, in Markdown"),
  aspectID: uint("The aspect that alone gets the post; 0 for everyone"),
  eventID: uint("A calendar event of the user's to attach"),
  photoID: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1 }), {
      description: "A photo to attach; may be repeated",
    }),
  ),
  nsfw: flag("Hides the post behind a warning"),
  poll_question: text("Asks a question"),
});

/** A post that the viewer may see. @throws {KithError} `not_found` */
export async function getPost(
  { posts }: PresentPostsDeps,
  identifier: string,
  viewer: Viewer,
): Promise<Post> {
  const post = await findByIdOrGuid<PostId, Post>(identifier, (key: PostKey) =>
    posts.findVisible(key, viewer),
  );
  if (!post) throw new KithError("not_found", "No such post");
  return post;
}

export function postsRoutes(deps: PresentPostsDeps): ApiRoute[] {
  const { posts } = deps;
  const present = async (post: Post, viewer: Viewer): Promise<WireRecord> => {
    const [record] = await presentPosts(deps, [post], viewer);
    if (!record) throw new Error("The post cannot be presented");
    return record;
  };
  return [
    apiRoute({
      method: "GET",
      path: "/posts",
      summary: "Lists posts, newest first",
      input: LIST,
      output: listOf("Post"),
      handle: async ({ user, input, page }) => {
        const visibility = VISIBILITIES[input.visibility ?? 0] ?? "all";
        const found = await posts.listStream(user, visibility, page);
        return presentPosts(deps, found, user);
      },
    }),
    apiRoute({
      method: "POST",
      path: "/posts",
      summary: "Publishes a post",
      errors: [501],
      input: CREATE,
      needs: ["post"],
      output: one("Post"),
      handle: async ({ user, input }) => {
        refuseWhatIsMissing(input);
        const aspectId = input.aspectID ?? 0;
        const post = await posts.publish({
          author: user,
          text: input.post ?? "",
          ...(aspectId > 0 ? { aspectId: aspectId as AspectId } : {}),
        });
        return present(post, user);
      },
    }),
    apiRoute({
      method: ["GET", "POST"],
      path: "/posts/:id",
      summary: "Shows a post",
      input: NO_INPUT,
      output: one("Post"),
      handle: async ({ user, path }) =>
        present(await getPost(deps, path("id"), user), user),
    }),
    apiRoute({
      method: "DELETE",
      path: "/posts/:id",
      summary: "Deletes one's own post, or hides somebody else's",
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
      path: "/posts/:id/reshare",
      summary: "Passes a public post on",
      input: NO_INPUT,
      output: one("Post"),
      handle: async ({ user, path }) => {
        const { guid } = await getPost(deps, path("id"), user);
        return present(await posts.reshare(user, guid), user);
      },
    }),
    apiRoute({
      method: "GET",
      path: "/posts/:id/reshares",
      summary: "Lists the reshares of a post, newest first",
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

/** What cannot be done yet is refused: a post without its photo, poll or event is not what was asked for. */
function refuseWhatIsMissing(input: {
  eventID?: number;
  photoID?: readonly number[];
  nsfw?: boolean;
  poll_question?: string;
}): void {
  if ((input.eventID ?? 0) > 0)
    throw new KithError("not_found", "No such event of the user's");
  if (input.photoID || input.nsfw || input.poll_question)
    throw new KithError("not_implemented", "Photos, polls and warnings");
}
