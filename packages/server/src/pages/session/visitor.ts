import type { FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { PagesDeps } from "../kit/deps.ts";
import { MAX_UNREAD, type ShownSession } from "../kit/navigation.ts";
import { readAs } from "../languages/reader.ts";
import type { SecretCookie } from "./session-cookie.ts";
import type { FormDraft, ReturnTarget } from "./return-target.ts";

/** The dependencies of every page route. */
export type PagesContext = PagesDeps & {
  readonly cookie: SecretCookie;
  readonly pendingCookie: SecretCookie;
  /** Leads back after a sign-in: to the form with its draft, or to the page. */
  readonly resume: (
    context: PagesContext,
    request: FastifyRequest,
    reply: FastifyReply,
    session: Session,
    back: ReturnTarget,
  ) => Promise<FastifyReply>;
};

/** The dependencies for finding the session. */
export type VisitorContext = Pick<
  PagesContext,
  "accounts" | "cookie" | "notifications"
>;

/** Shows a form again with its draft, without submitting it. */
export type Resume = (
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  draft: FormDraft,
) => Promise<FastifyReply>;

/** The session of a request for a file. @throws {KithError} `too_many_requests` */
export async function findSessionOf(
  { accounts, cookie }: Pick<VisitorContext, "accounts" | "cookie">,
  request: FastifyRequest,
): Promise<Session | undefined> {
  const secret = cookie.read(request.headers.cookie);
  const session =
    secret === undefined ? undefined : await accounts.findSession(secret);
  if (session) request.countFor(session.user.userId);
  return session;
}

/**
 * The session of the request; with what the navigation shows, if a page is
 * requested.
 * @throws {KithError} `too_many_requests`
 */
export async function findVisitor(
  context: VisitorContext,
  request: FastifyRequest,
): Promise<ShownSession | undefined> {
  const session = await findSessionOf(context, request);
  if (!session) return undefined;
  readAs(session.settings);
  if (request.method !== "GET") return session;
  const { notifications } = context;
  const unread = await notifications.countUnread(session.user, MAX_UNREAD + 1);
  return { ...session, unread };
}

/** Redirects the browser with GET. */
export function redirectTo(reply: FastifyReply, path: string): FastifyReply {
  return reply.header("cache-control", "no-store").redirect(path, 302);
}
