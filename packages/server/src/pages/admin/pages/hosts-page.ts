import {
  HOST_DECISIONS,
  type HostDecision,
  type HostPolicy,
} from "../../../features/host-policies/index.ts";
import { Type } from "../../../lib/json-schema.ts";
import { readInput, text } from "../../../http/input/input.ts";
import {
  actForm,
  choiceField,
  hiddenField,
  textField,
} from "../../kit/form-fields.ts";
import { html, type Html } from "../../kit/html.ts";
import { tableView } from "../../kit/list-view.ts";
import { timeView } from "../../kit/time-view.ts";
import type { AdminPage, AdminVisit, Outcome } from "../admin-page.ts";
import { adminTexts } from "../../languages/texts.ts";
import {
  HOST_LIST_ACTS,
  hostListsView,
  LIST_BODY_LIMIT,
} from "../host-lists.ts";

const texts = adminTexts.hosts;
const { preview, apply, undo } = HOST_LIST_ACTS;

const DECISION = Type.Object({
  host: text("A host"),
  decision: text("What is decided"),
  reason: text("Why"),
});

/** The policies for other servers; admins change them, moderators see them. */
export const hostsPage: AdminPage = {
  path: "/admin/hosts",
  get title() {
    return texts.title;
  },
  access: "moderator",
  actsFor: "admin",
  show,
  acts: { decide, forgive, preview, apply, undo },
  bodyLimit: LIST_BODY_LIMIT,
  keeps: ["host", "decision", "reason"],
};

/** A list that was imported may name thousands. */
const MAX_SHOWN = 200;

const SEARCH = Type.Object({ name: text("A part of the name of a host") });

async function show(visit: AdminVisit): Promise<Html> {
  const { context, session, mayAct, request } = visit;
  const { name = "" } =
    request.method === "GET" ? readInput(SEARCH, visit.parameters) : {};
  const wanted = name.trim().toLowerCase();
  const policies = (await context.hostPolicies.list()).filter(({ host }) =>
    host.includes(wanted),
  );
  const rows = policies
    .slice(0, MAX_SHOWN)
    .map((policy) => [
      policy.host,
      inWords(policy),
      policy.reason,
      timeView(policy.updatedAt, context.clock.now()),
      mayAct &&
        actForm(
          session,
          "/admin/hosts/forgive",
          hiddenField("host", policy.host),
          texts.forgive,
        ),
    ]);
  const headings = [
    ...[texts.host, texts.decided, texts.reason, texts.since],
    ...(mayAct ? [texts.action] : []),
  ];
  return html`<p>${texts.about}</p>
    ${mayAct && decideForm(visit)} ${await hostListsView(visit)}
    ${searchForm(name)}
    ${rows.length === 0 ? html`<p>${texts.none}</p>` : tableView(headings, rows)}
    ${policies.length > rows.length && html`<p>${texts.more(policies.length - rows.length)}</p>`}`;
}

function searchForm(name: string): Html {
  return html`<form method="get" action="/admin/hosts" class="act">
    ${textField("name", texts.find, { value: name })}
    <button>${texts.search}</button>
  </form>`;
}

function decideForm({ session, typed }: AdminVisit): Html {
  const { host = "", decision, reason = "" } = typed("decide");
  return actForm(
    session,
    "/admin/hosts/decide",
    [
      textField("host", texts.host, { value: host, required: true }),
      choiceField("decision", texts.decision, texts.decisions, decision),
      textField("reason", texts.reason, { value: reason }),
    ],
    texts.decide,
  );
}

function inWords(policy: HostPolicy): string {
  const { states } = texts;
  return (["blocked", "silenced", "mediaRejected", "allowed"] as const)
    .filter((name) => policy[name])
    .map((name) => states[name])
    .join(", ");
}

async function decide({ context, by, request }: AdminVisit): Promise<Outcome> {
  const input = readInput(DECISION, request.parameters);
  const { host = "", decision = "", reason = "" } = input;
  if (!Object.hasOwn(HOST_DECISIONS, decision)) return { fault: texts.noHost };
  const policy = {
    ...HOST_DECISIONS[decision as HostDecision],
    ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
  };
  const isDone = await context.hostPolicies.set(by, host.trim(), policy);
  return isDone ? { done: "host_decided" } : { fault: texts.noHost };
}

async function forgive({ context, by, request }: AdminVisit): Promise<Outcome> {
  const { host = "" } = readInput(DECISION, request.parameters);
  const isDone = await context.hostPolicies.forgive(by, host);
  return isDone ? { done: "host_forgiven" } : { fault: texts.gone };
}
