import type { FastifyInstance, FastifyReply } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { sendPage } from "../kit/send-page.ts";
import { readAs } from "../languages/reader.ts";
import { pageTexts } from "../languages/texts.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import {
  SETTINGS_PATH,
  settingsView,
  type SettingsDraft,
} from "./settings-view.ts";

const texts = pageTexts.settingsPage;

const CHANGES = Type.Object({
  language: text("The language of the pages, such as en"),
  time_zone: text("The IANA name of a time zone, such as Europe/Berlin"),
});

/** The user's own settings. */
export function ownSettingsRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.get(
    SETTINGS_PATH,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      return sendSettings(context, reply, session, {});
    },
  );
  app.post(
    SETTINGS_PATH,
    { config: { access: "session", limit: "write" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session)
        return askToSignIn(context, request, reply, { to: SETTINGS_PATH });
      checkCsrf(session, request.parameters);
      const { language: locale = "", time_zone: timeZone = "" } = readInput(
        CHANGES,
        request.parameters,
      );
      try {
        const { userId } = session.user;
        const changed = { locale, timeZone };
        readAs(await context.accounts.changeSettings(userId, changed));
        const draft = { notice: texts.saved };
        return await sendSettings(context, reply, session, draft);
      } catch (error) {
        if (!(error instanceof KithError) || error.code !== "bad_request")
          throw error;
        const draft = { fault: texts.refused };
        return sendSettings(context, reply, session, draft, 422);
      }
    },
  );
}

async function sendSettings(
  context: PagesContext,
  reply: FastifyReply,
  session: Session,
  draft: SettingsDraft,
  status = 200,
): Promise<FastifyReply> {
  const { accounts, invitations } = context;
  const { user } = session;
  return sendPage(reply, {
    status,
    head: { title: texts.title, noindex: true },
    session,
    main: settingsView(session, await accounts.getSettings(user.userId), {
      ...draft,
      mayInvite: invitations.mayInvite(user),
    }),
  });
}
