import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import { readInput, uint } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf, csrfField } from "../kit/csrf.ts";
import { noticeView } from "../kit/components/notices-view.ts";
import { alertView } from "../kit/form-fields.ts";
import { html } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import { readKeyedPart } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { heldTexts, strikeTexts as texts } from "../languages/texts.ts";
import { STRIKES } from "../session/places.ts";
import { draftOf, signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
  type Resume,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import {
  APPEALED,
  tryToAppeal,
  keptAppeal,
  type TypedAppeal,
} from "../strikes/try-to-appeal.ts";
import { heldTextsView, WITHDRAW_HELD } from "../strikes/held-texts-view.ts";
import { strikesView } from "../strikes/strike-view.ts";

const APPEAL = `${STRIKES}/appeal`;
const PAGE_SIZE = 20;
const WITHDRAWN = Type.Object({ id: uint("A text of one's own that waits") });
/** There are at most 20 of one author. */
const ALL_THAT_WAIT = { offset: 0, limit: 100 };

/** The moderators' decisions about the user, and appeals against them. */
export function strikeRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.get(
    STRIKES,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      return sendStrikes(context, request, reply, session, {});
    },
  );
  app.post(
    APPEAL,
    { config: { access: "session", limit: "costly" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) {
        const draft = draftOf(["id", "text"], request.parameters);
        return askToSignIn(context, request, reply, { to: STRIKES, draft });
      }
      checkCsrf(session, request.parameters);
      const typed = readInput(APPEALED, request.parameters);
      const fault = await tryToAppeal(context, session.user, typed);
      return sendStrikes(
        ...([context, request, reply, session] as const),
        fault === undefined ? { notice: texts.sent } : { typed, fault },
      );
    },
  );
  app.post(
    WITHDRAW_HELD,
    { config: { access: "session", limit: "write" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session)
        return askToSignIn(context, request, reply, { to: STRIKES, draft: {} });
      checkCsrf(session, request.parameters);
      const { id = 0 } = readInput(WITHDRAWN, request.parameters);
      const isGone = await withdraw(context, session, id);
      return sendStrikes(
        ...([context, request, reply, session] as const),
        isGone ? { fault: heldTexts.gone } : { notice: heldTexts.withdrawn },
      );
    },
  );
}

async function withdraw(
  { heldTexts: held }: PagesContext,
  { user }: Session,
  id: number,
): Promise<boolean> {
  try {
    await held.withdraw(user.personId, id);
    return false;
  } catch (error) {
    if (error instanceof KithError && error.code === "not_found") return true;
    throw error;
  }
}

export const resumeStrike: Resume = (
  context,
  request,
  reply,
  session,
  draft,
) => {
  const { id = "", text: words = "" } = draft;
  const typed = { id: Number(id) || 0, text: words };
  return sendStrikes(context, request, reply, session, { typed });
};

async function sendStrikes(
  { clock, strikes, heldTexts: held }: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  {
    typed,
    fault,
    notice,
  }: {
    readonly typed?: TypedAppeal;
    readonly fault?: string;
    readonly notice?: string;
  },
): Promise<FastifyReply> {
  const list = { path: STRIKES, size: PAGE_SIZE } as const;
  const order = "newest first";
  const part = await readKeyedPart(request, { ...list, order }, (page) =>
    strikes.listOf(session.user.personId, page),
  );
  const { personId } = session.user;
  const waiting = await held.listOf(personId, ALL_THAT_WAIT);
  const form = {
    ...{ action: APPEAL, proof: csrfField(session) },
    typed: typed && keptAppeal(typed),
  };
  return sendPage(reply, {
    status: fault === undefined ? 200 : 422,
    head: { title: texts.title, noindex: true },
    session,
    main: html`<h1>${texts.title}</h1>
      <p class="quiet">${texts.about}</p>
      ${noticeView(notice)} ${alertView(fault === undefined ? [] : [fault])}
      ${heldTextsView(session, waiting, clock.now())}
      ${strikesView(part.items, form, clock.now())} ${paginationView(part)}`,
  });
}
