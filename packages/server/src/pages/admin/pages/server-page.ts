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
import type { AdminPage, AdminVisit, Outcome } from "../admin-page.ts";

const REGISTRATIONS = ["configured", "open", "approval", "closed"] as const;
type Choice = (typeof REGISTRATIONS)[number];

const FORM = Type.Object({
  name: text("The name of the server"),
  description: text("What it is for, in Markdown"),
  rules: text("Its rules, in Markdown"),
  registration: text("Who may sign up"),
});

/** The description of the server, and its registration. */
export const serverPage: AdminPage = {
  path: "/admin/server",
  get title() {
    return texts.server;
  },
  access: "admin",
  keeps: ["name", "description", "rules", "registration"],
  show: async (visit) => {
    const stored = await visit.context.serverProfile.get();
    const typed = visit.typed("save");
    const { name, description, rules, registration } = stored;
    return formView(visit, {
      name: typed["name"] ?? name,
      description: typed["description"] ?? description,
      rules: typed["rules"] ?? rules,
      registration:
        readChoice(typed["registration"]) ?? registration ?? "configured",
    });
  },
  acts: { save },
};

async function save({
  context: { serverProfile },
  by,
  request,
}: AdminVisit): Promise<Outcome> {
  const input = readInput(FORM, request.parameters);
  const { name = "", description = "", rules = "" } = input;
  const chosen = readChoice(input.registration) ?? "configured";
  const registration: Registration | null =
    chosen === "configured" ? null : chosen;
  try {
    await serverProfile.save(by, { name, description, rules, registration });
    return { done: "saved" };
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== "bad_request")
      throw error;
    return { fault: texts.tooLong(SERVER_PROFILE_LIMITS) };
  }
}

function readChoice(given: string | undefined): Choice | undefined {
  return REGISTRATIONS.find((it) => it === given);
}

type Shown = {
  readonly name: string;
  readonly description: string;
  readonly rules: string;
  readonly registration: Choice;
};

function formView(
  { session }: AdminVisit,
  { name, description, rules, registration }: Shown,
): Html {
  return html`<p class="quiet">${texts.serverAbout}</p>
    <form method="post" action="/admin/server/save" class="stacked">
      ${csrfField(session)}
      ${lineField("name", name, {
        ...{ label: texts.name, hint: texts.nameHint },
        attributes: html`maxlength="${SERVER_PROFILE_LIMITS.name}" dir="auto"`,
      })}
      ${textAreaField("description", description, {
        ...{ label: texts.description, hint: texts.descriptionHint, rows: 4 },
      })}
      ${textAreaField("rules", rules, {
        ...{ label: texts.rules, hint: texts.rulesHint, rows: 8 },
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
