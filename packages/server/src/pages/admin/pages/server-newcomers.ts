import { NEWCOMER_LIMITS } from "../../../features/server-profile/index.ts";
import { flag, readInput, text } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/json-schema.ts";
import { csrfField } from "../../kit/csrf.ts";
import { lineField } from "../../kit/form-fields.ts";
import { html, type Html } from "../../kit/html.ts";
import { newcomerTexts as texts } from "../../languages/texts.ts";
import type { AdminVisit, Outcome } from "../admin-page.ts";

/** The numbers of the form, by the names of their fields. */
const NUMBERS = {
  min_age: "minAge",
  newcomer_days: "newcomerDays",
  newcomer_posts: "newcomerPosts",
  newcomer_follows: "newcomerFollows",
} as const;
type NumberField = keyof typeof NUMBERS;

const FIELDS = Object.keys(NUMBERS) as NumberField[];

export const NEWCOMER_FIELDS: readonly string[] = [...FIELDS, "newcomer_links"];

const FORM = Type.Object({
  min_age: text("The age in years from which people may sign up"),
  newcomer_days: text("For how many days an account is new"),
  newcomer_posts: text("Posts and comments a day"),
  newcomer_follows: text("People followed a day"),
  newcomer_links: flag("May new accounts write links?"),
});

const WORDS: Readonly<Record<NumberField, () => readonly [string, string]>> = {
  min_age: () => [texts.minAge, texts.minAgeHint],
  newcomer_days: () => [texts.days, texts.daysHint],
  newcomer_posts: () => [texts.posts, texts.limitHint],
  newcomer_follows: () => [texts.follows, texts.limitHint],
};

/** The age of those who sign up, and the limits for new accounts. */
export async function newcomersView(visit: AdminVisit): Promise<Html> {
  const stored = await visit.context.serverProfile.get();
  const typed = visit.typed("newcomers");
  const isTyped = Object.keys(typed).length > 0;
  const mayLink = isTyped
    ? typed["newcomer_links"] !== undefined
    : stored.newcomerLinks;
  return html`<h2>${texts.title}</h2>
    <form method="post" action="/admin/server/newcomers" class="stacked">
      ${csrfField(visit.session)}
      ${FIELDS.map((name) => {
        const [label, hint] = WORDS[name]();
        const value = typed[name] ?? String(stored[NUMBERS[name]]);
        return lineField(name, value, {
          ...{ label, hint },
          attributes: html`type="number" min="0"
          max="${NEWCOMER_LIMITS[NUMBERS[name]]}"`,
        });
      })}
      <p>
        <label class="choice">
          <input
            type="checkbox"
            name="newcomer_links"
            value="true"
            ${mayLink && html`checked`}
          />
          <span>${texts.links}</span>
        </label>
      </p>
      <p class="actions"><button>${texts.save}</button></p>
    </form>`;
}

export async function saveNewcomers({
  context: { serverProfile },
  by,
  request,
}: AdminVisit): Promise<Outcome> {
  const input = readInput(FORM, request.parameters);
  const numberOf = (name: NumberField) => {
    const typed = (input[name] ?? "").trim();
    return /^\d{1,9}$/.test(typed) ? Number(typed) : NaN;
  };
  try {
    await serverProfile.save(by, {
      minAge: numberOf("min_age"),
      newcomerDays: numberOf("newcomer_days"),
      newcomerPosts: numberOf("newcomer_posts"),
      newcomerFollows: numberOf("newcomer_follows"),
      newcomerLinks: input.newcomer_links === true,
    });
    return { done: "saved" };
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== "bad_request")
      throw error;
    return { fault: texts.refused };
  }
}
