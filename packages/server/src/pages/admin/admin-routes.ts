import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isAtLeast, type Role } from "../../features/accounts/index.ts";
import { KithError } from "../../lib/errors.ts";
import { checkCsrf } from "../csrf.ts";
import { html, type Html } from "../html.ts";
import { sendPage } from "../send-page.ts";
import { findVisitor, goTo, type PagesContext } from "../visitor.ts";
import { signInPath } from "../way-back.ts";
import {
  clearAdminNotice,
  readAdminNotice,
  setAdminNotice,
} from "./admin-notice.ts";
import type { AdminAct, AdminPage, AdminVisit } from "./admin-page.ts";
import { adminTexts as texts } from "./admin-texts.ts";
import { adminView } from "./admin-view.ts";
import { accountsPage } from "./accounts-page.ts";
import { auditPage } from "./audit-page.ts";
import { hostsPage } from "./hosts-page.ts";
import { invitationsPage } from "./invitations-page.ts";
import { overviewPage } from "./overview-page.ts";
import { peoplePage } from "./people-page.ts";
import { queuePage } from "./queue-page.ts";
import { registrationsPage } from "./registrations-page.ts";
import { reportsPage } from "./reports-page.ts";

/** Every page below /admin, in the order of its navigation. */
const PAGES: readonly AdminPage[] = [
  overviewPage,
  reportsPage,
  peoplePage,
  registrationsPage,
  accountsPage,
  invitationsPage,
  hostsPage,
  queuePage,
  auditPage,
];

/** What forms here carry at most: a few words, three bytes for each letter. */
const BODY_LIMIT = 64 * 1024;

/** Serves the pages of those who run this server. */
export function adminRoutes(app: FastifyInstance, context: PagesContext): void {
  for (const page of PAGES) {
    app.get(
      page.path,
      { config: { access: page.access, limit: "read" } },
      (request, reply) => visit(context, page, request, reply, showPage),
    );
    for (const [name, act] of Object.entries(page.acts ?? {}))
      app.post(
        `${page.path}/${name}`,
        {
          config: { access: page.actsFor ?? page.access, limit: "write" },
          bodyLimit: BODY_LIMIT,
        },
        (request, reply) =>
          visit(context, page, request, reply, (it, on) =>
            carryOut(act, it, on),
          ),
      );
  }
}

type Answer = (page: AdminPage, visit: AdminVisit) => Promise<FastifyReply>;

/** Lets in whoever may be here; for others there is nothing at this address. */
async function visit(
  context: PagesContext,
  page: AdminPage,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
): Promise<FastifyReply> {
  const session = await findVisitor(context, request);
  if (!session) {
    const back = request.method === "GET" ? request.url : page.path;
    return goTo(reply, signInPath(back));
  }
  const may = ({ access }: { access: Role }) =>
    isAtLeast(session.user.role, access);
  const mayAct = may({ access: page.actsFor ?? page.access });
  if (request.method === "POST" ? !mayAct : !may(page))
    throw new KithError("not_found", `The page ${page.path} is for others.`);
  return answer(page, {
    context,
    session,
    by: session.user,
    request,
    reply,
    pages: PAGES.filter(may),
    mayAct,
  });
}

async function carryOut(
  act: AdminAct,
  page: AdminPage,
  visit: AdminVisit,
): Promise<FastifyReply> {
  checkCsrf(visit.session, visit.request.parameters);
  const outcome = await act(visit);
  if ("fault" in outcome)
    return send(page, visit, await page.show(visit), {
      status: 422,
      fault: outcome.fault,
    });
  if ("shown" in outcome)
    return send(
      page,
      visit,
      html`${outcome.shown}
        <p><a href="${page.path}">${texts.back}</a></p>`,
    );
  void visit.reply.header("set-cookie", setAdminNotice(outcome.done));
  return goTo(visit.reply, outcome.to ?? page.path);
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
    head: { title: `${page.title} – ${texts.title}`, noindex: true },
    session,
    main: adminView(page, pages, main, said),
  });
}
