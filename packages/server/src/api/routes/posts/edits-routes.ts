import { checkLanguage } from "../../kit/language-input.ts";
import { Type } from "../../../lib/json-schema.ts";
import type { Comment } from "../../../features/comments/index.ts";
import type { AspectId, PhotoId } from "../../../features/ids.ts";
import { checkWarning, type Post } from "../../../features/posts/index.ts";
import { flag, text } from "../../../http/input/input.ts";
import type { PresentPostsDeps } from "../../presenters/present-posts.ts";
import { AUDIENCE_INPUT } from "../../kit/audience-input.ts";
import { quotableBy } from "../../kit/quotable-input.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, one } from "../../schemas/schemas.ts";
import { getComment, presentComments } from "./comments-routes.ts";
import { getPost, LANGUAGE_WORDS, presentOne } from "./posts-routes.ts";

export type EditsRoutesDeps = PresentPostsDeps & {
  /** Do some of the recipients get no edits? */
  readonly ignoredEdits: {
    readonly ofPost: (post: Post) => Promise<boolean>;
    readonly ofComment: (comment: Comment) => Promise<boolean>;
  };
};

const BESIDE_TEXT = {
  content_warning: text("What it warns of before it is read; blank for none"),
  language: text(`${LANGUAGE_WORDS}; blank for none`),
};

const EDIT_POST = Type.Object({
  post: text("The text, in Markdown"),
  ...BESIDE_TEXT,
  nsfw: flag("Hides the post behind a warning"),
  quotable_by: quotableBy(
    "Who may quote the post from now on, beside you: everyone, followers or nobody",
  ),
  photoID: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1 }), {
      description:
        "All pictures of the post, in order: those left out are deleted, and others of the user's may be added",
    }),
  ),
  audience: AUDIENCE_INPUT.audience,
  aspectID: AUDIENCE_INPUT.aspectID,
});

const EDIT_COMMENT = Type.Object({
  comment: text("The text, in Markdown"),
  text: text("Another name of comment"),
  ...BESIDE_TEXT,
  photoID: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1 }), {
      description:
        "All pictures of the comment, in order: those left out are deleted, and others of the user's may be added",
    }),
  ),
});

const KEPT = "Parameters that are left out stay as they are.";
const IGNORED =
  "Some recipients are on diaspora* servers, which keep the earlier version";

export function editsRoutes(deps: EditsRoutesDeps): ApiRoute[] {
  return [editPostRoute(deps), editCommentRoute(deps), revokeQuoteRoute(deps)];
}

function editPostRoute(deps: EditsRoutesDeps): ApiRoute {
  return apiRoute({
    method: "PUT",
    limit: "write",
    scope: "write:statuses",
    name: "editPost",
    path: "/posts/:id",
    summary: "Edits your post.",
    description: `${KEPT} The place, the event, the quote and the poll cannot be changed, and of an audience only the present one is accepted. A header Warning says so if some recipients keep the earlier version.`,
    input: EDIT_POST,
    example: { post: "Hello again, #world!" },
    output: one("Post"),
    handle: async ({ user, path, input, warn }) => {
      const { id } = await getPost(deps, path("id"), user);
      const { aspectID } = input;
      const edited = await deps.posts.edit(
        user,
        { id },
        {
          text: input.post,
          ...readBesideText(input),
          nsfw: input.nsfw,
          quotableBy: input.quotable_by,
          photoIds: input.photoID as PhotoId[] | undefined,
          audience: input.audience,
          aspectIds: aspectID?.filter((aspect) => aspect > 0) as
            AspectId[] | undefined,
        },
      );
      if (await deps.ignoredEdits.ofPost(edited)) warn(IGNORED);
      return presentOne(deps, edited, user);
    },
  });
}

function revokeQuoteRoute(deps: EditsRoutesDeps): ApiRoute {
  return apiRoute({
    method: "DELETE",
    limit: "write",
    scope: "write:statuses",
    name: "revokeQuote",
    path: "/posts/:id/quotes/:quoting_id",
    summary: "Takes your post out of a post that quotes it, for good.",
    description:
      "The other post stays, with a link. Its server gets a request to stop showing yours.",
    input: NO_INPUT,
    output: EMPTY,
    handle: async ({ user, path }) => {
      const quoted = await getPost(deps, path("id"), user);
      const quoting = await getPost(deps, path("quoting_id"), user);
      await deps.quotes.revoke(user, { id: quoted.id }, { id: quoting.id });
      return {};
    },
  });
}

function editCommentRoute(deps: EditsRoutesDeps): ApiRoute {
  return apiRoute({
    method: "PUT",
    limit: "write",
    scope: "write:statuses",
    name: "editComment",
    path: "/comments/:id",
    summary: "Edits your comment.",
    description: `${KEPT} A header Warning says so if some recipients keep the earlier version.`,
    input: EDIT_COMMENT,
    example: { comment: "What a lovely picture of a deer!" },
    output: one("Comment"),
    handle: async ({ user, path, input, warn }) => {
      const { id } = await getComment(deps, path("id"), user);
      const edited = await deps.comments.edit(
        user,
        { id },
        {
          text: input.comment ?? input.text,
          ...readBesideText(input),
          photoIds: input.photoID as PhotoId[] | undefined,
        },
      );
      if (await deps.ignoredEdits.ofComment(edited)) warn(IGNORED);
      const [record] = await presentComments(deps, [edited], user);
      return record;
    },
  });
}

/** A blank one removes it; one left out stays. */
function readBesideText(input: {
  readonly content_warning?: string;
  readonly language?: string;
}) {
  return {
    ...(input.content_warning !== undefined && {
      warning: checkWarning(input.content_warning),
    }),
    ...(input.language !== undefined && {
      language: checkLanguage(input.language),
    }),
  };
}
