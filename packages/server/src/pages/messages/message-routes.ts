import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { Conversation } from "../../features/conversations/index.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { withoutGonePictures } from "../compose/post-fault.ts";
import {
  describePhotos,
  refusedStatus,
  uploadPhotos,
} from "../compose/publish-draft.ts";
import { PICTURES } from "../kit/components/picture-fields.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import { admitUploads } from "../session/admit-uploads.ts";
import { writeOnce } from "../session/write-once.ts";
import { sendPage } from "../kit/send-page.ts";
import { messageTexts as texts } from "../languages/texts.ts";
import {
  DRAFT_BODY_LIMIT,
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
import { loadConversations, loadMessages } from "./load-conversations.ts";
import {
  conversationPath,
  faultOfMessage,
  findRecipients,
  MESSAGE_FIELDS,
  MESSAGES,
  NEW_MESSAGE,
  NO_MESSAGE,
  readMessage,
  type MessageDraft,
  type MessageFault,
} from "./message-draft.ts";
import {
  conversationsView,
  conversationView,
  newMessageView,
} from "./messages-view.ts";

const NEWEST_FIRST = "newest first";
const CONVERSATIONS_PER_PAGE = 20;
const MESSAGES_PER_PAGE = 30;

type OfGuid = { Params: { guid: string } };

/** Private conversations of named people. */
export function messageRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const reading = { access: "session", limit: "read" } as const;
  app.get(MESSAGES, { config: reading }, async (request, reply) => {
    const session = await findVisitor(context, request);
    if (!session) return redirectTo(reply, signInPath(request.url));
    return sendConversations(context, request, reply, session);
  });
  app.get(NEW_MESSAGE, { config: reading }, async (request, reply) => {
    const session = await findVisitor(context, request);
    if (!session) return redirectTo(reply, signInPath(request.url));
    const { to } = readMessage(request.parameters);
    return sendNew(reply, session, { ...NO_MESSAGE, to });
  });
  app.post(
    MESSAGES,
    // It may ask other servers for people.
    {
      config: { access: "session", limit: "costly", ...PICTURES },
      bodyLimit: DRAFT_BODY_LIMIT,
      onRequest: admitUploads(context),
    },
    (request, reply) => receiveNew(context, request, reply),
  );
  routesOfOne(app, context);
}

function routesOfOne(app: FastifyInstance, context: PagesContext): void {
  const path = `${MESSAGES}/:guid`;
  const writing = { access: "session", limit: "write" } as const;
  app.get<OfGuid>(
    path,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const { guid } = request.params;
      if (!isGuid(guid)) throw notFound();
      const session = await findVisitor(context, request);
      if (!session) throw notFound();
      const conversation = await getConversation(context, session, guid);
      return sendOne(
        ...([context, request, reply, session, conversation] as const),
        NO_MESSAGE,
      );
    },
  );
  app.post<OfGuid>(
    path,
    {
      config: { ...writing, ...PICTURES },
      bodyLimit: DRAFT_BODY_LIMIT,
      onRequest: admitUploads(context),
    },
    (request, reply) =>
      receiveAnswer(context, request, reply, request.params.guid),
  );
  for (const [act, state] of [
    ["hide", "hidden"],
    ["leave", "left"],
  ] as const)
    app.post<OfGuid>(
      `${path}/${act}`,
      { config: writing },
      async (request, reply) => {
        const { guid } = request.params;
        if (!isGuid(guid)) throw notFound();
        const session = await findVisitor(context, request);
        if (!session)
          return askToSignIn(context, request, reply, { to: MESSAGES });
        checkCsrf(session, request.parameters);
        await context.conversations.hide(session.user, { guid }, state);
        return redirectTo(reply, MESSAGES);
      },
    );
}

/** After a sign-in the form is shown again, and not submitted by itself. */
export async function resumeMessage(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  kept: FormDraft,
): Promise<FastifyReply> {
  const draft = { ...readMessage(kept), fault: texts.signedOut };
  const guid = kept["guid"];
  if (guid === undefined) return sendNew(reply, session, draft);
  if (!isGuid(guid)) throw notFound();
  const conversation = await getConversation(context, session, guid);
  return sendOne(context, request, reply, session, conversation, draft);
}

function receiveNew(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { parameters } = request;
  const kept = draftOf(Object.keys(MESSAGE_FIELDS.properties), parameters);
  const back = { to: NEW_MESSAGE, draft: kept };
  const take = async (session: Session, isExpired: boolean) => {
    const typed = readMessage(parameters);
    if (isExpired)
      return sendNew(reply, session, { ...typed, fault: texts.expired }, 403);
    const { user } = session;
    const draft = await uploadPhotos(context, user, typed, request);
    if (draft.fault !== undefined)
      return sendNew(reply, session, draft, refusedStatus(request));
    try {
      const started = await startWith(context, request, session, draft);
      if ("guid" in started)
        return redirectTo(reply, conversationPath(started.guid));
      return sendNew(reply, session, { ...draft, ...started }, 422);
    } catch (error) {
      const fault =
        (await withoutGonePictures(context, user, error, draft)) ??
        faultOfMessage(error, draft);
      if (fault === undefined) throw error;
      return sendNew(reply, session, { ...draft, ...fault }, 422);
    }
  };
  return receiveDraft(context, request, reply, back, take);
}

async function startWith(
  context: PagesContext,
  request: FastifyRequest,
  session: Session,
  draft: MessageDraft,
): Promise<{ readonly guid: string } | MessageFault> {
  const { subject, text, photoIds } = draft;
  const { user } = session;
  if (text.trim() === "") return { fault: texts.blank, faulty: "text" };
  const found = await findRecipients(context, user, draft);
  const faulty = "to";
  if ("unknown" in found)
    return { fault: texts.unknown(found.unknown), faulty };
  const { personIds } = found;
  if (personIds.length === 0) return { fault: texts.nobody, faulty };
  const guid = await writeOnce(context, request, session, async () => {
    await describePhotos(context, user, draft);
    const started = await context.conversations.start({
      ...{ author: user, personIds, text, photoIds },
      ...(subject.trim() !== "" && { subject }),
    });
    return started.guid;
  });
  return { guid };
}

async function receiveAnswer(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  guid: string,
): Promise<FastifyReply> {
  if (!isGuid(guid)) throw notFound();
  const { parameters } = request;
  const { to: _, subject: __, ...answer } = readMessage(parameters);
  const { text } = answer;
  const back = { to: conversationPath(guid), draft: { text, guid } };
  const take = async (session: Session, isExpired: boolean) => {
    const conversation = await getConversation(context, session, guid);
    const { user } = session;
    const again = (draft: MessageDraft, status: number) =>
      sendOne(
        ...([context, request, reply, session, conversation] as const),
        draft,
        status,
      );
    const typed = { ...NO_MESSAGE, ...answer };
    if (isExpired) return again({ ...typed, fault: texts.expired }, 403);
    const draft = await uploadPhotos(context, user, typed, request);
    if (draft.fault !== undefined) return again(draft, refusedStatus(request));
    try {
      await writeOnce(context, request, session, async (note) => {
        await describePhotos(context, user, draft);
        await context.conversations.reply(user, conversation, text, {
          photoIds: draft.photoIds,
          attach: (tx) => note(tx, guid),
        });
        return guid;
      });
    } catch (error) {
      const fault =
        (await withoutGonePictures(context, user, error, draft)) ??
        faultOfMessage(error, draft);
      if (fault === undefined) throw error;
      return again({ ...draft, ...fault }, 422);
    }
    return redirectTo(reply, `${conversationPath(guid)}#write`);
  };
  return receiveDraft(context, request, reply, back, take);
}

async function sendConversations(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Promise<FastifyReply> {
  const { user } = session;
  const size = CONVERSATIONS_PER_PAGE;
  const list = { path: MESSAGES, size, order: NEWEST_FIRST } as const;
  const part = await readKeyedPart(request, list, (page) =>
    context.conversations.list(user, page),
  );
  const items = await loadConversations(context, user, part.items);
  return sendPage(reply, {
    head: { title: texts.title, noindex: true },
    session,
    main: conversationsView({ ...part, items }, context.clock.now()),
  });
}

function sendNew(
  reply: FastifyReply,
  session: Session,
  draft: MessageDraft,
  status = 200,
): FastifyReply {
  return sendPage(reply, {
    status,
    head: { title: texts.write, noindex: true },
    session,
    main: newMessageView(session, draft),
  });
}

/** Opening a conversation marks it as read. */
async function sendOne(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  conversation: Conversation,
  draft: MessageDraft,
  status = 200,
): Promise<FastifyReply> {
  const { conversations, clock } = context;
  const { user } = session;
  const path = conversationPath(conversation.guid);
  const list = { path, size: MESSAGES_PER_PAGE, order: NEWEST_FIRST } as const;
  const part = await readKeyedPart(request, list, (page) =>
    conversations.listMessages(user, conversation.id, page),
  );
  const [listed] = await loadConversations(context, user, [conversation]);
  if (!listed) throw notFound();
  const items = await loadMessages(context, part.items);
  if (conversation.unread > 0)
    await conversations.mark(user, { id: conversation.id });
  const title = conversation.subject ?? texts.title;
  return sendPage(reply, {
    status,
    head: { title, noindex: true },
    session,
    main: conversationView(
      session,
      listed,
      { ...part, items },
      { draft, now: clock.now() },
    ),
  });
}

/** @throws {KithError} `not_found`, also for one of other people */
async function getConversation(
  { conversations }: PagesContext,
  { user }: Session,
  guid: string,
): Promise<Conversation> {
  const found = await conversations.find(user, { guid });
  if (!found) throw notFound();
  return found;
}

function notFound(): KithError {
  return new KithError("not_found", "No such conversation.");
}
