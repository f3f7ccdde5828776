import {
  SERVER_PROFILE_LIMITS,
  type Registration,
} from "../../../features/server-profile/index.ts";
import { readInput, text } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/json-schema.ts";
import { csrfField } from "../../kit/csrf.ts";
import {
  choicesField,
  lineField,
  textAreaField,
} from "../../kit/form-fields.ts";
import { html, type Html } from "../../kit/html.ts";
import { setupTexts as texts } from "../../languages/texts.ts";
import {
  NEWCOMER_FIELDS,
  newcomersView,
  saveNewcomers,
} from "./server-newcomers.ts";
import type { AdminPage, AdminVisit, Outcome } from "../admin-page.ts";
import {
  LOOK_FIELDS,
  lookView,
  endPicture,
  SERVER_PICTURE_FIELD,
  saveLook,
  savePicture,
} from "./server-look.ts";

const REGISTRATIONS = ["configured", "open", "approval", "closed"] as const;
type Choice = (typeof REGISTRATIONS)[number];

/** The long texts, with the lines of their fields. */
const AREAS = [
  ["description", 4],
  ["rules", 8],
  ["joining", 3],
  ["privacy", 6],
  ["terms", 6],
] as const;

const TEXTS = [
  ...(["name", "description", "rules"] as const),
  ...(["joining", "terms", "privacy", "contact"] as const),
] as const;

const FORM = Type.Object({
  name: text("The name of the server"),
  description: text("What it is for, in Markdown"),
  rules: text("Its rules, in Markdown"),
  joining: text("Read before somebody signs up, in Markdown"),
  terms: text("The terms of use, in Markdown"),
  privacy: text("What the admins say about privacy, in Markdown"),
  contact: text("The username of the contact"),
  contact_mail: text("A mail address"),
  registration: text("Who may sign up"),
});

/** The description of the server, and its registration. */
export const serverPage: AdminPage = {
  path: "/admin/server",
  get title() {
    return texts.server;
  },
  access: "admin",
  keeps: [
    ...TEXTS,
    "contact_mail",
    "registration",
    ...LOOK_FIELDS,
    ...NEWCOMER_FIELDS,
  ],
  files: { picture: SERVER_PICTURE_FIELD },
  bodyLimit: 1_048_576,
  show: async (visit) => {
    const stored = await visit.context.serverProfile.get();
    const typed = visit.typed("save");
    const form = formView(visit, {
      ...Object.fromEntries(
        TEXTS.map((name) => [name, typed[name] ?? stored[name]]),
      ),
      contactMail: typed["contact_mail"] ?? stored.contactMail,
      registration:
        readChoice(typed["registration"]) ??
        stored.registration ??
        "configured",
    });
    return html`${form} ${await newcomersView(visit)} ${await lookView(visit)}`;
  },
  acts: {
    ...{ save, look: saveLook, picture: savePicture },
    newcomers: saveNewcomers,
    remove_picture: endPicture,
  },
};

async function save({
  context: { serverProfile },
  by,
  request,
}: AdminVisit): Promise<Outcome> {
  const input = readInput(FORM, request.parameters);
  const chosen = readChoice(input.registration) ?? "configured";
  const registration: Registration | null =
    chosen === "configured" ? null : chosen;
  try {
    await serverProfile.save(by, {
      ...Object.fromEntries(TEXTS.map((name) => [name, input[name] ?? ""])),
      contactMail: input.contact_mail ?? "",
      registration,
    });
    return { done: "saved" };
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== "bad_request")
      throw error;
    return { fault: texts.refused(SERVER_PROFILE_LIMITS) };
  }
}

function readChoice(given: string | undefined): Choice | undefined {
  return REGISTRATIONS.find((it) => it === given);
}

type Shown = Readonly<Partial<Record<(typeof TEXTS)[number], string>>> & {
  readonly contactMail: string;
  readonly registration: Choice;
};

function formView({ session }: AdminVisit, shown: Shown): Html {
  const { name = "", contact = "", contactMail, registration } = shown;
  const area = (field: (typeof AREAS)[number][0], rows: number) =>
    textAreaField(field, shown[field] ?? "", {
      ...{ label: texts[field], hint: texts[`${field}Hint`], rows },
    });
  return html`<p class="quiet">${texts.serverAbout}</p>
    <form method="post" action="/admin/server/save" class="stacked">
      ${csrfField(session)}
      ${lineField("name", name, {
        ...{ label: texts.name, hint: texts.nameHint },
        attributes: html`maxlength="${SERVER_PROFILE_LIMITS.name}" dir="auto"`,
      })}
      ${AREAS.map(([field, rows]) => area(field, rows))}
      ${lineField("contact", contact, {
        ...{ label: texts.contact, hint: texts.contactHint },
        attributes: html`maxlength="${SERVER_PROFILE_LIMITS.contact}"
        autocapitalize="none" spellcheck="false"`,
      })}
      ${lineField("contact_mail", contactMail, {
        ...{ label: texts.contactMail, hint: texts.contactMailHint },
        attributes: html`type="email"
        maxlength="${SERVER_PROFILE_LIMITS.contactMail}"`,
      })}
      ${choicesField({
        ...{ name: "registration", legend: texts.registration },
        labels: texts.registrations,
        chosen: [registration],
      })}
      <p class="actions">
        <button>${texts.save}</button>
        <a href="/welcome">${texts.firstSteps}</a>
      </p>
    </form>`;
}
