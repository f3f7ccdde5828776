import type { AccountRecord } from "../../../features/accounts/index.ts";
import type { UserId } from "../../../features/ids.ts";
import { Type } from "../../../lib/json-schema.ts";
import { KithError } from "../../../lib/errors.ts";
import { readInput, text, uint } from "../../../http/input/input.ts";
import {
  actForm,
  choiceField,
  hiddenField,
  textField,
} from "../../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../../kit/html.ts";
import { paginationView } from "../../kit/list-view.ts";
import { readKeyedPart, type Part } from "../../kit/page-input.ts";
import { timeView } from "../../kit/time-view.ts";
import type {
  AdminAct,
  AdminPage,
  AdminVisit,
  Outcome,
} from "../admin-page.ts";
import { adminTexts, mailTexts } from "../../languages/texts.ts";

const texts = adminTexts.accounts;

const LIST = { path: "", size: 50, order: "newest first" } as const;
const FILTER = Type.Object({
  name: text("A part of the username"),
  role: text("Only those with this role"),
  state: text("Only those in this state"),
});
const CHANGE = Type.Object({
  id: uint("The ID of the account"),
  role: text("The role that it is to have"),
  sure: text("`yes` once it was asked and answered"),
});

/** All accounts; admins change them, moderators see them. */
export const accountsPage: AdminPage = {
  path: "/admin/accounts",
  get title() {
    return texts.title;
  },
  access: "moderator",
  actsFor: "admin",
  show,
  keeps: ["id", "role"],
  acts: {
    role: withConfirmation("role", setRole),
    password: withConfirmation("password", resetPassword),
    sessions: withConfirmation("sessions", endSessions),
    second_factor: withConfirmation("second_factor", resetSecondFactor),
  },
};

async function show(visit: AdminVisit): Promise<Html> {
  const { context, request, parameters, mayAct } = visit;
  const { name = "", role, state } = readInput(FILTER, parameters);
  const filter = {
    name: name.trim(),
    role: oneOf(texts.roles, role),
    state: oneOf(texts.states, state) as AccountRecord["state"] | undefined,
  };
  const part = await readKeyedPart(request, LIST, (page) =>
    context.administration.list(filter, page),
  );
  // For admins alone, who help those that cannot be reached there.
  const addresses = mayAct
    ? await context.mails.listAddresses(part.items.map(({ id }) => id))
    : new Map<UserId, string>();
  const accounts = part.items.map(
    (account) =>
      html`<section class="account" aria-labelledby="account-${account.id}">
        <h2 id="account-${account.id}">${account.username}</h2>
        ${factsView(account, context.clock.now(), addresses.get(account.id))}
        ${mayAct && account.state !== "closed" && changeView(visit, account)}
      </section>`,
  );
  return html`${searchForm(filter)}
  ${accounts.length === 0 ? html`<p>${texts.none}</p>` : accounts}
  ${paginationView(keepFilter(part, filter))}`;
}

function factsView(
  account: AccountRecord,
  now: Date,
  address: string | undefined,
): Html {
  const { role, state, createdAt, lastSeenAt, invitedBy } = account;
  const facts: readonly (readonly [string, HtmlValue])[] = [
    [texts.role, texts.roles[role]],
    [texts.state, texts.states[state] ?? state],
    [texts.since, timeView(createdAt, now)],
    [texts.lastSeen, lastSeenAt && timeView(lastSeenAt, now)],
    [texts.invitedBy, invitedBy],
    [mailTexts.settings.title, address],
  ];
  return html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        value &&
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

type Filter = {
  readonly name: string;
  readonly role: string | undefined;
  readonly state: string | undefined;
};

function searchForm({ name, role = "", state = "" }: Filter): Html {
  const any = { "": texts.any };
  return html`<form method="get" action="/admin/accounts" class="act">
    ${textField("name", texts.name, { value: name })}
    ${choiceField("role", texts.role, { ...any, ...texts.roles }, role)}
    ${choiceField("state", texts.state, { ...any, ...texts.states }, state)}
    <button>${texts.search}</button>
  </form>`;
}

function keepFilter<T>(part: Part<T>, filter: Filter): Part<T> {
  const given = Object.entries(filter).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "",
  );
  const more =
    given.length > 0 ? `&${new URLSearchParams(given).toString()}` : "";
  return {
    ...part,
    previous: part.previous && part.previous + more,
    next: part.next && part.next + more,
  };
}

function changeView(
  { session, typed }: AdminVisit,
  account: AccountRecord,
): Html {
  const wanted = typed("role");
  const isMeant = wanted["id"] === String(account.id);
  const id = hiddenField("id", account.id);
  const role = choiceField(
    "role",
    texts.role,
    texts.roles,
    (isMeant ? wanted["role"] : undefined) ?? account.role,
  );
  const path = "/admin/accounts";
  return html`<details ${isMeant && html`open`}>
    <summary>${texts.change}</summary>
    ${actForm(session, `${path}/role`, [id, role], texts.saveRole)}
    ${actForm(session, `${path}/password`, id, texts.newPassword)}
    ${actForm(session, `${path}/sessions`, id, texts.endSessions)}
    ${actForm(session, `${path}/second_factor`, id, texts.resetSecondFactor)}
  </details>`;
}

function oneOf<T extends string>(
  known: Readonly<Record<T, string>>,
  value: string | undefined,
): T | undefined {
  return value !== undefined && Object.hasOwn(known, value)
    ? (value as T)
    : undefined;
}

function readChange({ request }: AdminVisit) {
  const { id = 0, role } = readInput(CHANGE, request.parameters);
  return { key: { id: id as UserId }, role: oneOf(texts.roles, role) };
}

type ActName = keyof typeof texts.ask;

/** A destructive act asks for confirmation on a page of its own. */
function withConfirmation(name: ActName, act: AdminAct): AdminAct {
  return async (visit) => {
    const { id = 0, role, sure } = readInput(CHANGE, visit.parameters);
    if (sure === "yes") return act(visit);
    const { administration } = visit.context;
    return attempt(async () => {
      const { username } = await administration.get(id as UserId);
      const fields = [
        hiddenField("id", id),
        role !== undefined && hiddenField("role", role),
        hiddenField("sure", "yes"),
      ];
      const { question, button } = texts.ask[name];
      return {
        shown: html`<p>${question(username)}</p>
          ${actForm(visit.session, `/admin/accounts/${name}`, fields, button)}`,
      };
    }, texts.closed);
  };
}

/** A fault that the admin can correct is shown on the page. */
async function attempt(
  act: () => Promise<Outcome>,
  conflict: string,
): Promise<Outcome> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    if (error.code === "user_not_found") return { fault: texts.gone };
    if (error.code === "conflict") return { fault: conflict };
    throw error;
  }
}

async function setRole(visit: AdminVisit): Promise<Outcome> {
  const { key, role } = readChange(visit);
  if (!role) return { fault: texts.gone };
  return attempt(async () => {
    await visit.context.administration.setRole(visit.by, key, role);
    return { done: "role_set" };
  }, texts.lastAdmin);
}

async function resetPassword(visit: AdminVisit): Promise<Outcome> {
  const { administration } = visit.context;
  const { key } = readChange(visit);
  return attempt(async () => {
    const { username } = await administration.get(key.id);
    const password = await administration.resetPassword(visit.by, key);
    return {
      shown: html`<h2>${texts.passwordOf(username)}</h2>
        <p><code class="secret">${password}</code></p>
        <p>${texts.passwordOnce}</p>`,
    };
  }, texts.closed);
}

async function resetSecondFactor(visit: AdminVisit): Promise<Outcome> {
  const { key } = readChange(visit);
  return attempt(async () => {
    await visit.context.administration.resetSecondFactor(visit.by, key);
    return { done: "second_factor_reset" };
  }, texts.closed);
}

async function endSessions(visit: AdminVisit): Promise<Outcome> {
  const { key } = readChange(visit);
  return attempt(async () => {
    await visit.context.administration.endSessions(visit.by, key);
    return { done: "sessions_ended" };
  }, texts.closed);
}
