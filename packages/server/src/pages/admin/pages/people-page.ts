import { Type } from "../../../lib/json-schema.ts";
import type { PersonId } from "../../../features/ids.ts";
import type { Report } from "../../../features/moderation/index.ts";
import type { PersonDecision } from "../../../features/people/index.ts";
import type {
  DecidedPerson,
  Decision,
} from "../../../features/suspensions/index.ts";
import {
  MAX_MESSAGE_LENGTH,
  type Strike,
} from "../../../features/strikes/index.ts";
import { readInput, text, uint } from "../../../http/input/input.ts";
import { actForm, hiddenField } from "../../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../../kit/html.ts";
import { tableView } from "../../kit/list-view.ts";
import { handleView, nameView, personPath } from "../../kit/person-view.ts";
import { timeView } from "../../kit/time-view.ts";
import type { AdminAct, AdminPage, AdminVisit } from "../admin-page.ts";
import { adminTexts, moderationTexts } from "../../languages/texts.ts";
import { appealState } from "../../strikes/strike-view.ts";
import { performAct } from "../perform-act.ts";

const texts = moderationTexts.people;

const ASKED = Type.Object({
  id: uint("A person"),
  handle: text("Its handle, or the name alone of somebody here"),
  reason: text("Why"),
  message: text("What the person is told"),
});

const MOST = 100;

/** People, and the moderators' decisions about them. */
export const peoplePage: AdminPage = {
  path: "/admin/people",
  get title() {
    return texts.title;
  },
  access: "moderator",
  show: async (visit) => {
    const { id, handle = "" } = readInput(ASKED, visit.parameters);
    const { suspensions } = visit.context;
    const isAsked = id !== undefined || handle.trim() !== "";
    const found =
      id === undefined
        ? isAsked && (await suspensions.findByHandle(handle))
        : await suspensions.find(id as PersonId);
    return html`${searchView(handle)}
    ${isAsked && !found && html`<p>${texts.nobody}</p>`}
    ${found ? await personView(visit, found) : await decidedView(visit)}`;
  },
  keeps: ["id", "reason", "message"],
  shows: ["id"],
  acts: {
    suspend: deciding("suspend"),
    unsuspend: deciding("unsuspend"),
    silence: deciding("silence"),
    unsilence: deciding("unsilence"),
    warn: deciding("warn"),
  },
};

function deciding(decision: Decision): AdminAct {
  return async ({ context, by, request }) => {
    const given = readInput(ASKED, request.parameters);
    const { id = 0, reason, message } = given;
    const personId = id as PersonId;
    // An empty field leaves the words as they are.
    const words = message?.trim() || undefined;
    const input = { by, personId, decision, reason, message: words };
    return performAct(`${peoplePage.path}?id=${id}`, () =>
      context.suspensions.decide(input),
    );
  };
}

function searchView(handle: string): Html {
  return html`<form method="get" action="${peoplePage.path}" class="act">
    <label for="handle">${texts.handle}</label>
    <input
      id="handle"
      name="handle"
      value="${handle}"
      maxlength="255"
      autocapitalize="none"
      spellcheck="false"
      aria-describedby="handle-hint"
    />
    <small id="handle-hint">${texts.hint}</small>
    <button>${texts.search}</button>
  </form>`;
}

async function decidedView({ context }: AdminVisit): Promise<Html> {
  const page = { offset: 0, limit: MOST };
  const { suspensions } = context;
  const all = [
    ...(await suspensions.list("suspended", page)),
    ...(await suspensions.list("silenced", page)),
  ];
  const each = [...new Map(all.map((one) => [one.person.id, one])).values()];
  return html`<h2>${texts.decided}</h2>
    ${
      each.length === 0
        ? html`<p>${texts.nothingDecided}</p>`
        : tableView(
            [texts.handle, texts.state, texts.reason],
            each.map((one) => [
              html`<a href="${peoplePage.path}?id=${one.person.id}"
                ><bdi>${one.person.handle}</bdi></a
              >`,
              stateView(one),
              reasonsOf(one.decision),
            ]),
          )
    }`;
}

function stateView({ person, decision }: DecidedPerson): string {
  const words = [
    decision.suspended && texts.suspended,
    decision.silenced && texts.silenced,
    person.state === "closed" && texts.gone,
    person.state === "shut_out" && !decision.suspended && texts.hostBlocked,
  ].filter((word) => word !== false);
  return words.length === 0 ? texts.nothing : words.join(", ");
}

function reasonsOf(decision: PersonDecision): string {
  const { suspensionReason, silenceReason } = decision;
  return [suspensionReason, silenceReason].filter((it) => it !== "").join("; ");
}

async function personView(
  visit: AdminVisit,
  found: DecidedPerson,
): Promise<Html> {
  const { person, role, decision } = found;
  const { context } = visit;
  const page = { offset: 0, limit: MOST };
  const reports = await context.moderation.listAbout(person.id, page);
  const strikes = await context.strikes.listOf(person.id, page);
  const link =
    person.state === "active"
      ? html`<a href="${personPath(person)}">${nameView(person)}</a>`
      : nameView(person);
  return html`<h2>${link} ${handleView(person)}</h2>
    <dl>
      <dt>${texts.role}</dt>
      <dd>
        ${role === null ? texts.elsewhere : adminTexts.accounts.roles[role]}
      </dd>
      <dt>${texts.state}</dt>
      <dd>${stateView(found)}</dd>
      <dt>${texts.reason}</dt>
      <dd>${reasonsOf(decision)}</dd>
    </dl>
    ${person.state !== "closed" && decisionForms(visit, found)}
    ${strikesTable(context, strikes)}
    <h2>${texts.reports}</h2>
    ${reportsView(context, reports)}`;
}

/** The forms for decisions about a person, for the page of a report as well. */
export function decisionForms(
  { session, typed }: AdminVisit,
  { person, decision }: DecidedPerson,
): HtmlValue {
  const form = (name: Decision, content: HtmlValue) =>
    actForm(
      session,
      `${peoplePage.path}/${name}`,
      html`${hiddenField("id", person.id)} ${content}`,
      texts.buttons[name],
    );
  const isHere = person.userId !== null;
  const asking = (name: "silence" | "suspend" | "warn") =>
    form(
      name,
      html`<p>${texts.meaning[name]}</p>
        <label for="${name}-reason">${texts.reason}</label>
        <input
          id="${name}-reason"
          name="reason"
          value="${typed(name)["reason"] ?? ""}"
          maxlength="1000"
        />
        ${isHere && messageField(name, typed(name)["message"])}`,
    );
  return [
    decision.suspended ? form("unsuspend", undefined) : asking("suspend"),
    decision.silenced ? form("unsilence", undefined) : asking("silence"),
    isHere && asking("warn"),
  ];
}

/** The words for the person whom a decision concerns. @param name of the decision */
export function messageField(name: string, typed = ""): Html {
  return html`<label for="${name}-message">${texts.message}</label>
    <textarea
      id="${name}-message"
      name="message"
      rows="2"
      maxlength="${MAX_MESSAGE_LENGTH}"
      dir="auto"
    >
${typed}</textarea>`;
}

function strikesTable(
  { clock }: AdminVisit["context"],
  strikes: readonly Strike[],
): HtmlValue {
  if (strikes.length === 0) return undefined;
  const words = moderationTexts.appeals;
  return html`<h2>${texts.strikes}</h2>
    ${tableView(
      [words.decision, texts.since, words.message, words.says],
      strikes.map((strike) => [
        words.actions[strike.action],
        timeView(strike.createdAt, clock.now()),
        strike.message,
        strike.appeal && words.states[appealState(strike.appeal.accepted)],
      ]),
    )}`;
}

function reportsView(
  { clock }: AdminVisit["context"],
  reports: readonly Report[],
): Html {
  const words = moderationTexts.reports;
  if (reports.length === 0) return html`<p>${texts.noReports}</p>`;
  return tableView(
    [words.number, words.reported, words.kind, words.says],
    reports.map((report) => [
      html`<a href="/admin/reports?id=${report.id}">${report.id}</a>`,
      timeView(report.createdAt, clock.now()),
      words.categories[report.category],
      report.text,
    ]),
  );
}
