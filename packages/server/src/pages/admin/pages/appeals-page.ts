import type { PersonId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Strike } from "../../../features/strikes/index.ts";
import { readInput, uint } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { actForm, hiddenField } from "../../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../../kit/html.ts";
import { timeView } from "../../kit/time-view.ts";
import { moderationTexts } from "../../languages/texts.ts";
import { appealState } from "../../strikes/strike-view.ts";
import type { AdminAct, AdminPage, AdminVisit } from "../admin-page.ts";
import { casesView } from "../cases-view.ts";
import { performAct } from "../perform-act.ts";

const texts = moderationTexts.appeals;

const ASKED = Type.Object({
  id: uint("An appealed decision"),
});

/** Whole appeals are read here, of up to 2,000 characters each. */
const SIZE = 20;

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
  const { appeals } = visit.context.strikes;
  const list = await casesView(visit, {
    ...{ path: appealsPage.path, size: SIZE, texts },
    columns: [
      ...[texts.person, texts.decision, texts.message],
      ...[texts.says, texts.answer],
    ],
    list: (state, page) => appeals.list(state, page),
    rowOf: (strike, people) => rowOf(visit, strike, people),
  });
  return html`<p class="quiet">${texts.about}</p>
    ${list}`;
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
