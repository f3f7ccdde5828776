import type { Session } from "../../features/accounts/index.ts";
import {
  INVITATION_BOUNDS,
  invitationLink,
  type Invitation,
  type Invitations,
} from "../../features/invitations/index.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { readInput, text } from "../../http/input/input.ts";
import { KithError } from "../../lib/errors.ts";
import { Type } from "../../lib/json-schema.ts";
import { actForm, hiddenField, textField } from "../kit/form-fields.ts";
import { html, type Html } from "../kit/html.ts";
import { dayView } from "../kit/time-view.ts";
import { tableView } from "../kit/list-view.ts";
import { invitationTexts as texts } from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";
import type { FormDraft } from "../session/return-target.ts";

export const INVITATION_FIELDS = ["uses", "days"] as const;
const WANTED = Type.Object({
  uses: text("For how many accounts"),
  days: text("For how many days"),
});

/**
 * The form for a new invitation, and the list of open ones. @param path the
 * target of the forms, and their prefix
 */
export function invitationsView(
  invitations: Invitations,
  session: Session,
  path: string,
  {
    list,
    typed = {},
  }: { readonly list: readonly Invitation[]; readonly typed?: FormDraft },
): Html {
  const { maxUses, maxDays } = INVITATION_BOUNDS;
  const create = actForm(
    session,
    `${path}/create`,
    [
      textField("uses", texts.uses, {
        value: typed["uses"] ?? "1",
        most: maxUses,
      }),
      textField("days", texts.days, {
        value: typed["days"] ?? "7",
        most: maxDays,
      }),
    ],
    texts.create,
  );
  const headings = [
    ...[texts.number, texts.by, texts.state, texts.used, texts.until],
    texts.action,
  ];
  const rows = list.map((it) => {
    const state = invitations.stateOf(it);
    return [
      it.id,
      it.byName,
      texts.states[state],
      `${it.uses} / ${it.maxUses}`,
      dayView(it.expiresAt),
      state === "open" &&
        actForm(
          session,
          `${path}/revoke`,
          hiddenField("id", it.id),
          texts.revoke,
        ),
    ];
  });
  return html`${invitations.mayInvite(session.user) ? create : html`<p>${texts.off}</p>`}
  ${rows.length === 0 ? html`<p>${texts.none}</p>` : tableView(headings, rows)}`;
}

/** Creates an invitation. @returns its link, which is shown once, or a fault */
export async function invite(
  { invitations, baseUrl }: PagesContext,
  session: Session,
  parameters: Parameters,
): Promise<{ readonly shown: Html } | { readonly fault: string }> {
  const { uses, days } = readInput(WANTED, parameters);
  const wanted = { uses: toNumber(uses), days: toNumber(days) };
  try {
    const { code } = await invitations.create(session.user, wanted);
    const link = invitationLink(baseUrl, code);
    return {
      shown: html`<h2>${texts.made}</h2>
        <p><code class="secret">${link}</code></p>
        <p>${texts.once}</p>`,
    };
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    if (error.code === "forbidden") return { fault: texts.off };
    if (error.code === "bad_request") return { fault: texts.beyond };
    throw error;
  }
}

/** A blank field counts as absent. */
function toNumber(text = ""): number | undefined {
  if (text.trim() === "") return undefined;
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
}
