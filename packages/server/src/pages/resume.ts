import type { FastifyReply, FastifyRequest } from "fastify";
import type { Session } from "../features/accounts/index.ts";
import { resumeComment } from "./answers/answer-routes.ts";
import { RESUME_ADMIN } from "./admin/admin-routes.ts";
import {
  INVITATIONS,
  resumeInvitation,
} from "./invitations/invitation-routes.ts";
import { REPORT_PATH, resumeReport } from "./posts/report-routes.ts";
import { resumeSecurity } from "./security/security-routes.ts";
import { resumeMessage } from "./messages/message-routes.ts";
import { resumeProfile } from "./settings/profile-routes.ts";
import { PROFILE_SETTINGS } from "./settings/profile-view.ts";
import { SECURITY } from "./security/security-view.ts";
import { resumeWrite } from "./compose/write-routes.ts";
import { isFilterFormPath, resumeFilter } from "./filters/filter-routes.ts";
import { HOME, STRIKES, WRITE } from "./session/places.ts";
import { OLD_HOME, resumePost } from "./home/home-routes.ts";
import { isEventFormPath, resumeEvent } from "./calendars/event-form-routes.ts";
import { isEditPath, resumeEdit } from "./writing/writing-routes.ts";
import { resumeStream } from "./streams/stream-routes.ts";
import { resumeStrike } from "./settings/strike-routes.ts";
import { STREAMS } from "./streams/stream-view.ts";
import {
  redirectTo,
  type PagesContext,
  type Resume,
} from "./session/visitor.ts";
import type { ReturnTarget } from "./session/return-target.ts";

const FORMS: ReadonlyMap<string, Resume> = new Map([
  [HOME, resumePost],
  [OLD_HOME, resumePost],
  [WRITE, resumeWrite],
  [PROFILE_SETTINGS, resumeProfile],
  [REPORT_PATH, resumeReport],
  [INVITATIONS, resumeInvitation],
  [SECURITY, resumeSecurity],
  [STREAMS, resumeStream],
  [STRIKES, resumeStrike],
  ...RESUME_ADMIN,
]);

/**
 * Shows the draft again after a sign-in; or only the page, if its form is
 * unknown.
 */
export async function resume(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  { to, draft }: ReturnTarget,
): Promise<FastifyReply> {
  const [path = ""] = to.split("?", 1);
  const form = formOf(path);
  return form && draft
    ? form(context, request, reply, session, draft)
    : redirectTo(reply, to);
}

function formOf(path: string): Resume | undefined {
  if (isEditPath(path)) return resumeEdit;
  if (isEventFormPath(path)) return resumeEvent;
  if (isFilterFormPath(path)) return resumeFilter;
  if (path.startsWith("/messages/")) return resumeMessage;
  return path.startsWith("/posts/") ? resumeComment : FORMS.get(path);
}
