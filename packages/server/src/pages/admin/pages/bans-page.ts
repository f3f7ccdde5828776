import {
  BAN_KINDS,
  BAN_SEVERITIES,
  type Ban,
  type BanKind,
  type BanSeverity,
} from "../../../features/bans/index.ts";
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
import { paginationView, tableView } from "../../kit/list-view.ts";
import { readKeyedPart } from "../../kit/page-input.ts";
import { timeView } from "../../kit/time-view.ts";
import { adminTexts } from "../../languages/texts.ts";
import type { AdminPage, AdminVisit, Outcome } from "../admin-page.ts";

const texts = adminTexts.bans;

const LIST = { path: "", size: 50, order: "newest first" } as const;
const DAY_MS = 86_400_000;

const BAN = Type.Object({
  kind: text("What is banned"),
  value: text("A mail domain, a mail address or a network"),
  severity: text("How strict it is"),
  days: text("After how many days it ends"),
  comment: text("Why, for admins"),
});
const WHICH = Type.Object({ id: uint("The ID of the ban") });

/** Mail domains, mail addresses and networks that are kept from signing up. */
export const bansPage: AdminPage = {
  path: "/admin/bans",
  get title() {
    return texts.title;
  },
  access: "admin",
  keeps: ["kind", "value", "severity", "days", "comment"],
  show,
  acts: { set, lift },
};

async function show(visit: AdminVisit): Promise<Html> {
  const { context, request } = visit;
  const part = await readKeyedPart(request, LIST, (page) =>
    context.bans.list(BAN_KINDS, page),
  );
  const { what, severity, comment, since, until, action } = texts;
  return html`<p>${texts.about}</p>
    ${setForm(visit)}
    ${
      part.items.length === 0
        ? html`<p>${texts.none}</p>`
        : tableView(
            [what, severity, comment, since, until, action],
            part.items.map((ban) => rowOf(visit, ban)),
          )
    }
    ${paginationView(part)}`;
}

function rowOf({ context, session }: AdminVisit, ban: Ban) {
  const { id, kind, value, severity, comment, createdAt, expiresAt } = ban;
  const now = context.clock.now();
  return [
    // The hash of an address says nothing; its number is in the audit log.
    kind === "mail_address" ? texts.addressNumber(id) : value,
    texts.severities[severity],
    comment,
    timeView(createdAt, now),
    expiresAt === null ? texts.noEnd : timeView(expiresAt, now),
    actForm(session, "/admin/bans/lift", hiddenField("id", id), texts.lift),
  ];
}

function setForm({ session, typed }: AdminVisit): Html {
  const draft = typed("set");
  const { kind, value = "", severity, days = "", comment = "" } = draft;
  return actForm(
    session,
    "/admin/bans/set",
    [
      choiceField("kind", texts.kind, texts.kinds, kind),
      textField("value", texts.value, { value, required: true }),
      choiceField("severity", texts.severity, texts.severities, severity),
      textField("days", texts.days, { value: days, most: 3650 }),
      textField("comment", texts.comment, { value: comment }),
    ],
    texts.set,
  );
}

async function set({ context, by, request }: AdminVisit): Promise<Outcome> {
  const input = readInput(BAN, request.parameters);
  const { kind = "", value = "", severity = "", comment = "" } = input;
  const days = (input.days ?? "").trim();
  if (!isKind(kind) || !isSeverity(severity) || !/^\d{0,9}$/.test(days))
    return { fault: texts.refused };
  try {
    await context.bans.set(by, {
      ...{ kind, value, severity, comment, from: request.network },
      forMs: days === "" ? undefined : Number(days) * DAY_MS,
    });
    return { done: "banned" };
  } catch (error) {
    if (!isOf(error, "bad_request")) throw error;
    return { fault: texts.refused };
  }
}

async function lift({ context, by, request }: AdminVisit): Promise<Outcome> {
  const { id = 0 } = readInput(WHICH, request.parameters);
  try {
    await context.bans.lift(by, id);
    return { done: "ban_lifted" };
  } catch (error) {
    if (!isOf(error, "not_found")) throw error;
    return { fault: texts.gone };
  }
}

const isKind = (text: string): text is BanKind =>
  BAN_KINDS.some((kind) => kind === text);
const isSeverity = (text: string): text is BanSeverity =>
  BAN_SEVERITIES.some((severity) => severity === text);
const isOf = (error: unknown, code: KithError["code"]) =>
  error instanceof KithError && error.code === code;
