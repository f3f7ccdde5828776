import { newcomerFault } from "../newcomers/newcomer-fault.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import {
  checkWarning,
  MAX_TEXT_LENGTH,
  MAX_WARNING_LENGTH,
} from "../../features/posts/index.ts";
import { flag, readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { Type } from "../../lib/json-schema.ts";
import { draftPath } from "../session/places.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { sendPage } from "../kit/send-page.ts";
import {
  DRAFT_BODY_LIMIT,
  draftOf,
  type FormDraft,
} from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { receiveDraft } from "../sign-in/receive-draft.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { composeTexts, writingTexts as texts } from "../languages/texts.ts";
import { writeAgain } from "./save-again.ts";
import {
  deleteView,
  editView,
  titleOf,
  type EditDraft,
} from "./writing-view.ts";
import {
  getWritten,
  WRITTEN_KINDS,
  type Written,
  type WrittenKind,
} from "./written.ts";

const EDIT = Type.Object({
  text: text("The text, in Markdown"),
  warning: text("The content warning; empty for none"),
});

const DELETE = Type.Object({
  redraft: flag("Is the text of a post kept as a draft?"),
});

type Named = { readonly kind: WrittenKind; readonly guid: string };
type OfGuid = { Params: { guid: string } };

/** Forms that edit and delete one's own posts and comments. */
export function writingRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const reading = { access: "session", limit: "read" } as const;
  const writing = { access: "session", limit: "write" } as const;
  for (const kind of WRITTEN_KINDS) {
    const named = (request: FastifyRequest<OfGuid>): Named => ({
      ...{ kind, guid: request.params.guid },
    });
    for (const act of ["edit", "delete"] as const)
      app.get<OfGuid>(
        `/${kind}/:guid/${act}`,
        { config: reading },
        async (request, reply) => {
          if (!isGuid(request.params.guid))
            throw new KithError("not_found", "Nothing of yours.");
          const session = await findVisitor(context, request);
          if (!session)
            return askToSignIn(context, request, reply, { to: request.url });
          const { user } = session;
          const written = await getWritten(context, user, named(request), act);
          return act === "edit"
            ? sendEdit(reply, session, written, draftFrom(written))
            : sendDelete(reply, session, written);
        },
      );
    app.post<OfGuid>(
      `/${kind}/:guid/edit`,
      { config: writing, bodyLimit: DRAFT_BODY_LIMIT },
      (request, reply) => receiveEdit(context, request, reply, named(request)),
    );
    app.post<OfGuid>(
      `/${kind}/:guid/delete`,
      { config: writing },
      (request, reply) =>
        receiveDelete(context, request, reply, named(request)),
    );
  }
}

/** Is it the path of a form that edits? */
export function isEditPath(path: string): boolean {
  return /^\/(posts|comments)\/[^/]+\/edit$/.test(path);
}

/** After a sign-in the form is shown again, and not submitted by itself. */
export async function resumeEdit(
  context: PagesContext,
  _request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  kept: FormDraft,
): Promise<FastifyReply> {
  const kind = WRITTEN_KINDS.find((it) => it === kept["kind"]) ?? "posts";
  const guid = kept["guid"] ?? "";
  const named = { kind, guid };
  const written = await getWritten(context, session.user, named, "edit");
  const draft = { ...readDraft(kept), fault: texts.signedOut };
  return sendEdit(reply, session, written, draft);
}

function receiveEdit(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  named: Named,
): Promise<FastifyReply> {
  const { parameters } = request;
  const kept = draftOf(Object.keys(EDIT.properties), parameters);
  const to = `/${named.kind}/${encodeURIComponent(named.guid)}/edit`;
  const back = { to, draft: { ...kept, ...named } };
  const take = async (session: Session, isExpired: boolean) => {
    const written = await getWritten(context, session.user, named, "edit");
    const draft = readDraft(parameters);
    const again = (fault: EditFault, status: number) =>
      sendEdit(reply, session, written, { ...draft, ...fault }, status);
    if (isExpired) return again({ fault: texts.expired }, 403);
    try {
      await save(context, session, named, draft);
    } catch (error) {
      const fault = faultOfEdit(error, draft);
      if (fault === undefined) throw error;
      return again(fault, 422);
    }
    return redirectTo(reply, written.path);
  };
  return receiveDraft(context, request, reply, back, take);
}

function save(
  { posts, comments }: PagesContext,
  { user }: Session,
  { kind, guid }: Named,
  { text: written, warning }: EditDraft,
): Promise<unknown> {
  const edit = { text: written, warning: checkWarning(warning) };
  return kind === "posts"
    ? posts.edit(user, { guid }, edit)
    : comments.edit(user, { guid }, edit);
}

async function receiveDelete(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  named: Named,
): Promise<FastifyReply> {
  const session = await findVisitor(context, request);
  if (!session) {
    const to = `/${named.kind}/${encodeURIComponent(named.guid)}/delete`;
    return askToSignIn(context, request, reply, { to });
  }
  checkCsrf(session, request.parameters);
  const { user } = session;
  const written = await getWritten(context, user, named, "delete");
  const { guid, after } = written;
  const { redraft = false } = readInput(DELETE, request.parameters);
  if (named.kind === "comments") {
    await context.comments.remove(user, guid);
    return redirectTo(reply, after);
  }
  if (!redraft) {
    await context.posts.deleteOrHide(user, guid);
    return redirectTo(reply, after);
  }
  const draft = await writeAgain(context, user, guid);
  return draft === "refused"
    ? sendDelete(reply, session, written, texts.redraftRefused)
    : redirectTo(reply, draftPath(draft.id));
}

function sendEdit(
  reply: FastifyReply,
  session: Session,
  written: Written,
  draft: EditDraft,
  status = 200,
): FastifyReply {
  return sendPage(reply, {
    status,
    head: { title: titleOf(written, "edit"), noindex: true },
    session,
    main: editView(session, written, draft),
  });
}

function sendDelete(
  reply: FastifyReply,
  session: Session,
  written: Written,
  fault?: string,
): FastifyReply {
  return sendPage(reply, {
    status: fault === undefined ? 200 : 422,
    head: { title: titleOf(written, "delete"), noindex: true },
    session,
    main: deleteView(session, written, fault),
  });
}

function draftFrom({ text: written, warning }: Written): EditDraft {
  return { text: written, warning: warning ?? "" };
}

function readDraft(parameters: Parameters): EditDraft {
  const { text: written = "", warning = "" } = readInput(EDIT, parameters);
  return { text: written, warning };
}

type EditFault = Pick<EditDraft, "fault" | "faulty">;

/** A fault that the author can correct. */
function faultOfEdit(
  error: unknown,
  { text: written }: EditDraft,
): EditFault | undefined {
  const byLimits = newcomerFault(error);
  if (byLimits !== undefined) return { fault: byLimits };
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "empty_string")
    return { fault: texts.blank, faulty: "text" };
  if (error.code !== "bad_request") return undefined;
  return [...written].length > MAX_TEXT_LENGTH
    ? { fault: texts.tooLong(MAX_TEXT_LENGTH), faulty: "text" }
    : {
        fault: composeTexts.faults.warningTooLong(MAX_WARNING_LENGTH),
        faulty: "warning",
      };
}
