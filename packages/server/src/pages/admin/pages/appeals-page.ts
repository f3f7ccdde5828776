import type { PersonId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Strike } from "../../../features/strikes/index.ts";
import { readInput, uint } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { actForm, hiddenField } from "../../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../../kit/html.ts";
import { paginationView, tableView } from "../../kit/list-view.ts";
import { readKeyedPart } from "../../kit/page-input.ts";
import { timeView } from "../../kit/time-view.ts";
import { moderationTexts } from "../../languages/texts.ts";
import { appealState } from "../../strikes/strike-view.ts";
import type { AdminAct, AdminPage, AdminVisit } from "../admin-page.ts";
import { performAct } from "../perform-act.ts";

const texts = moderationTexts.appeals;

const ASKED = Type.Object({
  id: uint("An appealed decision"),
  state: Type.Optional(Type.String({ enum: ["open", "closed"] })),
});

/** Whole appeals are read here, of up to 2,000 characters each. */
const LIST = { path: "", size: 20, order: "newest first" } as const;

/** Appeals against decisions, and the answers to them. */
export const appealsPage: AdminPage = {
  path: "/admin/appeals",
  get title() {
    return texts.title;
  },
  access: "moderator",
  count: ({ strikes }) => strikes.appeals.countOpen(),
  show,
  acts: { accept: answering(true), reject: answering(false) },
};

function answering(isAccepted: boolean): AdminAct {
  return async ({ context, by, parameters }) => {
    const { id = 0 } = readInput(ASKED, parameters);
    return performAct(appealsPage.path, () =>
      context.suspensions.settleAppeal(by, id, isAccepted),
    );
  };
}

async function show(visit: AdminVisit): Promise<Html> {
  const { context, request, parameters } = visit;
  const { state } = readInput(ASKED, parameters);
  const which = state === "closed" ? "closed" : "open";
  const list = { ...LIST, path: `?state=${which}` };
  const part = await readKeyedPart(request, list, (page) =>
    context.strikes.appeals.list(which, page),
  );
  const people = await context.people.listById(
    part.items.map(({ personId }) => personId),
  );
  return html`<p class="quiet">${texts.about}</p>
    <p>
      ${(["open", "closed"] as const).map(
        (one) =>
          html`<a
            href="${appealsPage.path}?state=${one}"
            ${one === which && html`aria-current="page"`}
            >${texts[one]}</a
          > `,
      )}
    </p>
    ${
      part.items.length === 0
        ? html`<p>${texts.none}</p>`
        : tableView(
            [
              ...[texts.person, texts.decision, texts.message],
              ...[texts.says, texts.answer],
            ],
            part.items.map((strike) => rowOf(visit, strike, people)),
          )
    }
    ${paginationView(part)}`;
}

function rowOf(
  visit: AdminVisit,
  strike: Strike,
  people: ReadonlyMap<PersonId, Person>,
): HtmlValue[] {
  const now = visit.context.clock.now();
  const { personId, action, message, excerpt, createdAt, appeal } = strike;
  const handle = people.get(personId)?.handle ?? texts.nobody;
  return [
    html`<a href="/admin/people?id=${personId}"><bdi>${handle}</bdi></a>`,
    html`${texts.actions[action]}, ${timeView(createdAt, now)}
    ${
      excerpt !== null &&
      html`<pre class="evidence" dir="auto">${excerpt}</pre>`
    }`,
    html`<span dir="auto">${message}</span>`,
    html`<span class="said" dir="auto">${appeal?.text}</span> ${
        appeal && timeView(appeal.appealedAt, now)
      }`,
    appeal?.decidedAt == null
      ? formsView(visit, strike)
      : strikeStateView(appeal.accepted),
  ];
}

const strikeStateView = (accepted: boolean | null): string =>
  texts.states[appealState(accepted)];

function formsView({ session }: AdminVisit, { id, action }: Strike): Html {
  const isOfText = action === "remove_post" || action === "remove_comment";
  const form = (name: "accept" | "reject") =>
    actForm(
      session,
      `${appealsPage.path}/${name}`,
      hiddenField("id", id),
      texts.buttons[name],
    );
  return html`${isOfText && html`<p>${texts.staysGone}</p>`} ${form("accept")}
  ${form("reject")}`;
}
