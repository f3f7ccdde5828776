import { Type } from "../../../lib/json-schema.ts";
import type { PersonId } from "../../../features/ids.ts";
import type { Report, ReportNote } from "../../../features/moderation/index.ts";
import type { Person } from "../../../features/people/index.ts";
import { readInput, text, uint } from "../../../http/input/input.ts";
import { actForm, hiddenField } from "../../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../../kit/html.ts";
import { timeView } from "../../kit/time-view.ts";
import type { AdminAct, AdminPage, AdminVisit } from "../admin-page.ts";
import { moderationTexts } from "../../languages/texts.ts";
import { decisionForms, messageField, peoplePage } from "./people-page.ts";
import { casesView } from "../cases-view.ts";
import { performAct } from "../perform-act.ts";

const texts = moderationTexts.reports;

const ASKED = Type.Object({
  id: uint("A report"),
  text: text("A note, or what was done"),
  message: text("What the author of a deleted text is told"),
});

const SIZE = 50;

/** Reports, and their resolution. */
export const reportsPage: AdminPage = {
  path: "/admin/reports",
  get title() {
    return texts.title;
  },
  access: "moderator",
  count: ({ moderation }) => moderation.countOpen(),
  show: async (visit) => {
    const { id } = readInput(ASKED, visit.parameters);
    const found =
      id === undefined ? undefined : await visit.context.moderation.find(id);
    if (found) return reportView(visit, found.report, found.notes);
    return html`${id !== undefined && html`<p>${moderationTexts.noSuch}</p>`}
    ${await listView(visit)}`;
  },
  keeps: ["id", "text", "message"],
  shows: ["id"],
  acts: {
    take: acting(({ context, by }, id) =>
      context.moderation.assign(by, id, true),
    ),
    leave: acting(({ context, by }, id) =>
      context.moderation.assign(by, id, false),
    ),
    note: acting(({ context, by }, id, words) =>
      context.moderation.note(by, id, words),
    ),
    resolve: acting(({ context, by }, id, words) =>
      context.moderation.resolve(by, id, words),
    ),
    reopen: acting(({ context, by }, id) => context.moderation.reopen(by, id)),
    remove: acting(({ context, by, parameters }, id) => {
      const { message } = readInput(ASKED, parameters);
      return context.moderation.removeReported(by, id, message);
    }),
  },
};

function acting(
  work: (visit: AdminVisit, id: number, words: string) => Promise<void>,
): AdminAct {
  return async (visit) => {
    const asked = readInput(ASKED, visit.parameters);
    const { id = 0, text: words = "" } = asked;
    const to = `${reportsPage.path}?id=${id}`;
    return performAct(to, () => work(visit, id, words));
  };
}

function listView(visit: AdminVisit): Promise<Html> {
  const { context } = visit;
  return casesView(visit, {
    ...{ path: reportsPage.path, size: SIZE, texts },
    columns: [
      ...[texts.number, texts.reported, texts.about],
      ...[texts.kind, texts.says, texts.taken],
    ],
    list: (state, page) => context.moderation.listIn(state, page),
    rowOf: (report, people) => rowOf(context, report, people),
  });
}

function rowOf(
  { clock }: AdminVisit["context"],
  report: Report,
  people: ReadonlyMap<PersonId, Person>,
): HtmlValue[] {
  const { id, personId, text: says } = report;
  const person = personId === null ? undefined : people.get(personId);
  return [
    html`<a href="${reportsPage.path}?id=${id}">${id}</a>`,
    timeView(report.createdAt, clock.now()),
    html`${texts.targets[report.targetKind]}:
      <bdi>${person?.handle ?? texts.nobody}</bdi>`,
    texts.categories[report.category],
    says.length > 200 ? `${says.slice(0, 200)}…` : says,
    report.assignee ?? texts.nobody,
  ];
}

async function reportView(
  visit: AdminVisit,
  report: Report,
  notes: readonly ReportNote[],
): Promise<Html> {
  const { context } = visit;
  const { personId, reporterId } = report;
  const decided =
    personId === null ? undefined : await context.suspensions.find(personId);
  const reporter =
    reporterId === null
      ? undefined
      : await context.people.find({ id: reporterId });
  return html`<h2>${texts.whole(report.id)}</h2>
    <dl>
      <dt>${texts.reported}</dt>
      <dd>${timeView(report.createdAt, context.clock.now())}</dd>
      <dt>${texts.from}</dt>
      <dd><bdi>${reporter?.handle ?? report.host}</bdi></dd>
      <dt>${texts.about}</dt>
      <dd>${aboutView(report, decided?.person)}</dd>
      <dt>${texts.kind}</dt>
      <dd>${texts.categories[report.category]}</dd>
      <dt>${texts.says}</dt>
      <dd class="said" dir="auto">${report.text}</dd>
      <dt>${texts.taken}</dt>
      <dd>${report.assignee ?? texts.nobody}</dd>
    </dl>
    <p>${report.forwarded ? texts.isForwarded : texts.isNotForwarded}</p>
    ${evidenceView(report)} ${notesView(context, notes)}
    ${formsView(visit, report)}
    ${
      decided &&
      html`<h2>${texts.person}</h2>
        ${decisionForms(visit, decided)}`
    }`;
}

function aboutView(
  { targetKind, targetGuid }: Report,
  person: Person | undefined,
): Html {
  const kind = texts.targets[targetKind];
  const thing =
    targetKind === "post" && targetGuid !== null
      ? html`<a href="/posts/${encodeURIComponent(targetGuid)}">${kind}</a>`
      : kind;
  return html`${thing}:
  ${
    person
      ? html`<a href="${peoplePage.path}?id=${person.id}"
          ><bdi>${person.handle}</bdi></a
        >`
      : texts.nobody
  }`;
}

/** As plain text: reported markup has no effect here. */
function evidenceView({ evidence, objects }: Report): HtmlValue {
  return [
    evidence !== null &&
      html`<h3>${texts.evidence}</h3>
        <pre class="evidence" dir="auto" tabindex="0">${evidence}</pre>`,
    objects.length > 0 &&
      html`<h3>${texts.names}</h3>
        <ul>
          ${objects.map((uri) => html`<li><bdi>${uri}</bdi></li>`)}
        </ul>`,
  ];
}

function notesView(
  { clock }: AdminVisit["context"],
  notes: readonly ReportNote[],
): HtmlValue {
  if (notes.length === 0) return undefined;
  return html`<h3>${texts.notes}</h3>
    <ul>
      ${notes.map(
        (note) =>
          html`<li dir="auto">
            ${note.author}, ${timeView(note.createdAt, clock.now())}:
            ${note.text}
          </li>`,
      )}
    </ul>`;
}

function formsView(visit: AdminVisit, report: Report): HtmlValue {
  const { session, by, typed } = visit;
  const form = (name: keyof typeof texts.buttons, content?: HtmlValue) =>
    actForm(
      session,
      `${reportsPage.path}/${name}`,
      html`${hiddenField("id", report.id)} ${content}`,
      texts.buttons[name],
    );
  const asking = (name: "note" | "resolve", label: string) =>
    form(
      name,
      html`<label for="${name}-text">${label}</label>
        <textarea id="${name}-text" name="text" maxlength="2000">
${typed(name)["text"] ?? ""}</textarea>`,
    );
  const isOwn = report.assignee === by.username;
  return [
    form(isOwn ? "leave" : "take"),
    asking("note", texts.note),
    report.resolvedAt === null
      ? asking("resolve", texts.whatWasDone)
      : html`<p>
            ${texts.closedBy(report.resolver ?? "")}: ${report.resolution}
          </p>
          ${form("reopen")}`,
    report.targetKind !== "person" &&
      report.targetGuid !== null &&
      form(
        "remove",
        html`<p>${texts.removeMeaning}</p>
          ${messageField("remove", typed("remove")["message"])}`,
      ),
  ];
}
