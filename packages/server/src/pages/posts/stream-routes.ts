import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Type } from "../../lib/json-schema.ts";
import type { Session } from "../../features/accounts/index.ts";
import type { Audience } from "../../features/audiences/index.ts";
import type { AspectId } from "../../features/ids.ts";
import { MAX_TEXT_LENGTH } from "../../features/posts/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { checkCsrf, isOfSession } from "../kit/csrf.ts";
import { readPart } from "../kit/page-input.ts";
import { actingOn } from "./act-view.ts";
import { postViews } from "./post-view.ts";
import { sendPage } from "../kit/send-page.ts";
import {
  EMPTY_DRAFT,
  EVERYONE,
  streamView,
  type PostDraft,
} from "./stream-view.ts";
import { pageTexts as texts } from "../languages/texts.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { wantsJson } from "../kit/wanted-type.ts";
import {
  DRAFT_BODY_LIMIT,
  draftOf,
  signInPath,
  type FormDraft as KeptDraft,
} from "../session/return-target.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";

const PAGE_SIZE = 20;
export const STREAM = "/stream";

const WRITE = Type.Object({
  text: text("The post, in Markdown"),
  audience: text("`everyone`, or the id of an aspect"),
});

export function streamRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const config = { access: "session", limit: "read" } as const;
  const writing = { access: "session", limit: "write" } as const;
  app.get(STREAM, { config }, async (request, reply) => {
    const session = await findVisitor(context, request);
    if (!session) return redirectTo(reply, signInPath(request.url));
    return sendStream(context, request, reply, session, EMPTY_DRAFT);
  });
  app.post(
    STREAM,
    { config: writing, bodyLimit: DRAFT_BODY_LIMIT },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) {
        const draft = draftOf(
          Object.keys(WRITE.properties),
          request.parameters,
        );
        return askToSignIn(context, request, reply, { to: STREAM, draft });
      }
      if (wantsJson(request.headers.accept))
        checkCsrf(session, request.parameters);
      if (!isOfSession(session, request.parameters)) {
        const { text = "", audience = "" } = readInput(
          WRITE,
          request.parameters,
        );
        const draft = { text, audience, fault: texts.write.expired };
        return sendStream(context, request, reply, session, draft, 403);
      }
      return publish(context, request, reply, session);
    },
  );
}

/** After a sign-in the form is shown again, and not submitted by itself. */
export function resumePost(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  kept: KeptDraft,
): Promise<FastifyReply> {
  const { text = "", audience = "" } = readInput(WRITE, kept);
  const draft = { text, audience, fault: texts.write.signedOut };
  return sendStream(context, request, reply, session, draft);
}

async function publish(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Promise<FastifyReply> {
  const { text = "", audience = "" } = readInput(WRITE, request.parameters);
  try {
    await context.posts.publish({
      author: session.user,
      text,
      audience: readAudience(audience),
    });
    return redirectTo(reply, STREAM);
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    const draft = { text, audience, fault };
    return sendStream(context, request, reply, session, draft, 422);
  }
}

/** Without an explicit audience a post is not public. */
function readAudience(audience: string): Audience {
  if (audience === EVERYONE) return { kind: "everyone" };
  if (!/^[1-9]\d{0,14}$/.test(audience))
    throw new KithError("not_found", "No such audience.");
  return { kind: "aspects", aspectIds: [Number(audience) as AspectId] };
}

/** A fault that the author can correct. */
function faultOf(error: unknown): string | undefined {
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "empty_string") return texts.write.blank;
  if (error.code === "bad_request") return texts.write.tooLong(MAX_TEXT_LENGTH);
  return error.code === "not_found" ? texts.write.noAspect : undefined;
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
  return sendPage(reply, {
    status,
    head: { title: texts.write.title, noindex: true },
    session,
    main: streamView(session, await aspects.list(user.userId), draft, {
      ...part,
      items,
    }),
  });
}
