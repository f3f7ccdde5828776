import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  isAtLeast,
  type Role,
  type Session,
} from "../../features/accounts/index.ts";
import { KithError } from "../../lib/errors.ts";
import { checkCsrf, isOfSession } from "../kit/csrf.ts";
import { html, type Html } from "../kit/html.ts";
import { sendPage } from "../kit/send-page.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
  type Resume,
} from "../session/visitor.ts";
import { adminTexts as texts, pageTexts } from "../languages/texts.ts";
import { wantsJson } from "../kit/wanted-type.ts";
import { admitUploads } from "../session/admit-uploads.ts";
import {
  draftOf,
  DRAFT_BODY_LIMIT,
  signInPath,
  type FormDraft,
} from "../session/return-target.ts";
import {
  clearAdminNotice,
  readAdminNotice,
  setAdminNotice,
} from "./admin-notice.ts";
import type { AdminPage, AdminVisit } from "./admin-page.ts";
import { adminView } from "./admin-view.ts";
import { appealsPage } from "./pages/appeals-page.ts";
import { accountsPage } from "./pages/accounts-page.ts";
import { announcementsPage } from "./pages/announcements-page.ts";
import { auditPage } from "./pages/audit-page.ts";
import { bansPage } from "./pages/bans-page.ts";
import { hostsPage } from "./pages/hosts-page.ts";
import { invitationsPage } from "./pages/invitations-page.ts";
import { overviewPage } from "./pages/overview-page.ts";
import { peoplePage } from "./pages/people-page.ts";
import { queuePage } from "./pages/queue-page.ts";
import { registrationsPage } from "./pages/registrations-page.ts";
import { serverPage } from "./pages/server-page.ts";
import { heldTextsPage } from "./spam/held-texts-page.ts";
import { spamLogPage } from "./spam/spam-log-page.ts";
import { spamRulesPage } from "./spam/spam-rules-page.ts";
import { reportsPage } from "./pages/reports-page.ts";

/** Every page below /admin, in the order of its navigation. */
const PAGES: readonly AdminPage[] = [
  overviewPage,
  reportsPage,
  appealsPage,
  heldTextsPage,
  peoplePage,
  registrationsPage,
  accountsPage,
  invitationsPage,
  serverPage,
  announcementsPage,
  hostsPage,
  bansPage,
  spamRulesPage,
  spamLogPage,
  queuePage,
  auditPage,
];

/** Bytes of a form: a short text, with up to three bytes for each character. */
const BODY_LIMIT = 64 * 1024;

/** The field that identifies the form. */
const ACT = "act";

/** Serves the pages of the administration. */
export function adminRoutes(app: FastifyInstance, context: PagesContext): void {
  for (const page of PAGES) {
    app.get(
      page.path,
      { config: { access: page.access, limit: "read" } },
      async (request, reply) => {
        const session = await findVisitor(context, request);
        if (!session) return redirectTo(reply, signInPath(request.url));
        const visit = authorize(context, page, session, request, reply, "look");
        return showPage(page, visit);
      },
    );
    for (const name of Object.keys(page.acts ?? {}))
      app.post(
        `${page.path}/${name}`,
        routeOptions(context, page, page.files?.[name]),
        async (request, reply) => {
          const session = await findVisitor(context, request);
          if (!session) return keepForm(context, page, name, request, reply);
          const visit = authorize(
            context,
            page,
            session,
            request,
            reply,
            "act",
          );
          return perform(page, name, visit);
        },
      );
  }
}

function routeOptions(
  context: PagesContext,
  page: AdminPage,
  file: string | undefined,
) {
  const access = page.actsFor ?? page.access;
  if (file === undefined)
    return {
      config: { access, limit: "write" } as const,
      bodyLimit: page.bodyLimit ?? BODY_LIMIT,
    };
  return {
    config: { access, limit: "costly", file } as const,
    bodyLimit: DRAFT_BODY_LIMIT,
    onRequest: admitUploads(context),
  };
}

/**
 * The page for each path after a sign-in: no act happens before the user has
 * confirmed it again.
 */
export const RESUME_ADMIN: readonly (readonly [string, Resume])[] = PAGES.map(
  (page) => [
    page.path,
    (context, request, reply, session, { [ACT]: act = "", ...draft }) => {
      const visit = authorize(context, page, session, request, reply, "look");
      const typed = draftOf(page.keeps ?? [], draft);
      return showAgain(page, visit, act, typed, {
        fault: pageTexts.form.signedOut,
      });
    },
  ],
);

/**
 * Authorizes a visitor. @throws {KithError} `not_found`: for others the page
 * does not exist
 */
function authorize(
  context: PagesContext,
  page: AdminPage,
  session: Session,
  request: FastifyRequest,
  reply: FastifyReply,
  does: "look" | "act",
): AdminVisit {
  const may = ({ access }: { access: Role }) =>
    isAtLeast(session.user.role, access);
  const mayAct = may({ access: page.actsFor ?? page.access });
  if (does === "act" ? !mayAct : !may(page))
    throw new KithError("not_found", `The page ${page.path} is for others.`);
  return {
    context,
    session,
    by: session.user,
    request,
    reply,
    parameters: request.parameters,
    typed: () => ({}),
    pages: PAGES.filter(may),
    mayAct,
  };
}

/** The sign-in page keeps the input, and leads back to it. */
function keepForm(
  context: PagesContext,
  page: AdminPage,
  act: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  const typed = draftOf(page.keeps ?? [], request.parameters);
  const shown = new URLSearchParams(draftOf(page.shows ?? [], typed));
  const to = shown.size > 0 ? `${page.path}?${shown.toString()}` : page.path;
  if (Object.keys(typed).length === 0) return redirectTo(reply, signInPath(to));
  const draft = { ...typed, [ACT]: act };
  return askToSignIn(context, request, reply, { to, draft });
}

async function perform(
  page: AdminPage,
  name: string,
  visit: AdminVisit,
): Promise<FastifyReply> {
  const act = page.acts?.[name];
  if (!act) throw new Error(`${page.path} has no act ${name}`);
  const { session, request, parameters } = visit;
  const typed = draftOf(page.keeps ?? [], parameters);
  if (wantsJson(request.headers.accept)) checkCsrf(session, parameters);
  if (!isOfSession(session, parameters))
    return showAgain(page, visit, name, typed, {
      status: 403,
      fault: pageTexts.form.expired,
    });
  const outcome = await act(visit);
  if ("fault" in outcome)
    return showAgain(page, visit, name, typed, {
      status: 422,
      fault: outcome.fault,
    });
  if ("shown" in outcome)
    return send(
      page,
      visit,
      html`${outcome.shown}
        <p><a href="${page.path}">${pageTexts.list.back}</a></p>`,
    );
  void visit.reply.header("set-cookie", setAdminNotice(outcome.done));
  return redirectTo(visit.reply, outcome.to ?? page.path);
}

/** Shows the page again with the input of a refused form and the reason. */
async function showAgain(
  page: AdminPage,
  visit: AdminVisit,
  name: string,
  typed: FormDraft,
  said: { readonly status?: number; readonly fault: string },
): Promise<FastifyReply> {
  const again = {
    ...visit,
    parameters: draftOf(page.shows ?? [], typed),
    typed: (act: string) => (act === name ? typed : {}),
  };
  return send(page, again, await page.show(again), said);
}

async function showPage(
  page: AdminPage,
  visit: AdminVisit,
): Promise<FastifyReply> {
  const notice = readAdminNotice(visit.request.headers.cookie);
  if (notice) void visit.reply.header("set-cookie", clearAdminNotice());
  return send(page, visit, await page.show(visit), { notice });
}

function send(
  page: AdminPage,
  { reply, session, pages }: AdminVisit,
  main: Html,
  {
    status = 200,
    ...said
  }: { readonly status?: number } & Parameters<typeof adminView>[3] = {},
): FastifyReply {
  return sendPage(reply, {
    status,
    head: {
      title: `${page.title} – ${texts.title}`,
      ...{ noindex: true, isWide: true },
    },
    session,
    main: adminView(page, pages, main, said),
  });
}
