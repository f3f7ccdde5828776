import type { UserId } from "../../../features/ids.ts";
import { Type } from "../../../lib/json-schema.ts";
import { KithError } from "../../../lib/errors.ts";
import { readInput, uint } from "../../../http/input/input.ts";
import { actForm, hiddenField } from "../../kit/form-fields.ts";
import { html, type Html } from "../../kit/html.ts";
import { paginationView, tableView } from "../../kit/list-view.ts";
import { readKeyedPart } from "../../kit/page-input.ts";
import { timeView } from "../../kit/time-view.ts";
import type { AdminPage, AdminVisit, Outcome } from "../admin-page.ts";
import type { NoticeName } from "../../languages/en/server/admin.ts";
import { adminTexts } from "../../languages/texts.ts";

const texts = adminTexts.registrations;

const LIST = { path: "", size: 50, order: "newest first" } as const;
const ACCOUNT = Type.Object({ id: uint("The ID of the account") });

/** Pending registrations, and the decision about them. */
export const registrationsPage: AdminPage = {
  path: "/admin/registrations",
  get title() {
    return texts.title;
  },
  access: "moderator",
  count: ({ accounts }) => accounts.countPending(),
  show,
  acts: {
    approve: (visit) =>
      decide(visit, "approved", (id) =>
        visit.context.administration.approve(visit.by, { id }),
      ),
    reject: (visit) =>
      decide(visit, "rejected", (id) =>
        visit.context.administration.reject(visit.by, { id }),
      ),
  },
};

async function show({ context, session, request }: AdminVisit): Promise<Html> {
  const { administration, clock } = context;
  const part = await readKeyedPart(request, LIST, (page) =>
    administration.list({ state: "pending" }, page),
  );
  if (part.items.length === 0) return html`<p>${texts.none}</p>`;
  const form = (act: string, id: number, button: string) =>
    actForm(
      session,
      `/admin/registrations/${act}`,
      hiddenField("id", id),
      button,
    );
  const rows = part.items.map(({ id, username, createdAt, reason }) => [
    username,
    timeView(createdAt, clock.now()),
    reason ?? html`<span class="quiet">${texts.noReason}</span>`,
    [form("approve", id, texts.approve), form("reject", id, texts.reject)],
  ]);
  const headings = [texts.name, texts.since, texts.reason, texts.decide];
  return html`${tableView(headings, rows)} ${paginationView(part)}`;
}

/** Another moderator may have decided meanwhile. */
async function decide(
  { request }: AdminVisit,
  done: NoticeName,
  act: (id: UserId) => Promise<void>,
): Promise<Outcome> {
  const { id = 0 } = readInput(ACCOUNT, request.parameters);
  try {
    await act(id as UserId);
    return { done };
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    return { fault: texts.gone };
  }
}
