import { newcomerFault } from "../newcomers/newcomer-fault.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { CommentId } from "../../features/ids.ts";
import type { Comment } from "../../features/comments/index.ts";
import { MAX_TEXT_LENGTH } from "../../features/posts/index.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { Type } from "../../lib/json-schema.ts";
import { withoutGonePictures } from "../compose/post-fault.ts";
import {
  describePhotos,
  refusedStatus,
  uploadPhotos,
} from "../compose/publish-draft.ts";
import {
  PICTURE_FIELDS,
  PICTURES,
  readPictures,
  type DraftPictures,
} from "../kit/components/picture-fields.ts";
import { checkCsrf, isOfSession } from "../kit/csrf.ts";
import { pageTexts } from "../languages/texts.ts";
import { admitUploads } from "../session/admit-uploads.ts";
import { writeOnce } from "../session/write-once.ts";
import { sendPart } from "../kit/send-page.ts";
import { wantsJson } from "../kit/wanted-type.ts";
import {
  backToPost,
  postPath,
  type Acting,
  type CommentDraft,
} from "../posts/act-view.ts";
import { findCommentPlace, loadThread } from "../posts/load-thread.ts";
import { loadThreadView } from "../posts/load-comments.ts";
import { sendPostPage } from "../posts/post-routes.ts";
import {
  DRAFT_BODY_LIMIT,
  draftOf,
  readReturnTarget,
  type FormDraft,
} from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { voteRoute } from "./vote-route.ts";

const texts = pageTexts.answer;

const COMMENT = Type.Object({
  text: text("The comment, in Markdown"),
  answer: text("The Guid of the comment that it answers"),
  ...PICTURE_FIELDS,
  to: text(
    "The page of the event to which it leads back, or a part for the script: the answer is then that part with the comment",
  ),
});
const ACT = Type.Object({ to: text("The page to which the act leads back") });
const REVOKED = Type.Object({ quoted: text("The Guid of the quoted post") });
const EVENT_PAGE = /^\/events\/[\w-]+$/;
const THREAD_PART = /^\/parts\/threads\//;

type OfGuid = { Params: { guid: string } };

type WrittenComment = CommentDraft & DraftPictures;

/** An act on a post or comment, by its Guid. */
type Act = (
  session: Session,
  guid: string,
  parameters: Parameters,
) => Promise<unknown>;

/** Comments, likes, reshares and muted conversations. */
export function answerRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const { comments, likes, posts, quotes, threads } = context;
  const config = { access: "session", limit: "write" } as const;
  app.post<OfGuid>(
    "/posts/:guid/comments",
    {
      config: { ...config, ...PICTURES },
      bodyLimit: DRAFT_BODY_LIMIT,
      onRequest: admitUploads(context),
    },
    (request, reply) =>
      receiveComment(context, request, reply, request.params.guid),
  );
  voteRoute(app, context);
  app.get<OfGuid>(
    "/comments/:guid",
    { config: { access: "viewer", limit: "read" } },
    (request, reply) => leadToComment(context, request, reply),
  );
  const acts: readonly (readonly [string, Act])[] = [
    [
      "/posts/:guid/like",
      ({ user }, guid) => likes.like(user, { post: { guid } }, true),
    ],
    [
      "/posts/:guid/unlike",
      ({ user }, guid) =>
        onceOnly(likes.unlike(user, { post: { guid } }), "not_found", () =>
          posts.findVisible({ guid }, user),
        ),
    ],
    [
      "/posts/:guid/reshare",
      ({ user }, guid) =>
        onceOnly(posts.reshare(user, guid), "bad_request", () =>
          posts.findReshareOf(guid, user.personId),
        ),
    ],
    [
      "/posts/:guid/unreshare",
      async ({ user }, guid) => {
        const reshare = await posts.findReshareOf(guid, user.personId);
        if (reshare) await posts.deleteOrHide(user, reshare.guid);
        else if (!(await posts.findVisible({ guid }, user)))
          throw new KithError("not_found", "No such post.");
      },
    ],
    [
      "/posts/:guid/revoke_quote",
      ({ user }, guid, given) => {
        const quoted = readGuid(readInput(REVOKED, given).quoted ?? "");
        return onceOnly(
          quotes.revoke(user, { guid: quoted }, { guid }),
          "not_found",
          async () => {
            const post = await posts.findVisible({ guid }, user);
            const shown = post && (await quotes.listShown([post.id], user));
            const quote = post && shown?.get(post.id);
            const isOwn = quote?.post.personId === user.personId;
            const isDone = isOwn && quote.state === "revoked";
            return isDone && quote.post.guid === quoted ? quote : undefined;
          },
        );
      },
    ],
    ["/posts/:guid/mute", ({ user }, guid) => threads.mute(user, { guid })],
    ["/posts/:guid/unmute", ({ user }, guid) => threads.unmute(user, { guid })],
    [
      "/comments/:guid/like",
      ({ user }, guid) => likes.like(user, { comment: { guid } }, true),
    ],
    [
      "/comments/:guid/unlike",
      ({ user }, guid) =>
        onceOnly(likes.unlike(user, { comment: { guid } }), "not_found", () =>
          comments.findVisible({ guid }, user),
        ),
    ],
  ];
  for (const [path, act] of acts)
    app.post<OfGuid>(path, { config }, async (request, reply) => {
      const guid = readGuid(request.params.guid);
      const given = readInput(ACT, request.parameters).to;
      // A conversation is muted below its post.
      const isInPost = path.startsWith("/posts/") && !path.endsWith("mute");
      const to = isInPost ? backToPost(given, guid) : readReturnTarget(given);
      const session = await findVisitor(context, request);
      if (!session) return askToSignIn(context, request, reply, { to });
      checkCsrf(session, request.parameters);
      await act(session, guid, request.parameters);
      return redirectTo(reply, to);
    });
}

/** Redirects to the comment on the page of its post. */
async function leadToComment(
  context: PagesContext,
  request: FastifyRequest<OfGuid>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const guid = readGuid(request.params.guid);
  const { comments, posts } = context;
  const viewer = (await findVisitor(context, request))?.user ?? null;
  const comment = await comments.findVisible({ guid }, viewer);
  const post =
    comment && (await posts.findVisible({ id: comment.postId }, viewer));
  if (!comment || !post) throw new KithError("not_found", "No such comment.");
  const path = await commentPath(context, postPath(post.guid), comment, viewer);
  return redirectTo(reply, path);
}

/** @param page of the post, or of the event that it announces */
async function commentPath(
  context: PagesContext,
  page: string,
  comment: Comment,
  viewer: Viewer,
): Promise<string> {
  const { query, fragment } = await findCommentPlace(context, comment, viewer);
  return `${page}${query === "" ? "" : `?${query}`}#${fragment}`;
}

/**
 * A form that is sent twice is not a fault: the second time, the act is done.
 * @param code of the error that this causes
 * @param find what exists if the act is done
 */
async function onceOnly(
  act: Promise<unknown>,
  code: KithError["code"],
  find: () => Promise<unknown>,
): Promise<void> {
  try {
    await act;
  } catch (error) {
    const isRepeat = error instanceof KithError && error.code === code;
    if (!isRepeat || (await find()) === undefined) throw error;
  }
}

async function receiveComment(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  named: string,
): Promise<FastifyReply> {
  const guid = readGuid(named);
  const { parameters } = request;
  const session = await findVisitor(context, request);
  if (!session) {
    const kept = draftOf(Object.keys(COMMENT.properties), parameters);
    const draft = { ...kept, post: guid };
    return askToSignIn(context, request, reply, { to: postPath(guid), draft });
  }
  if (wantsJson(request.headers.accept)) checkCsrf(session, parameters);
  const draft = readDraft(parameters);
  if (isOfSession(session, parameters))
    return publish(context, request, reply, { guid, session, draft });
  const expired = { ...draft, fault: texts.expired };
  return sendPostPage(context, request, reply, {
    ...{ guid, session, status: 403 },
    draft: expired,
  });
}

/** After a sign-in the form is shown again, and not submitted by itself. */
export function resumeComment(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  kept: FormDraft,
): Promise<FastifyReply> {
  const draft = { ...readDraft(kept), fault: texts.signedOut };
  const guid = readGuid(kept["post"] ?? "");
  return sendPostPage(context, request, reply, { guid, session, draft });
}

async function publish(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  writing: {
    readonly guid: string;
    readonly session: Session;
    readonly draft: WrittenComment;
  },
): Promise<FastifyReply> {
  const { guid, session } = writing;
  const { user } = session;
  const draft = await uploadPhotos(context, user, writing.draft, request);
  if (draft.fault !== undefined)
    return sendPostPage(context, request, reply, {
      ...{ guid, session, draft, status: refusedStatus(request) },
    });
  const { text: written, parentGuid, to = postPath(guid), photoIds } = draft;
  try {
    await describePhotos(context, user, draft);
    const made = await writeOnce(context, request, session, async (note) => {
      const { id } = await context.comments.create({
        ...{ author: user, on: { guid }, text: written, photoIds },
        ...(parentGuid !== undefined && { parentGuid }),
        attach: (tx, commentId) => note(tx, String(commentId)),
      });
      return String(id);
    });
    const id = Number(made) as CommentId;
    const comment = await context.comments.findVisible({ id }, user);
    // It was deleted before it was sent again.
    if (!comment) return redirectTo(reply, to);
    if (draft.part !== undefined)
      return sendThread(context, reply, { session, to: draft.part }, comment);
    return redirectTo(reply, await commentPath(context, to, comment, user));
  } catch (error) {
    const left = await withoutGonePictures(context, user, error, draft);
    if (left)
      return sendPostPage(context, request, reply, {
        ...{ guid, session, draft: left, status: 422 },
      });
    const fault = faultOfComment(error);
    if (fault === undefined) throw error;
    // If the post itself is gone, there is nothing to show the draft with.
    const isGone = error instanceof KithError && error.code === "not_found";
    return sendPostPage(context, request, reply, {
      ...{ guid, session, status: 422 },
      draft: { ...draft, ...fault, ...(isGone && { parentGuid: undefined }) },
    });
  }
}

/** Sends the comments among which a comment stands now, for the script. */
async function sendThread(
  context: PagesContext,
  reply: FastifyReply,
  acting: Acting,
  comment: Comment,
): Promise<FastifyReply> {
  const { session } = acting;
  const { user } = session;
  const post = await context.posts.findVisible({ id: comment.postId }, user);
  if (!post) throw new KithError("not_found", "No such post.");
  const { query } = await findCommentPlace(context, comment, user);
  const parameters = Object.fromEntries(new URLSearchParams(query));
  const thread = await loadThread(context, { parameters }, post, user);
  const on = { session, post, acting };
  return sendPart(reply, await loadThreadView(context, thread, on));
}

/** A fault that the author can correct. */
function faultOfComment(
  error: unknown,
): Pick<CommentDraft, "fault" | "faulty"> | undefined {
  const byLimits = newcomerFault(error);
  if (byLimits !== undefined) return { fault: byLimits };
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "empty_string")
    return { fault: texts.blank, faulty: "text" };
  if (error.code === "bad_request")
    return { fault: texts.tooLong(MAX_TEXT_LENGTH), faulty: "text" };
  return error.code === "not_found"
    ? { fault: texts.answeredIsGone }
    : undefined;
}

function readDraft(parameters: Parameters): WrittenComment {
  const input = readInput(COMMENT, parameters);
  const { text: written = "", answer = "", to = "" } = input;
  return {
    ...{ text: written, ...readPictures(input) },
    ...(answer !== "" && { parentGuid: answer }),
    ...(EVENT_PAGE.test(to) && { to }),
    ...(THREAD_PART.test(to) && { part: pageOfPart(to) }),
  };
}

/** The page that holds a part, to which the acts in it lead back. */
function pageOfPart(part: string): string {
  const [, query = ""] = part.split("?");
  return readReturnTarget(new URLSearchParams(query).get("to") ?? undefined);
}

/** @throws {KithError} `not_found`: other text is not passed to the database */
function readGuid(guid: string): string {
  if (!isGuid(guid)) throw new KithError("not_found", "No such thing.");
  return guid;
}
