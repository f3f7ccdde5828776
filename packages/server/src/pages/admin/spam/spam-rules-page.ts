import {
  SPAM_ACTIONS,
  type SpamAction,
  type SpamRule,
} from "../../../features/spam-rules/index.ts";
import { readInput, text, uint } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/json-schema.ts";
import {
  actForm,
  choiceField,
  hiddenField,
  textField,
} from "../../kit/form-fields.ts";
import { html, type Html } from "../../kit/html.ts";
import { tableView } from "../../kit/list-view.ts";
import { spamTexts as texts } from "../../languages/texts.ts";
import type { AdminPage, AdminVisit, Outcome } from "../admin-page.ts";
import { foundCells, foundHeadings } from "./spam-log-page.ts";

const PATH = "/admin/spam";
const REHEARSED_DAYS = 7;

const FIELDS = ["name", "phrase", "link_host", "mentions", "known_days"];

const RULE = Type.Object({
  name: text("The name of the rule"),
  phrase: text("A word or phrase of the text"),
  link_host: text("A host that the text links"),
  mentions: text("The least number of people mentioned"),
  known_days: text("The author is known for fewer days"),
  no_contact: text("yes: the author has no contact here"),
  action: text("What is done"),
  state: text("on or off"),
});
const WHICH = Type.Object({
  id: uint("The ID of the rule"),
  state: text("on or off"),
});

/** Rules for what other servers send and new accounts write. */
export const spamRulesPage: AdminPage = {
  path: PATH,
  get title() {
    return texts.title;
  },
  access: "admin",
  keeps: [...FIELDS, "no_contact", "action", "state"],
  show,
  acts: { set, switch: switchRule, delete: deleteRule, rehearse },
};

async function show(visit: AdminVisit): Promise<Html> {
  const rules = await visit.context.spamRules.list();
  const headings = [texts.rule, texts.conditions, texts.action, texts.state];
  return html`<p>${texts.about}</p>
    ${setForm(visit)}
    ${
      rules.length === 0
        ? html`<p>${texts.none}</p>`
        : tableView(
            [...headings, ""],
            rules.map((rule) => rowOf(visit, rule)),
          )
    }`;
}

function rowOf({ session }: AdminVisit, rule: SpamRule) {
  const { id, name, action, isOn } = rule;
  const form = (act: string, label: string, state?: string) =>
    actForm(
      session,
      `${PATH}/${act}`,
      [
        hiddenField("id", id),
        state !== undefined && hiddenField("state", state),
      ],
      label,
    );
  return [
    name,
    conditionsOf(rule).join(", "),
    texts.doneActions[action],
    isOn ? texts.states.on : texts.states.off,
    [
      form("rehearse", texts.rehearse),
      isOn
        ? form("switch", texts.switchOff, "off")
        : form("switch", texts.switchOn, "on"),
      form("delete", texts.delete),
    ],
  ];
}

function conditionsOf({ conditions }: SpamRule): string[] {
  const { phrase, linkHost, mentions, knownDays, noContact } = conditions;
  return [
    ...(phrase === null ? [] : [texts.asPhrase(phrase)]),
    ...(linkHost === null ? [] : [texts.asLinkHost(linkHost)]),
    ...(mentions === null ? [] : [texts.asMentions(mentions)]),
    ...(knownDays === null ? [] : [texts.asKnownDays(knownDays)]),
    ...(noContact ? [texts.asNoContact] : []),
  ];
}

function setForm({ session, typed }: AdminVisit): Html {
  const draft = typed("set");
  const valueOf = (name: string) => ({ value: draft[name] ?? "" });
  const { noContact, noContactChoices, action, actions, state, states } = texts;
  return actForm(
    session,
    `${PATH}/set`,
    [
      textField("name", texts.name, { ...valueOf("name"), required: true }),
      textField("phrase", texts.phrase, valueOf("phrase")),
      textField("link_host", texts.linkHost, valueOf("link_host")),
      textField("mentions", texts.mentions, {
        ...valueOf("mentions"),
        most: 100,
      }),
      textField("known_days", texts.knownDays, {
        ...valueOf("known_days"),
        most: 3650,
      }),
      choiceField(
        "no_contact",
        noContact,
        noContactChoices,
        draft["no_contact"],
      ),
      choiceField("action", action, actions, draft["action"]),
      choiceField("state", state, states, draft["state"]),
      html`<small>${texts.sameName}</small>`,
    ],
    texts.set,
  );
}

async function set({ context, by, request }: AdminVisit): Promise<Outcome> {
  const input = readInput(RULE, request.parameters);
  const { name = "", phrase, link_host: linkHost, action = "" } = input;
  const mentions = readNumber(input.mentions);
  const knownDays = readNumber(input.known_days);
  if (!isAction(action)) return { fault: texts.refused };
  try {
    await context.spamRules.set(by, {
      ...{ name, phrase, linkHost, mentions, knownDays, action },
      noContact: input.no_contact === "yes",
      isOn: input.state === "on",
    });
    return { done: "rule_set" };
  } catch (error) {
    if (!isOf(error, "bad_request")) throw error;
    return { fault: texts.refused };
  }
}

/** @returns NaN for what is no whole number, which no rule takes */
function readNumber(typed = ""): number | undefined {
  const digits = typed.trim();
  if (digits === "") return undefined;
  return /^\d{1,9}$/.test(digits) ? Number(digits) : NaN;
}

async function switchRule(visit: AdminVisit): Promise<Outcome> {
  const { id = 0, state } = readInput(WHICH, visit.request.parameters);
  const isOn = state === "on";
  return whileThere(async () => {
    await visit.context.spamRules.switch(visit.by, id, isOn);
    return { done: isOn ? "rule_on" : "rule_off" };
  });
}

async function deleteRule(visit: AdminVisit): Promise<Outcome> {
  const { id = 0 } = readInput(WHICH, visit.request.parameters);
  return whileThere(async () => {
    await visit.context.spamRules.delete(visit.by, id);
    return { done: "rule_deleted" };
  });
}

async function rehearse({ context, request }: AdminVisit): Promise<Outcome> {
  const { id = 0 } = readInput(WHICH, request.parameters);
  return whileThere(async () => {
    const { spamRules, clock } = context;
    const found = await spamRules.rehearse(id, REHEARSED_DAYS);
    const rule = (await spamRules.list()).find((it) => it.id === id);
    const said = [rule?.name ?? "", found.read, REHEARSED_DAYS] as const;
    if (found.hits.length === 0)
      return { shown: html`<p>${texts.rehearsedNone(...said)}</p>` };
    const rows = found.hits.map((hit) => foundCells(hit, clock.now()));
    return {
      shown: html`<p>${texts.rehearsed(...said)}</p>
        ${tableView(foundHeadings(), rows)}
        ${!found.isWhole && html`<p>${texts.notWhole}</p>`}`,
    };
  });
}

async function whileThere(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (!isOf(error, "not_found")) throw error;
    return { fault: texts.gone };
  }
}

const isAction = (name: string): name is SpamAction =>
  SPAM_ACTIONS.some((action) => action === name);
const isOf = (error: unknown, code: KithError["code"]) =>
  error instanceof KithError && error.code === code;
