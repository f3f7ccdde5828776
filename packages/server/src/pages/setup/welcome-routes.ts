import type { FastifyInstance } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import { html, type Html } from "../kit/html.ts";
import { sendPage } from "../kit/send-page.ts";
import { setupTexts as texts } from "../languages/texts.ts";
import { ASPECTS, FIRST_STEPS, PEOPLE } from "../session/places.ts";
import { signInPath } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";

type Step = "picture" | "aspect" | "person" | "post";
type Done = Readonly<Record<Step, boolean>>;

/** Where each step is taken. */
const STEPS: Readonly<Record<Step, string>> = {
  picture: "/settings/profile",
  aspect: `${ASPECTS}#name`,
  person: `${PEOPLE}#q`,
  post: "/write",
};

/** The first steps of a newcomer, and which of them are done. */
export function welcomeRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  app.get(
    FIRST_STEPS,
    { config: { access: "session", limit: "read" } },
    async (request, reply) => {
      const session = await findVisitor(context, request);
      if (!session) return redirectTo(reply, signInPath(request.url));
      return sendPage(reply, {
        head: { title: texts.welcome, noindex: true },
        session,
        main: welcomeView(await findDone(context, session)),
      });
    },
  );
}

async function findDone(
  { aspects, people, posts }: PagesContext,
  { user }: Session,
): Promise<Done> {
  const [person, own, written] = await Promise.all([
    people.find({ id: user.personId }),
    aspects.listSummaries(user.userId),
    posts.listOf(user.personId, user, { offset: 0, limit: 1 }),
  ]);
  return {
    picture: (person?.profile.imageUrl ?? "") !== "",
    aspect: own.length > 0,
    person: own.some(({ memberCount }) => memberCount > 0),
    post: written.length > 0,
  };
}

function welcomeView(done: Done): Html {
  const steps = Object.entries(STEPS) as [Step, string][];
  const isAll = steps.every(([step]) => done[step]);
  return html`<h1>${texts.welcome}</h1>
    <p class="lead">${isAll ? texts.allDone : texts.steps}</p>
    <ol class="steps">
      ${steps.map(
        ([step, path]) =>
          html`<li ${done[step] && html`class="done"`}>
            <h2><a href="${path}">${texts.step[step].title}</a></h2>
            <p class="quiet">
              ${done[step] ? texts.done : texts.step[step].about}
            </p>
          </li>`,
      )}
    </ol>
    <p class="actions">
      <a class="${isAll ? "button" : "button second"}" href="/home"
        >${texts.toHome}</a
      >
    </p>`;
}
