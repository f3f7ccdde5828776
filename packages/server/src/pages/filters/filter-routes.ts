import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { FilterId } from "../../features/ids.ts";
import { KithError } from "../../lib/errors.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { sendPage } from "../kit/send-page.ts";
import { filterTexts as texts, pageTexts } from "../languages/texts.ts";
import {
  draftOf,
  signInPath,
  type FormDraft,
} from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { receiveDraft } from "../sign-in/receive-draft.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import {
  choiceOf,
  FILTER_FIELDS,
  filterDraftOf,
  NEW_FILTER,
  readFilterDraft,
  type FilterDraft,
} from "./filter-draft.ts";
import {
  filterFormView,
  filterPath,
  FILTERS,
  filtersView,
} from "./filter-view.ts";

/** A user has at most 50. */
const ALL = { offset: 0, limit: 100 } as const;

type OfFilter = { Params: { id: string } };

/** Words that the user does not want to read. */
export function filterPageRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const { filters } = context;
  const read = { config: { access: "session", limit: "read" } } as const;
  const write = { config: { access: "session", limit: "write" } } as const;
  app.get(FILTERS, read, async (request, reply) => {
    const session = await findVisitor(context, request);
    if (!session) return redirectTo(reply, signInPath(request.url));
    const all = await filters.list(session.user.userId, ALL);
    return sendPage(reply, {
      head: { title: texts.title, noindex: true },
      session,
      main: filtersView(all),
    });
  });
  app.get(`${FILTERS}/new`, read, async (request, reply) => {
    const session = await findVisitor(context, request);
    if (!session) return redirectTo(reply, signInPath(request.url));
    return sendForm(reply, session, NEW_FILTER, undefined);
  });
  app.get<OfFilter>(`${FILTERS}/:id`, read, async (request, reply) => {
    const id = readId(request.params.id);
    const session = await findVisitor(context, request);
    if (!session) return redirectTo(reply, signInPath(request.url));
    const filter = await filters.get(session.user.userId, id);
    return sendForm(reply, session, filterDraftOf(filter), id);
  });
  app.post(`${FILTERS}/new`, write, (request, reply) =>
    receiveFilter(context, request, reply, undefined),
  );
  app.post<OfFilter>(`${FILTERS}/:id`, write, (request, reply) =>
    receiveFilter(context, request, reply, readId(request.params.id)),
  );
  app.post<OfFilter>(`${FILTERS}/:id/delete`, write, async (request, reply) => {
    const id = readId(request.params.id);
    const session = await findVisitor(context, request);
    if (!session) return askToSignIn(context, request, reply, { to: FILTERS });
    checkCsrf(session, request.parameters);
    await filters.remove(session.user.userId, id);
    return redirectTo(reply, FILTERS);
  });
}

function receiveFilter(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  id: FilterId | undefined,
): Promise<FastifyReply> {
  const { filters } = context;
  const { parameters } = request;
  const fields = draftOf(Object.keys(FILTER_FIELDS.properties), parameters);
  const back =
    id === undefined
      ? { to: `${FILTERS}/new`, draft: fields }
      : { to: filterPath(id), draft: { ...fields, id: String(id) } };
  return receiveDraft(context, request, reply, back, async (session, isOld) => {
    const { userId } = session.user;
    // Another's filter is refused before its form is shown again.
    if (id !== undefined) await filters.get(userId, id);
    const draft = readFilterDraft(parameters);
    if (isOld) {
      const expired = { ...draft, fault: pageTexts.form.expired };
      return sendForm(reply, session, expired, id, 403);
    }
    try {
      const choice = choiceOf(draft, (until) => filters.readEnd(until));
      await filters.save(userId, choice, id);
    } catch (error) {
      const fault = faultOf(error);
      if (fault === undefined) throw error;
      return sendForm(reply, session, { ...draft, fault }, id, 422);
    }
    return redirectTo(reply, FILTERS);
  });
}

/** Is there a form of a filter at this path? */
export function isFilterFormPath(path: string): boolean {
  return path.startsWith(`${FILTERS}/`);
}

/** After a sign-in the form is shown again, and not submitted by itself. */
export async function resumeFilter(
  { filters }: PagesContext,
  _request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  kept: FormDraft,
): Promise<FastifyReply> {
  const draft = { ...readFilterDraft(kept), fault: pageTexts.form.signedOut };
  const id = kept["id"] === undefined ? undefined : readId(kept["id"]);
  if (id !== undefined) await filters.get(session.user.userId, id);
  return sendForm(reply, session, draft, id);
}

function sendForm(
  reply: FastifyReply,
  session: Session,
  draft: FilterDraft,
  id: FilterId | undefined,
  status = 200,
): FastifyReply {
  const title = id === undefined ? texts.create : texts.change;
  return sendPage(reply, {
    status,
    head: { title, noindex: true },
    session,
    main: filterFormView(session, draft, id),
  });
}

/** A fault that the user can correct. */
function faultOf(error: unknown): string | undefined {
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "empty_string") return texts.faults.title;
  if (error.code === "invalid_datetime") return texts.faults.until;
  return error.code === "bad_request" ? texts.faults.refused : undefined;
}

/** @throws {KithError} `not_found` */
function readId(part: string): FilterId {
  if (!/^[1-9]\d{0,14}$/.test(part))
    throw new KithError("not_found", "No such filter.");
  return Number(part) as FilterId;
}
