import type { FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../features/accounts/index.ts";
import { REPORT_PATH, resumeReport } from "./report-routes.ts";
import { resumePost, STREAM } from "./stream-routes.ts";
import { goTo, type PagesContext } from "./visitor.ts";
import type { Draft, WayBack } from "./way-back.ts";

/** Shows a form again with what had been typed into it. Nothing is sent by that. */
export type Resume = (
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  draft: Draft,
) => Promise<FastifyReply>;

const FORMS: ReadonlyMap<string, Resume> = new Map([
  [STREAM, resumePost],
  [REPORT_PATH, resumeReport],
]);

/** Leads back after a sign-in to what had been typed; to the page alone where nothing is known of its form. */
export async function resume(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  { to, draft }: WayBack,
): Promise<FastifyReply> {
  const form = FORMS.get(to.split("?", 1)[0] ?? "");
  return form && draft
    ? form(context, request, reply, session, draft)
    : goTo(reply, to);
}
