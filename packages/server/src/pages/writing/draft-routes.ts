import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { Draft } from "../../features/drafts/index.ts";
import type { AspectSummary } from "../../features/aspects/index.ts";
import type { DraftId } from "../../features/ids.ts";
import { KithError } from "../../lib/errors.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { actForm, alertView } from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { paginationView } from "../kit/list-view.ts";
import { readKeyedPart, type Part } from "../kit/page-input.ts";
import { sendPage } from "../kit/send-page.ts";
import { dayTimeView } from "../kit/time-view.ts";
import { composeTexts, detailTexts, pageTexts } from "../languages/texts.ts";
import { excerpt } from "../posts/post-text.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { faultOfFailed } from "../compose/failed-draft.ts";
import { readDraftId } from "../compose/write-routes.ts";
import { DRAFTS } from "../compose/write-view.ts";
import { draftPath, WRITE } from "../session/places.ts";

const texts = composeTexts.list;
const LIST = { path: "", size: 20, order: "newest first" } as const;
/** Characters of a text. */
const SHOWN = 120;

type OfId = { Params: { id: string } };
type Act = (session: Session, id: DraftId) => Promise<unknown>;

/** One's own drafts and scheduled posts. */
export function draftPageRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const { drafts } = context;
  app.get(
    DRAFTS,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      return sendDrafts(context, request, reply, session);
    },
  );
  const acts: readonly (readonly [string, string, Act])[] = [
    ["publish", "/home", ({ user }, id) => drafts.publish(user, id)],
    ["delete", DRAFTS, ({ user }, id) => drafts.remove(user.userId, id)],
  ];
  for (const [name, after, act] of acts)
    app.post<OfId>(
      `${DRAFTS}/:id/${name}`,
      { config: { access: "session", limit: "write" } },
      async (request, reply) => {
        const id = readDraftId(request.params.id);
        const session = await findVisitor(context, request);
        if (!session)
          return askToSignIn(context, request, reply, { to: DRAFTS });
        checkCsrf(session, request.parameters);
        try {
          await act(session, id);
        } catch (error) {
          if (!(await isRefused(context, session, id, error))) throw error;
          return sendDrafts(context, request, reply, session, texts.refused);
        }
        return redirectTo(reply, after);
      },
    );
}

/** A draft that the rules refuse is still there, unlike one that nobody has. */
async function isRefused(
  { drafts }: PagesContext,
  { user }: Session,
  id: DraftId,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof KithError)) return false;
  await drafts.get(user.userId, id);
  return ["bad_request", "empty_string", "not_found"].includes(error.code);
}

/** A saved draft as the list shows it. */
type ListedDraft = {
  readonly id: number;
  readonly draft: Draft;
  /** The aspects of its audience by name. */
  readonly audience: string;
  readonly fault: string | undefined;
};

async function sendDrafts(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  fault?: string,
): Promise<FastifyReply> {
  const { user } = session;
  const part = await readKeyedPart(request, LIST, (page) =>
    context.drafts.list(user.userId, page),
  );
  const own = await context.aspects.listSummaries(user.userId);
  const items = await Promise.all(
    part.items.map(async (draft) => ({
      ...{ id: draft.id, draft, audience: audienceWords(draft.content, own) },
      fault: (await faultOfFailed(context, user, draft))?.fault,
    })),
  );
  return sendPage(reply, {
    status: fault === undefined ? 200 : 422,
    head: { title: composeTexts.drafts, noindex: true },
    session,
    main: draftsView(session, { ...part, items }, fault),
  });
}

function draftsView(
  session: Session,
  part: Part<ListedDraft>,
  fault: string | undefined,
): Html {
  return html`<h1>${composeTexts.drafts}</h1>
    ${alertView(fault === undefined ? [] : [fault])}
    ${
      part.items.length === 0
        ? html`<p>${texts.none}</p>
            <p><a class="button" href="${WRITE}">${texts.write}</a></p>`
        : html`<ul class="plain drafts">
            ${part.items.map((item) => draftView(session, item))}
          </ul>`
    }
    ${paginationView(part, { previous: texts.newer, next: texts.older })}`;
}

/** The audience of a draft, as its author chose it. */
function audienceWords(
  { audience }: Draft["content"],
  own: readonly AspectSummary[],
): string {
  const { kind } = audience;
  if (kind === "people") return detailTexts.audience.people;
  if (kind !== "aspects") return pageTexts.write.audiences[kind];
  const chosen = new Set(audience.aspectIds);
  const names = own.filter(({ id }) => chosen.has(id)).map(({ name }) => name);
  return names.length === 0
    ? pageTexts.write.audiences.aspects
    : names.join(", ");
}

function draftView(
  session: Session,
  { draft, audience, fault }: ListedDraft,
): Html {
  const { id, content, publishAt, updatedAt } = draft;
  const beginning = excerpt(content.text, SHOWN) || texts.empty;
  const about = html`<span class="unseen">${texts.about(beginning)}</span>`;
  const path = `${DRAFTS}/${id}`;
  return html`<li>
    <p dir="auto">${beginning}</p>
    <p class="quiet">
      ${publishAt === null ? texts.saved : texts.scheduled}
      ${dayTimeView(publishAt ?? updatedAt)}
    </p>
    <p class="quiet">${texts.audience} <bdi>${audience}</bdi></p>
    ${fault !== undefined && html`<p class="fault">${fault}</p>`}
    <div class="actions">
      <a class="button second" href="${draftPath(id)}"
        >${texts.edit} ${about}</a
      >
      ${actForm(session, `${path}/publish`, about, texts.publish)}
      ${actForm(session, `${path}/delete`, about, texts.delete)}
    </div>
  </li>`;
}
