import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { UserStreamId } from "../../features/ids.ts";
import { readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { pageTexts, streamTexts as texts } from "../languages/texts.ts";
import { actingOn } from "../posts/act-view.ts";
import { postViews } from "../posts/post-view.ts";
import {
  draftOf,
  signInPath,
  type FormDraft,
} from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { receiveDraft } from "../sign-in/receive-draft.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { findStreamFault } from "./find-stream-fault.ts";
import {
  NEW_STREAM,
  streamPath,
  STREAMS,
  streamPostsView,
  streamsView,
  type StreamDraft,
} from "./stream-view.ts";

const PAGE_SIZE = 20;
const LIST_SIZE = 50;

const STREAM = Type.Object({
  name: text("What the user calls it"),
  tags: text("Tags, separated by commas"),
  people: text("Handles, separated by commas"),
  expression: text("A regular expression over texts"),
});

type OfStream = { Params: { id: string } };

/** Streams that the user defines. */
export function streamPageRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const { streams } = context;
  const read = { config: { access: "session", limit: "read" } } as const;
  const write = { config: { access: "session", limit: "write" } } as const;
  app.get(STREAMS, read, async (request, reply) => {
    const session = await findVisitor(context, request);
    if (!session) return redirectTo(reply, signInPath(request.url));
    return sendStreams(context, request, reply, session, NEW_STREAM);
  });
  app.post(STREAMS, write, (request, reply) =>
    receiveStream(context, request, reply),
  );
  app.get<OfStream>(`${STREAMS}/:id`, read, async (request, reply) => {
    const id = readId(request.params.id);
    const session = await findVisitor(context, request);
    if (!session) return redirectTo(reply, signInPath(request.url));
    return sendPosts(context, request, reply, session, id);
  });
  app.post<OfStream>(`${STREAMS}/:id/delete`, write, async (request, reply) => {
    const id = readId(request.params.id);
    const session = await findVisitor(context, request);
    if (!session) return askToSignIn(context, request, reply, { to: STREAMS });
    checkCsrf(session, request.parameters);
    await streams.remove(session.user.userId, id);
    return redirectTo(reply, STREAMS);
  });
}

function receiveStream(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { parameters } = request;
  const fields = draftOf(Object.keys(STREAM.properties), parameters);
  const back = { to: STREAMS, draft: fields };
  return receiveDraft(context, request, reply, back, async (session, isOld) => {
    const draft = readStream(parameters);
    const again = (status: number, fault: string) =>
      sendStreams(
        context,
        request,
        reply,
        session,
        { ...draft, fault },
        status,
      );
    if (isOld) return again(403, pageTexts.form.expired);
    const fault = await findStreamFault(context, draft);
    if (fault !== undefined) return again(422, fault);
    try {
      const { id } = await context.streams.save(session.user.userId, draft);
      return redirectTo(reply, streamPath(id));
    } catch (error) {
      if (!(error instanceof KithError)) throw error;
      if (error.code === "empty_string") return again(422, texts.faults.name);
      if (error.code === "bad_request") return again(422, texts.faults.refused);
      throw error;
    }
  });
}

/** After a sign-in the form is shown again, and not submitted by itself. */
export function resumeStream(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  kept: FormDraft,
): Promise<FastifyReply> {
  const draft = { ...readStream(kept), fault: pageTexts.form.signedOut };
  return sendStreams(context, request, reply, session, draft);
}

function readStream(parameters: Parameters): StreamDraft {
  const input = readInput(STREAM, parameters);
  return {
    name: input.name ?? "",
    tags: input.tags ?? "",
    people: input.people ?? "",
    expression: input.expression ?? "",
  };
}

async function sendStreams(
  { streams }: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  draft: StreamDraft,
  status = 200,
): Promise<FastifyReply> {
  const list = { path: STREAMS, size: LIST_SIZE } as const;
  const order = "newest first";
  const part = await readKeyedPart(request, { ...list, order }, (page) =>
    streams.list(session.user.userId, page),
  );
  return sendPage(reply, {
    status,
    head: { title: texts.title, noindex: true },
    session,
    main: streamsView(session, part, draft),
  });
}

async function sendPosts(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  id: UserStreamId,
): Promise<FastifyReply> {
  const { streams } = context;
  const { user } = session;
  const stream = await streams.get(user.userId, id);
  const path = streamPath(id);
  const list = { path, size: PAGE_SIZE, order: "newest first" } as const;
  const part = await readKeyedPart(
    request,
    list,
    async (page) => (await streams.listPosts(user, id, page)).posts,
  );
  const acting = actingOn(session, request, path);
  const items = await postViews(context, part.items, user, acting, {
    context: "home",
  });
  return sendPage(reply, {
    head: { title: stream.name, noindex: true },
    session,
    main: streamPostsView(session, stream, { ...part, items }),
  });
}

/** @throws {KithError} `not_found` */
function readId(part: string): UserStreamId {
  if (!/^[1-9]\d{0,14}$/.test(part))
    throw new KithError("not_found", "No such stream.");
  return Number(part) as UserStreamId;
}
