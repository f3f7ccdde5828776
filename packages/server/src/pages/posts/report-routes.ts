import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Type } from "../../lib/json-schema.ts";
import type { Session } from "../../features/accounts/index.ts";
import {
  CATEGORIES,
  type Category,
  type ReportTarget,
} from "../../features/moderation/index.ts";
import { flag, readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { checkCsrf, isOfSession } from "../kit/csrf.ts";
import {
  REPORTABLE,
  reportedView,
  reportView,
  type ReportDraft,
  type Reported,
} from "./report-view.ts";
import { excerpt } from "./post-text.ts";
import { sendPage } from "../kit/send-page.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import { pageTexts } from "../languages/texts.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { wantsJson } from "../kit/wanted-type.ts";
import {
  draftOf,
  signInPath,
  type FormDraft,
} from "../session/return-target.ts";

const texts = pageTexts.report;

const NAMED = Type.Object({
  post: text("The Guid of a post"),
  comment: text("The Guid of a comment"),
  person: text("The Guid of a person"),
});
const REPORT = Type.Object({
  text: text("What is wrong with it"),
  category: Type.Optional(Type.String({ enum: [...CATEGORIES] })),
  forward: flag("Is the other server told, too?"),
});

export const REPORT_PATH = "/report";

const KEPT = [
  ...Object.keys(NAMED.properties),
  ...Object.keys(REPORT.properties),
];

/** About a thousand characters, with up to twelve bytes for each in a form. */
const BODY_LIMIT = 96 * 1024;

/** Characters of the reported text that the form shows. */
const SHOWN = 300;

/** The form to report an object that the user sees. */
export function reportRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const config = { access: "session", limit: "read" } as const;
  const writing = { access: "session", limit: "costly" } as const;
  app.get(REPORT_PATH, { config }, async (request, reply) => {
    const session = await findVisitor(context, request);
    if (!session) return redirectTo(reply, signInPath(request.url));
    const draft = { ...readNamed(request.parameters), text: "" };
    return sendForm(context, reply, session, draft);
  });
  app.post(
    REPORT_PATH,
    { config: writing, bodyLimit: BODY_LIMIT },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      const { parameters } = request;
      if (!session) {
        const { kind, guid } = readNamed(parameters);
        return askToSignIn(context, request, reply, {
          to: `${REPORT_PATH}?${kind}=${encodeURIComponent(guid)}`,
          draft: draftOf(KEPT, parameters),
        });
      }
      if (wantsJson(request.headers.accept)) checkCsrf(session, parameters);
      if (!isOfSession(session, parameters)) {
        const draft = { ...readDraft(parameters), fault: texts.expired };
        return sendForm(context, reply, session, draft, 403);
      }
      return report(context, request, reply, session);
    },
  );
}

/** After a sign-in the form is shown again, and not submitted by itself. */
export function resumeReport(
  context: PagesContext,
  _request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  kept: FormDraft,
): Promise<FastifyReply> {
  const draft = { ...readDraft(kept), fault: texts.signedOut };
  return sendForm(context, reply, session, draft);
}

async function report(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Promise<FastifyReply> {
  const draft = readDraft(request.parameters);
  const { kind, guid, text: said, category, forward } = draft;
  let forwarded: boolean;
  try {
    ({ forwarded } = await context.moderation.report({
      by: session.user,
      target: { kind, key: { guid } } satisfies ReportTarget,
      text: said,
      category: category ?? "other",
      forward: forward ?? false,
    }));
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== "bad_request")
      throw error;
    const refused = { ...draft, fault: texts.refused };
    return sendForm(context, reply, session, refused, 422);
  }
  return sendPage(reply, {
    head: { title: texts.thanks, noindex: true },
    session,
    main: reportedView(forwarded),
  });
}

/**
 * The input of the form. @throws {KithError} `not_found` unless it names an
 * object that can be reported
 */
function readDraft(parameters: Parameters): ReportDraft {
  const { text: said = "", category, forward } = readInput(REPORT, parameters);
  return {
    ...readNamed(parameters),
    text: said,
    category: category as Category | undefined,
    forward,
  };
}

/**
 * @throws {KithError} `not_found` unless it names an object that can be
 *   reported
 */
function readNamed(parameters: Parameters): Pick<ReportDraft, "kind" | "guid"> {
  const named = readInput(NAMED, parameters);
  for (const kind of REPORTABLE) {
    const guid = named[kind];
    if (guid !== undefined && isGuid(guid)) return { kind, guid };
  }
  throw new KithError("not_found", "Nothing is named.");
}

/**
 * @throws {KithError} `not_found` for an object that the reporter may not see
 */
async function findReported(
  { people, posts, comments }: PagesContext,
  { user }: Session,
  { kind, guid }: Pick<ReportDraft, "kind" | "guid">,
): Promise<Reported> {
  const said =
    kind === "person"
      ? undefined
      : await (kind === "post" ? posts : comments).findVisible({ guid }, user);
  const person =
    kind === "person"
      ? await people.find({ guid })
      : said && (await people.find({ id: said.personId }));
  if (person?.state !== "active")
    throw new KithError("not_found", `No such ${kind}.`);
  return { person, beginning: said ? excerpt(said.text, SHOWN) : "" };
}

async function sendForm(
  context: PagesContext,
  reply: FastifyReply,
  session: Session,
  draft: ReportDraft,
  status = 200,
): Promise<FastifyReply> {
  const reported = await findReported(context, session, draft);
  return sendPage(reply, {
    status,
    head: { title: texts.links[draft.kind], noindex: true },
    session,
    main: reportView(session, reported, draft),
  });
}
