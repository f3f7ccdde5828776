import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import { checkWarning } from "../../features/posts/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf, isOfSession } from "../kit/csrf.ts";
import { sendPage } from "../kit/send-page.ts";
import { wantsJson } from "../kit/wanted-type.ts";
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
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { writingTexts as texts } from "../languages/texts.ts";
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

async function receiveEdit(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  named: Named,
): Promise<FastifyReply> {
  const { parameters } = request;
  const session = await findVisitor(context, request);
  if (!session) {
    const draft = {
      ...draftOf(Object.keys(EDIT.properties), parameters),
      ...named,
    };
    const to = `/${named.kind}/${encodeURIComponent(named.guid)}/edit`;
    return askToSignIn(context, request, reply, { to, draft });
  }
  if (wantsJson(request.headers.accept)) checkCsrf(session, parameters);
  const { user } = session;
  const written = await getWritten(context, user, named, "edit");
  const draft = readDraft(parameters);
  if (!isOfSession(session, parameters))
    return sendEdit(
      reply,
      session,
      written,
      { ...draft, fault: texts.expired },
      403,
    );
  try {
    await save(context, session, named, draft);
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    return sendEdit(reply, session, written, { ...draft, fault }, 422);
  }
  return redirectTo(reply, written.path);
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
  const { guid, after } = await getWritten(context, user, named, "delete");
  await (named.kind === "posts"
    ? context.posts.deleteOrHide(user, guid)
    : context.comments.remove(user, guid));
  return redirectTo(reply, after);
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
): FastifyReply {
  return sendPage(reply, {
    head: { title: titleOf(written, "delete"), noindex: true },
    session,
    main: deleteView(session, written),
  });
}

function draftFrom({ text: written, warning }: Written): EditDraft {
  return { text: written, warning: warning ?? "" };
}

function readDraft(parameters: Parameters): EditDraft {
  const { text: written = "", warning = "" } = readInput(EDIT, parameters);
  return { text: written, warning };
}

/** A fault that the author can correct. */
function faultOf(error: unknown): string | undefined {
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "empty_string") return texts.blank;
  return error.code === "bad_request" ? texts.refused : undefined;
}
