import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import { composeView } from "../compose/compose-view.ts";
import {
  emptyDraft,
  MAX_PICTURES,
  POST_FIELDS,
  readDraft,
  type PostDraft,
} from "../compose/post-draft.ts";
import {
  faultOfPost,
  PHOTOS_FIELD,
  publishDraft,
  uploadPhotos,
} from "../compose/publish-draft.ts";
import { checkCsrf, isOfSession } from "../kit/csrf.ts";
import { readPart } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { wantsJson } from "../kit/wanted-type.ts";
import { pageTexts as texts } from "../languages/texts.ts";
import { admitUploads } from "../session/admit-uploads.ts";
import {
  DRAFT_BODY_LIMIT,
  draftOf,
  signInPath,
  type FormDraft as KeptDraft,
} from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { actingOn } from "./act-view.ts";
import { postViews } from "./post-view.ts";
import { streamView } from "./stream-view.ts";

const PAGE_SIZE = 20;
export const STREAM = "/stream";

export function streamRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.get(
    STREAM,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      const { userId } = session.user;
      const { audience } = await context.accounts.getSettings(userId);
      const draft = emptyDraft(audience);
      return sendStream(context, request, reply, session, draft);
    },
  );
  app.post(
    STREAM,
    {
      config: {
        ...{ access: "session", limit: "write" },
        ...{ file: PHOTOS_FIELD, maxFiles: MAX_PICTURES },
      },
      bodyLimit: DRAFT_BODY_LIMIT,
      onRequest: admitUploads(context),
    },
    (request, reply) => receivePost(context, request, reply),
  );
}

async function receivePost(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { parameters } = request;
  const session = await findVisitor(context, request);
  if (!session) {
    const draft = draftOf(Object.keys(POST_FIELDS.properties), parameters);
    return askToSignIn(context, request, reply, { to: STREAM, draft });
  }
  if (wantsJson(request.headers.accept)) checkCsrf(session, parameters);
  const draft = readDraft(parameters);
  if (isOfSession(session, parameters))
    return publish(context, request, reply, session, draft);
  const expired = { ...draft, fault: texts.write.expired };
  return sendStream(context, request, reply, session, expired, 403);
}

/** After a sign-in the form is shown again, and not submitted by itself. */
export function resumePost(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  kept: KeptDraft,
): Promise<FastifyReply> {
  const draft = { ...readDraft(kept), fault: texts.write.signedOut };
  return sendStream(context, request, reply, session, draft);
}

/** Pictures are kept with the draft when the rest of it is refused. */
async function publish(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  typed: PostDraft,
): Promise<FastifyReply> {
  const { user } = session;
  const draft = await uploadPhotos(context, user, typed, request.parameters);
  if (draft.fault !== undefined)
    return sendStream(context, request, reply, session, draft, 422);
  try {
    await publishDraft(context, user, draft);
    return redirectTo(reply, STREAM);
  } catch (error) {
    const fault = faultOfPost(error, draft);
    if (fault === undefined) throw error;
    const refused = { ...draft, fault };
    return sendStream(context, request, reply, session, refused, 422);
  }
}

async function sendStream(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  draft: PostDraft,
  status = 200,
): Promise<FastifyReply> {
  const { posts, aspects } = context;
  const { user } = session;
  const part = await readPart(request, PAGE_SIZE, (page) =>
    posts.listStream(user, "all", page),
  );
  const acting = actingOn(session, request, STREAM);
  const items = await postViews(context, part.items, user, acting);
  const own = await aspects.list(user.userId);
  const form = composeView(session, own, draft);
  return sendPage(reply, {
    status,
    head: { title: texts.write.title, noindex: true },
    session,
    main: streamView(form, { ...part, items }),
  });
}
