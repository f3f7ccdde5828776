import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Static } from "typebox";
import type { Session, Settings } from "../../features/accounts/index.ts";
import { flag, readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { NEVER } from "../events/reminder-view.ts";
import { POLICY_WITH_SCRIPT, sendPage } from "../kit/send-page.ts";
import { readAs, showIn } from "../languages/reader.ts";
import { pageTexts } from "../languages/texts.ts";
import { APPEARANCES, setAppearance } from "../languages/appearance.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { pushPageRoutes, readPushState } from "./push-routes.ts";
import {
  SETTINGS_PATH,
  settingsView,
  type SettingsDraft,
} from "./settings-view.ts";

const texts = pageTexts.settingsPage;

const CHANGES = Type.Object({
  language: text("The language of the pages, such as en"),
  time_zone: text("The IANA name of a time zone, such as Europe/Berlin"),
  appearance: text("In which colours this browser shows pages"),
  link_previews: flag("Show previews of linked pages?"),
  post_language: text("The language of what the user writes; blank for none"),
  event_reminder: text("Minutes before an event, or never"),
  day_reminder: text("Minutes before the day of an event, or never"),
  read_languages: text("The languages that the user reads, by their tags"),
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
      return sendSettings(context, request, reply, session, {});
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
      const input = readInput(CHANGES, request.parameters);
      const {
        language: locale = "",
        time_zone: timeZone = "",
        link_previews: linkPreviews = false,
      } = input;
      try {
        const { userId } = session.user;
        const appearance = readChoice(input.appearance);
        const changed = {
          ...{ locale, timeZone, linkPreviews },
          ...readLanguages(input),
          ...readReminders(input),
        };
        readAs(
          await context.accounts.changeSettings(userId, changed, (tx) =>
            context.events.renewReminders(tx, { userId }),
          ),
        );
        if (appearance) {
          showIn(appearance);
          const cookie = setAppearance(appearance, context.baseUrl);
          void reply.header("set-cookie", cookie);
        }
        const draft = { notice: texts.saved };
        return await sendSettings(context, request, reply, session, draft);
      } catch (error) {
        if (!(error instanceof KithError) || error.code !== "bad_request")
          throw error;
        const draft = { fault: texts.refused };
        return sendSettings(context, request, reply, session, draft, 422);
      }
    },
  );
  pushPageRoutes(app, context, {
    path: SETTINGS_PATH,
    send: (request, reply, session, draft) =>
      sendSettings(context, request, reply, session, draft, 422),
  });
}

/** @throws {KithError} `bad_request` */
function readReminders({
  event_reminder: event,
  day_reminder: day,
}: Static<typeof CHANGES>): Partial<Settings> {
  return {
    ...(event !== undefined && { eventReminder: readMinutes(event) }),
    ...(day !== undefined && { dayReminder: readMinutes(day) }),
  };
}

function readMinutes(given: string): number | null {
  if (given === NEVER) return null;
  if (/^\d{1,5}$/.test(given)) return Number(given);
  throw new KithError("bad_request", "There is no such reminder.");
}

/** The languages that are sent; others stay. */
function readLanguages({
  post_language: written,
  read_languages: read,
}: Static<typeof CHANGES>): Partial<Settings> {
  return {
    ...(written !== undefined && {
      postLanguage: written.trim() === "" ? null : written.trim(),
    }),
    ...(read !== undefined && {
      readLanguages: read.split(/[\s,;]+/).filter((tag) => tag !== ""),
    }),
  };
}

/** @throws {KithError} `bad_request` */
function readChoice(given: string | undefined) {
  const chosen = APPEARANCES.find((it) => it === given);
  if (given !== undefined && chosen === undefined)
    throw new KithError("bad_request", "There is no such appearance.");
  return chosen;
}

async function sendSettings(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  draft: SettingsDraft,
  status = 200,
): Promise<FastifyReply> {
  const { accounts, invitations } = context;
  const { user } = session;
  void reply.header("content-security-policy", POLICY_WITH_SCRIPT);
  return sendPage(reply, {
    status,
    head: { title: texts.title, noindex: true },
    session,
    main: settingsView(session, await accounts.getSettings(user.userId), {
      ...draft,
      mayInvite: invitations.mayInvite(user),
      hasMail: context.mails.isEnabled,
      push: await readPushState(context, request, session),
    }),
  });
}
