import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  type Session,
} from "../../features/accounts/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { writeTar } from "../../lib/media/tar.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { sendPage } from "../kit/send-page.ts";
import { accountTexts as texts } from "../languages/texts.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { receiveDraft } from "../sign-in/receive-draft.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import {
  ACCOUNT,
  ACCOUNT_DELETE,
  deleteAccountView,
  deletedView,
  ownAccountView,
  type AccountSaid,
} from "./own-account-view.ts";

const PASSWORDS = Type.Object({
  current: text("The password until now"),
  password: text("The new password"),
  confirm: text("The new password, once more"),
});

const PROOF = Type.Object({ password: text("The password of the account") });

/** The password, the export and the end of one's own account. */
export function ownAccountRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const read = { config: { access: "session", limit: "read" } } as const;
  const proven = {
    config: { access: "session", limit: "credentials" },
  } as const;
  for (const [path, send] of [
    [ACCOUNT, sendAccount],
    [ACCOUNT_DELETE, sendDelete],
  ] as const)
    app.get(path, read, async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(path));
      return send(reply, session, {});
    });
  app.post(`${ACCOUNT}/password`, proven, (request, reply) =>
    receivePassword(context, request, reply),
  );
  app.post(
    `${ACCOUNT}/export`,
    { config: { access: "session", limit: "costly" } },
    (request, reply) => sendExport(context, request, reply),
  );
  app.post(ACCOUNT_DELETE, proven, (request, reply) =>
    receiveDelete(context, request, reply),
  );
}

function receivePassword(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const back = { to: ACCOUNT };
  return receiveDraft(context, request, reply, back, async (session, isOld) => {
    if (isOld)
      return sendAccount(reply, session, { fault: texts.expired }, 403);
    const input = readInput(PASSWORDS, request.parameters);
    const { current = "", password = "", confirm = "" } = input;
    const words = texts.password;
    if (password !== confirm)
      return sendAccount(reply, session, { fault: words.differ }, 422);
    const secret = context.cookie.read(request.headers.cookie);
    try {
      await context.accounts.changePassword(session.user, {
        ...{ current, wanted: password, from: request.network },
        kept: secret === undefined ? {} : { session: secret },
      });
    } catch (error) {
      const fault = faultOf(error, words.wrong);
      if (fault === undefined) throw error;
      return sendAccount(reply, session, { fault }, 422);
    }
    return sendAccount(reply, session, { notice: words.done });
  });
}

/** A fault that the user can correct. */
function faultOf(error: unknown, wrong: string): string | undefined {
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "unauthorized") return wrong;
  return error.code === "bad_request"
    ? texts.password.short(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH)
    : undefined;
}

/** A second export at the same time is a fault. */
async function sendExport(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const session = await findVisitor(context, request);
  if (!session) return askToSignIn(context, request, reply, { to: ACCOUNT });
  checkCsrf(session, request.parameters);
  const now = context.clock.now();
  const started = beginExport(context, session);
  if (!started)
    return sendAccount(reply, session, { fault: texts.export.running }, 409);
  const day = now.toISOString().slice(0, 10);
  const name = `kith-${session.user.username}-${day}.tar.gz`;
  return reply
    .headers({
      "content-type": "application/gzip",
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    })
    .send(
      pipeline(
        Readable.from(writeTar(started.files, now), { objectMode: false }),
        createGzip(),
        started.end,
      ),
    );
}

function beginExport({ exports }: PagesContext, { user }: Session) {
  try {
    return exports.begin(user);
  } catch (error) {
    if (error instanceof KithError && error.code === "conflict")
      return undefined;
    throw error;
  }
}

function receiveDelete(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const back = { to: ACCOUNT_DELETE };
  return receiveDraft(context, request, reply, back, async (session, isOld) => {
    if (isOld) return sendDelete(reply, session, { fault: texts.expired }, 403);
    const { password = "" } = readInput(PROOF, request.parameters);
    try {
      await context.leaving.leave(session.user, password, request.network);
    } catch (error) {
      if (!(error instanceof KithError) || error.code !== "unauthorized")
        throw error;
      return sendDelete(reply, session, { fault: texts.wrong }, 422);
    }
    void reply.header("set-cookie", context.cookie.clear());
    return sendPage(reply, {
      head: { title: texts.delete.done, noindex: true },
      session: undefined,
      main: deletedView(),
    });
  });
}

function sendAccount(
  reply: FastifyReply,
  session: Session,
  said: AccountSaid,
  status = 200,
): FastifyReply {
  return sendPage(reply, {
    status,
    head: { title: texts.title, noindex: true },
    session,
    main: ownAccountView(session, said),
  });
}

function sendDelete(
  reply: FastifyReply,
  session: Session,
  said: AccountSaid,
  status = 200,
): FastifyReply {
  return sendPage(reply, {
    status,
    head: { title: texts.delete.title, noindex: true },
    session,
    main: deleteAccountView(session, said),
  });
}
