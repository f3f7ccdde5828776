import { sendPart } from "../kit/send-page.ts";
import type { FastifyInstance } from "fastify";
import { KithError } from "../../lib/errors.ts";
import { readInput, text } from "../../http/input/input.ts";
import { Type } from "../../lib/json-schema.ts";
import type { Session } from "../../features/accounts/index.ts";
import {
  audienceOf,
  readDraft,
  type PostDraft,
} from "../compose/post-draft.ts";
import { faultOfPost } from "../compose/post-fault.ts";
import { publishLabel, reachView } from "../compose/reach-view.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { html, type Html } from "../kit/html.ts";
import { avatarView, handleView, nameView } from "../kit/person-view.ts";
import { pageTexts, scriptTexts } from "../languages/texts.ts";
import { DRAFT_BODY_LIMIT } from "../session/return-target.ts";
import type { PagesContext } from "../session/visitor.ts";
import { getSession } from "./part-routes.ts";

const COMPLETED = Type.Object({
  q: text("The beginning of a mention or tag, with its sign"),
});

const MAX_COMPLETIONS = 6;
/** Longer beginnings are not completed. */
const MAX_BEGINNING = 100;

/** The parts that the script reads while a text is written. */
export function writingParts(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.post(
    "/parts/reach",
    {
      config: { access: "session", limit: "costly" },
      bodyLimit: DRAFT_BODY_LIMIT,
    },
    async (request, reply) => {
      const session = await getSession(context, request);
      checkCsrf(session, request.parameters);
      const draft = readDraft(request.parameters);
      return sendPart(reply, await reachPart(context, session, draft));
    },
  );
  app.get(
    "/parts/completions",
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const { user } = await getSession(context, request);
      const { q = "" } = readInput(COMPLETED, request.parameters);
      return sendPart(reply, listView(await complete(context, user, q)));
    },
  );
}

/** The sentence above the button, or why nobody can be named. */
async function reachPart(
  context: PagesContext,
  { user }: Session,
  draft: PostDraft,
): Promise<Html> {
  try {
    const audience = audienceOf(draft);
    const found = await context.previewAudience(user, audience, draft.text);
    const label = publishLabel(found);
    return html`<div data-label="${label}">${reachView(found)}</div>`;
  } catch (error) {
    const fault = faultOfPost(context, error, draft);
    if (fault === undefined) throw error;
    return html`<div data-label="${pageTexts.write.publish}">
      <p class="reach" role="status">${fault.fault}</p>
    </div>`;
  }
}

type Completion = { readonly value: string; readonly shown: Html };

/** A beginning that the search refuses has no completion. */
async function complete(
  { search }: PagesContext,
  user: Parameters<PagesContext["search"]["people"]>[0],
  given: string,
): Promise<Completion[]> {
  const sign = given[0];
  const beginning = given.slice(1);
  if (beginning === "" || given.length > MAX_BEGINNING) return [];
  const page = { offset: 0, limit: MAX_COMPLETIONS };
  try {
    if (sign === "#")
      return (await search.tags(user, beginning, page)).map((tag) => ({
        value: `#${tag}`,
        shown: html`<bdi>#${tag}</bdi>`,
      }));
    if (sign !== "@") return [];
    return (await search.people(user, beginning, page)).map((person) => ({
      value: `@${person.handle}`,
      shown: html`${avatarView(person, 48)} ${nameView(person)}
      ${handleView(person)}`,
    }));
  } catch (error) {
    if (error instanceof KithError) return [];
    throw error;
  }
}

function listView(completions: readonly Completion[]): Html {
  return html`<ul
    class="completions"
    role="listbox"
    aria-label="${scriptTexts.completions}"
  >
    ${completions.map(
      ({ value, shown }, at) =>
        html`<li role="option" id="completion-${at}" data-value="${value}">
          ${shown}
        </li>`,
    )}
  </ul>`;
}
