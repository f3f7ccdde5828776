import type { RelayList } from "../../../features/relays/index.ts";
import { Type } from "../../../lib/json-schema.ts";
import { readInput, text } from "../../../http/input/input.ts";
import { actForm, hiddenField, textField } from "../../kit/form-fields.ts";
import { html, type Html } from "../../kit/html.ts";
import { tableView } from "../../kit/list-view.ts";
import type { AdminPage, AdminVisit, Outcome } from "../admin-page.ts";
import { adminTexts } from "../../languages/texts.ts";

const texts = adminTexts.queue;

const MAX_SHOWN = 200;

const GROUP = Type.Object({
  host: text("The server that the jobs are for"),
  kind: text("The kind of the jobs"),
  sure: text("`yes`, where they are to go for ever"),
});
const RELAY = Type.Object({ url: text("The address of a relay") });

/** The waiting jobs, by kind and server, and the relays. */
export const queuePage: AdminPage = {
  path: "/admin/queue",
  get title() {
    return texts.title;
  },
  access: "admin",
  show: async (visit) =>
    html`<h2>${texts.waiting}</h2>
      ${await queueView(visit)}
      <h2>${texts.relays}</h2>
      ${await relaysView(visit)}`,
  keeps: ["url"],
  acts: { retry, drop, "add-relay": addRelay, "remove-relay": removeRelay },
};

async function queueView({ context, session }: AdminVisit): Promise<Html> {
  const groups = await context.queue.list({});
  if (groups.length === 0) return html`<p>${texts.nothing}</p>`;
  const forHosts = new Set(
    groups.filter(({ host }) => host !== null).map(({ kind }) => kind),
  );
  const rows = groups.slice(0, MAX_SHOWN).map((group) => {
    // A group without a server is selected by its kind alone, which would
    // include the others.
    const isNamed = group.host !== null || !forHosts.has(group.kind);
    const named = [
      hiddenField("host", group.host ?? ""),
      hiddenField("kind", group.kind),
    ];
    const sure = html`<label>
      <input type="checkbox" name="sure" value="yes" required />
      ${texts.dropSure}
    </label>`;
    return [
      html`<code>${group.kind}</code>`,
      group.host ?? texts.nobody,
      `${group.waiting} / ${group.running} / ${group.dead}`,
      group.lastError,
      isNamed && [
        actForm(session, "/admin/queue/retry", named, texts.retry),
        actForm(session, "/admin/queue/drop", [named, sure], texts.drop),
      ],
    ];
  });
  return tableView(
    [texts.kind, texts.host, texts.counts, texts.error, texts.action],
    rows,
  );
}

async function relaysView({
  context,
  session,
  typed,
}: AdminVisit): Promise<Html> {
  const { relays } = context;
  if (!relays) return html`<p>${texts.noActivityPub}</p>`;
  const all = await relays.list();
  const rows = all.map(({ url, state }) => [
    url,
    state,
    actForm(
      session,
      "/admin/queue/remove-relay",
      hiddenField("url", url),
      texts.remove,
    ),
  ]);
  const { url: value = "" } = typed("add-relay");
  const add = textField("url", texts.address, { value, required: true });
  return html`${actForm(session, "/admin/queue/add-relay", add, texts.add)}
  ${
    rows.length === 0
      ? html`<p>${texts.noRelays}</p>`
      : tableView([texts.address, texts.answer, texts.action], rows)
  }`;
}

/**
 * Jobs without a server are selected by their kind alone, and dropped or
 * retried as a whole.
 */
function readGroup({ request }: AdminVisit) {
  const input = readInput(GROUP, request.parameters);
  const { host = "", kind = "", sure = "" } = input;
  return {
    filter: {
      host: host === "" ? undefined : host,
      kind: kind === "" ? undefined : kind,
    },
    isSure: sure === "yes" && kind !== "",
  };
}

async function retry(visit: AdminVisit): Promise<Outcome> {
  const { filter } = readGroup(visit);
  if (filter.kind === undefined) return { fault: texts.unsure };
  await visit.context.queue.retry(visit.by, filter);
  return { done: "retried" };
}

async function drop(visit: AdminVisit): Promise<Outcome> {
  const { filter, isSure } = readGroup(visit);
  if (!isSure) return { fault: texts.unsure };
  await visit.context.queue.drop(visit.by, filter);
  return { done: "dropped" };
}

function withRelays({ context }: AdminVisit): RelayList | undefined {
  return context.relays;
}

async function addRelay(visit: AdminVisit): Promise<Outcome> {
  const relays = withRelays(visit);
  if (!relays) return { fault: texts.noActivityPub };
  const { url = "" } = readInput(RELAY, visit.request.parameters);
  const relayUrl = relays.readUrl(url.trim());
  if (relayUrl === undefined) return { fault: texts.noUrl };
  const isAdded = await relays.add(visit.by, relayUrl);
  return isAdded ? { done: "relay_added" } : { fault: texts.known };
}

async function removeRelay(visit: AdminVisit): Promise<Outcome> {
  const relays = withRelays(visit);
  if (!relays) return { fault: texts.noActivityPub };
  const { url = "" } = readInput(RELAY, visit.request.parameters);
  const isGone = await relays.remove(visit.by, url);
  return isGone ? { done: "relay_removed" } : { fault: texts.gone };
}
