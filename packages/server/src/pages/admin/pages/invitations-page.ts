import type { InvitationId } from "../../../features/ids.ts";
import { readInput, uint } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/json-schema.ts";
import { html } from "../../kit/html.ts";
import { invitationTexts as texts } from "../../languages/texts.ts";
import { invitationsView, invite } from "../../invitations/invitation-view.ts";
import { paginationView } from "../../kit/list-view.ts";
import { readKeyedPart } from "../../kit/page-input.ts";
import type { AdminPage, AdminVisit, Outcome } from "../admin-page.ts";

const LIST = { path: "", size: 50, order: "newest first" } as const;
const WHICH = Type.Object({ id: uint("The ID of the invitation") });

/** All invitations. */
export const invitationsPage: AdminPage = {
  path: "/admin/invitations",
  get title() {
    return texts.title;
  },
  access: "admin",
  keeps: ["uses", "days"],
  show: async ({ context: { invitations }, session, request, typed }) => {
    const part = await readKeyedPart(request, LIST, invitations.list);
    const path = "/admin/invitations";
    return html`${invitationsView(invitations, session, path, {
      list: part.items,
      typed: typed("create"),
    })}
    ${paginationView(part)}`;
  },
  acts: {
    create: ({ context, session, request }) =>
      invite(context, session, request.parameters),
    revoke,
  },
};

async function revoke({ context, by, request }: AdminVisit): Promise<Outcome> {
  const { id = 0 } = readInput(WHICH, request.parameters);
  try {
    await context.invitations.revoke(by, id as InvitationId);
    return { done: "revoked" };
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    return { fault: texts.gone };
  }
}
