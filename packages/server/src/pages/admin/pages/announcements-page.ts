import type { Announcement } from "../../../features/announcements/index.ts";
import type { AnnouncementId } from "../../../features/ids.ts";
import { readInput, text, uint } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/json-schema.ts";
import { announcementTextView } from "../../announcements/announcement-view.ts";
import { csrfField } from "../../kit/csrf.ts";
import {
  actForm,
  hiddenField,
  lineField,
  textAreaField,
} from "../../kit/form-fields.ts";
import { html, type Html } from "../../kit/html.ts";
import { paginationView } from "../../kit/list-view.ts";
import { readKeyedPart } from "../../kit/page-input.ts";
import { timeView } from "../../kit/time-view.ts";
import { momentOf } from "../../languages/local-time.ts";
import { announcementTexts as texts } from "../../languages/texts.ts";
import type { FormDraft } from "../../session/return-target.ts";
import type { AdminPage, AdminVisit, Outcome } from "../admin-page.ts";

const PATH = "/admin/announcements";
const LIST = { path: "", size: 20, order: "newest first" } as const;

const FORM = Type.Object({
  text: text("What is announced, in Markdown"),
  starts_at: text("When it begins, in local time"),
  ends_at: text("When it ends, in local time"),
});
const WHICH = Type.Object({ id: uint("The ID of the announcement") });

/** Announcements to everybody with an account here. */
export const announcementsPage: AdminPage = {
  path: PATH,
  get title() {
    return texts.title;
  },
  access: "admin",
  keeps: ["text", "starts_at", "ends_at"],
  show: async (visit) => {
    const { context, request, typed } = visit;
    const part = await readKeyedPart(request, LIST, context.announcements.list);
    return html`<p class="quiet">${texts.about}</p>
      ${formView(visit, typed("publish"))}
      ${
        part.items.length === 0
          ? html`<p>${texts.none}</p>`
          : part.items.map((it) => itemView(visit, it))
      }
      ${paginationView(part)}`;
  },
  acts: { publish, withdraw },
};

function formView({ session }: AdminVisit, typed: FormDraft): Html {
  const time = html`type="datetime-local"`;
  return html`<form method="post" action="${PATH}/publish" class="stacked">
    ${csrfField(session)}
    ${textAreaField("text", typed["text"] ?? "", {
      ...{ label: texts.text, hint: texts.textHint, rows: 4 },
    })}
    ${lineField("starts_at", typed["starts_at"] ?? "", {
      ...{ label: texts.startsAt, attributes: time },
    })}
    ${lineField("ends_at", typed["ends_at"] ?? "", {
      ...{ label: texts.endsAt, hint: texts.timesHint, attributes: time },
    })}
    <p class="actions"><button>${texts.publish}</button></p>
  </form>`;
}

function itemView(
  { context, session }: AdminVisit,
  announcement: Announcement,
): Html {
  const { id, createdAt, endsAt } = announcement;
  const now = context.clock.now();
  const isOver = endsAt !== null && new Date(endsAt) <= now;
  return html`<article class="post">
    <p class="quiet">
      ${timeView(createdAt, now)} ${isOver && html`· ${texts.over}`}
    </p>
    ${announcementTextView(context, announcement)}
    ${actForm(
      session,
      `${PATH}/withdraw`,
      hiddenField("id", id),
      html`${texts.withdraw} <span class="unseen">${texts.of(id)}</span>`,
    )}
  </article>`;
}

async function publish({ context, by, request }: AdminVisit): Promise<Outcome> {
  const input = readInput(FORM, request.parameters);
  const [startsAt, endsAt] = [input.starts_at, input.ends_at].map((local) =>
    // A text that is no time is refused as one.
    local === undefined || local.trim() === ""
      ? undefined
      : (momentOf(local.trim()) ?? local),
  );
  const { text: announced = "" } = input;
  try {
    await context.announcements.publish(by, {
      ...{ text: announced, startsAt, endsAt },
    });
    return { done: "done" };
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    return { fault };
  }
}

/** A fault that the admin can correct. */
function faultOf(error: unknown): string | undefined {
  if (!(error instanceof KithError)) return undefined;
  if (error.code === "empty_string") return texts.faults.text;
  if (error.code === "invalid_datetime") return texts.faults.time;
  return error.code === "bad_request" ? texts.faults.refused : undefined;
}

/** Another admin may have withdrawn it meanwhile. */
async function withdraw({
  context,
  by,
  request,
}: AdminVisit): Promise<Outcome> {
  const { id = 0 } = readInput(WHICH, request.parameters);
  try {
    await context.announcements.withdraw(by, id as AnnouncementId);
    return { done: "done" };
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== "not_found")
      throw error;
    return { fault: texts.gone };
  }
}
