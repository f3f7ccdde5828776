import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import {
  MAIL_FREQUENCIES,
  STAFF_MAIL_KINDS,
  staffKindsOf,
  type MailFrequency,
} from "../../features/mail/index.ts";
import { NOTIFICATION_KINDS } from "../../features/notifications/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { sendPage } from "../kit/send-page.ts";
import { mailTexts, pageTexts } from "../languages/texts.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { MAIL_SETTINGS } from "./mail-paths.ts";
import {
  mailSettingsView,
  NEW_ADDRESS,
  REMOVE_ADDRESS,
  type MailSettingsDraft,
} from "./mail-settings-view.ts";

const texts = mailTexts.settings;

const PROOF = Type.Object({ password: text("The password, once more") });
const ADDRESS = Type.Object({
  ...PROOF.properties,
  email: text("The e-mail address to which a link is sent"),
});
const CHOICES = Type.Object({
  frequency: Type.Optional(
    Type.Unsafe<MailFrequency>({
      ...{ type: "string", enum: [...MAIL_FREQUENCIES] },
      description: "How often notifications are sent",
    }),
  ),
  kinds: Type.Optional(
    Type.Array(Type.String({ enum: [...NOTIFICATION_KINDS] }), {
      description: "The kinds of notifications that are sent",
    }),
  ),
  staff: Type.Optional(
    Type.Array(Type.String({ enum: [...STAFF_MAIL_KINDS] }), {
      description: "What those who run the server are sent",
    }),
  ),
});

type Change = (
  context: PagesContext,
  request: FastifyRequest,
  session: Session,
) => Promise<MailSettingsDraft>;

/** The user's own e-mail address, and what is sent there. */
export function mailSettingsRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.get(
    MAIL_SETTINGS,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      refuseWithoutMail(context);
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      return sendSettings(context, reply, session, {});
    },
  );
  for (const [path, change, limit] of [
    [MAIL_SETTINGS, saveChoices, "write"],
    [NEW_ADDRESS, wantAddress, "credentials"],
    [REMOVE_ADDRESS, removeAddress, "credentials"],
  ] as const)
    app.post(path, { config: { access: "session", limit } }, (request, reply) =>
      receive(context, request, reply, change),
    );
}

/** @throws {KithError} `not_found` without a mail server */
export function refuseWithoutMail({ mails }: PagesContext): void {
  if (!mails.isEnabled)
    throw new KithError("not_found", "This server sends no mails.");
}

async function receive(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  change: Change,
): Promise<FastifyReply> {
  refuseWithoutMail(context);
  const session = await findVisitor(context, request);
  if (!session)
    return askToSignIn(context, request, reply, { to: MAIL_SETTINGS });
  checkCsrf(session, request.parameters);
  try {
    const draft = await change(context, request, session);
    return await sendSettings(context, reply, session, draft);
  } catch (error) {
    const fault = faultOf(error);
    if (!fault) throw error;
    const { email: typed = "" } = readInput(ADDRESS, request.parameters);
    const draft = { fault: fault.words, typed };
    return sendSettings(context, reply, session, draft, fault.status);
  }
}

function faultOf(error: unknown) {
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "unauthorized")
    return { words: texts.wrongPassword, status: 401 };
  if (error.code === "conflict")
    return { words: pageTexts.account.faults.email_refused, status: 409 };
  return error.code === "invalid"
    ? { words: texts.malformed, status: 422 }
    : undefined;
}

const wantAddress: Change = async ({ mails }, request, { user }) => {
  const input = readInput(ADDRESS, request.parameters);
  const { email = "", password = "" } = input;
  await mails.want(user, { password, from: request.network }, email);
  return { notice: texts.sent };
};

const removeAddress: Change = async ({ mails }, request, { user }) => {
  const { password = "" } = readInput(PROOF, request.parameters);
  await mails.remove(user, { password, from: request.network });
  return { notice: texts.removed };
};

/** Of boxes a form sends those that are checked. */
const saveChoices: Change = async ({ mails }, request, { user }) => {
  const input = readInput(CHOICES, request.parameters);
  const { frequency, kinds = [], staff = [] } = input;
  await mails.change(user, {
    ...(frequency && { frequency }),
    kinds: NOTIFICATION_KINDS.filter((kind) => kinds.includes(kind)),
    staffKinds: staffKindsOf(user.role).filter((kind) => staff.includes(kind)),
  });
  return { notice: texts.saved };
};

async function sendSettings(
  { mails }: PagesContext,
  reply: FastifyReply,
  session: Session,
  draft: MailSettingsDraft,
  status = 200,
): Promise<FastifyReply> {
  const settings = await mails.get(session.user.userId);
  return sendPage(reply, {
    status,
    head: { title: texts.title, noindex: true },
    session,
    main: mailSettingsView(session, settings, draft),
  });
}
