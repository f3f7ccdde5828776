import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { NotificationId } from "../../features/ids.ts";
import type {
  Notification,
  NotificationOwner,
  NotificationReason,
} from "../../features/notifications/index.ts";
import type { Page } from "../../features/page.ts";
import { flag, readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { NOTIFICATIONS, OPEN_NOTICES } from "../session/places.ts";
import { readReturnTarget, signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { MAX_COUNTED_REQUESTS } from "../people/request-view.ts";
import { loadNotices } from "./load-notices.ts";
import { notificationTexts as texts } from "../languages/texts.ts";
import {
  ALL,
  notificationsView,
  READ,
  SUBJECTS,
  noticesPath,
  type NoticeTab,
  type Subject,
} from "./notifications-view.ts";

const PAGE_SIZE = 30;
const SHOWN = Type.Object({
  unread: flag("Only the unread ones"),
  about: text("Only those of some kinds: a word of the tabs"),
});
const OPENED = Type.Object({
  id: text("The ids of the notifications, with commas between"),
  to: text("The page that they are about"),
});
const MARKED = Type.Object({
  id: text("The ids of notifications, with commas between; `all` for all"),
});

/** Acts of other people that concern the user. */
export function notificationRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.get(
    NOTIFICATIONS,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      return sendNotifications(context, request, reply, session);
    },
  );
  app.get(
    OPEN_NOTICES,
    { config: { access: "session", limit: "write" } },
    async (request, reply) => {
      const to = readReturnTarget(readInput(OPENED, request.parameters).to);
      const session = await findVisitor(context, request);
      // A repeated or foreign request can do no more than mark as read.
      if (session && request.method === "GET")
        await markRead(context, session, readIds(request.parameters));
      return redirectTo(reply, session ? to : signInPath(to));
    },
  );
  app.post(
    READ,
    { config: { access: "session", limit: "write" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session)
        return askToSignIn(context, request, reply, { to: NOTIFICATIONS });
      checkCsrf(session, request.parameters);
      await markRead(context, session, readIds(request.parameters));
      return redirectTo(reply, NOTIFICATIONS);
    },
  );
}

async function sendNotifications(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Promise<FastifyReply> {
  const { unread, about } = readInput(SHOWN, request.parameters);
  const tab = unread
    ? "unread"
    : (SUBJECTS.find((it) => it === about) ?? "all");
  const { user } = session;
  const path = noticesPath(tab);
  const list = { path, size: PAGE_SIZE, order: "newest first" } as const;
  const part = await readKeyedPart(request, list, (page) =>
    readTab(context, user, tab, page),
  );
  const items = await loadNotices(context, user, part.items);
  return sendPage(reply, {
    head: { title: texts.title, noindex: true },
    session,
    main: notificationsView(
      session,
      { ...part, items },
      {
        tab,
        now: context.clock.now(),
        waiting: await context.contacts.requests.count(
          user.userId,
          MAX_COUNTED_REQUESTS,
        ),
      },
    ),
  });
}

/** The reasons of the notifications on the tabs for some of them. */
const REASONS: Readonly<Record<Subject, readonly NotificationReason[]>> = {
  talk: [
    ...(["comment", "mention", "message", "quote"] as const),
    ...(["post", "post_changed", "quoted_changed", "poll_ended"] as const),
  ],
  liked: ["like", "reshare"],
  people: ["contact", "contact_moved", "follow_request", "follow_refused"],
  events: [
    ...(["event_invitation", "event_changed", "event_answer"] as const),
    ...(["event_cancelled", "event_reply"] as const),
    ...(["event_reminder", "calendar_shared"] as const),
  ],
};

function readTab(
  { notifications }: PagesContext,
  user: NotificationOwner,
  tab: NoticeTab,
  page: Page,
): Promise<Notification[]> {
  if (tab === "all" || tab === "unread")
    return notifications.list(user, tab === "unread", page);
  const which = { reasons: REASONS[tab], withDislikes: true };
  return notifications.listSome(user, which, page);
}

/** A notification that is gone meanwhile needs no mark. */
async function markRead(
  { notifications }: PagesContext,
  { user }: Session,
  ids: readonly NotificationId[] | typeof ALL,
): Promise<void> {
  if (ids === ALL) {
    await notifications.markAllRead(user.userId);
    return;
  }
  for (const id of ids)
    if (await notifications.find(user, id))
      await notifications.markRead(user, id);
}

/** @throws {KithError} `not_found` for what is no list of ids */
function readIds(parameters: Parameters): NotificationId[] | typeof ALL {
  const { id = "" } = readInput(MARKED, parameters);
  if (id === ALL) return ALL;
  const ids = id.split(",");
  const isList = ids.every((it) => /^[1-9]\d{0,14}$/.test(it));
  if (!isList || ids.length > PAGE_SIZE)
    throw new KithError("not_found", "No such notification.");
  return ids.map((it) => Number(it) as NotificationId);
}
