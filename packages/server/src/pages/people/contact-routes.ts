import type { FastifyInstance, FastifyReply } from "fastify";
import type { Session } from "../../features/accounts/index.ts";
import type { AspectId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import type { Parameters } from "../../http/input/parameters.ts";
import { KithError } from "../../lib/errors.ts";
import { isGuid } from "../../lib/guids.ts";
import { Type } from "../../lib/json-schema.ts";
import { checkCsrf } from "../kit/csrf.ts";
import { html } from "../kit/html.ts";
import { readIds } from "../kit/page-input.ts";
import { personPath } from "../kit/person-view.ts";
import { sendPage } from "../kit/send-page.ts";
import { contactTexts as texts } from "../languages/texts.ts";
import { readReturnTarget } from "../session/return-target.ts";
import {
  findVisitor,
  redirectTo,
  type PagesContext,
} from "../session/visitor.ts";
import { askToSignIn } from "../sign-in/send-sign-in.ts";
import {
  choicesForm,
  readFollowChoices,
  readTypedChoices,
} from "./choices-view.ts";

/** Aspects that are shown on one page. */
const MAX_SHOWN = 1_000;

const several = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { description }));

const CHOSEN = Type.Object({
  shown: several("The ids of the aspects that could be chosen"),
  aspect: several("The ids of those that shall hold the person"),
});

const BACK = Type.Object({ to: text("The list from which it was sent") });

type OfGuid = { Params: { guid: string } };

/** A change of the user's contact with a person. */
type ContactAct = (
  session: Session,
  person: Person,
  parameters: Parameters,
) => Promise<unknown>;

/** Following people, the aspects that hold them, and keeping away from them. */
export function contactRoutes(
  app: FastifyInstance,
  context: PagesContext,
): void {
  const { aspects, blocks, contacts } = context;
  const acts: readonly (readonly [string, ContactAct])[] = [
    [
      "follow",
      ({ user }, { id }) => aspects.follow(user, id, texts.defaultAspect),
    ],
    ["unfollow", ({ user }, { id }) => unlessDone(aspects.unfollow(user, id))],
    [
      "aspects",
      ({ user }, { id: personId }, given) => {
        const { shown, aspect } = readInput(CHOSEN, given);
        const chosen = new Set(readIds(aspect));
        const wanted = readIds(shown)
          .slice(0, MAX_SHOWN)
          .map((each) => ({
            ...{ aspectId: each as AspectId, personId },
            isMember: chosen.has(each),
          }));
        return aspects.changeMemberships(user, wanted);
      },
    ],
    [
      "choices",
      ({ user }, { id }, given) =>
        unlessDone(
          contacts.changeChoices(user.userId, id, readFollowChoices(given)),
        ),
    ],
    [
      "remove_follower",
      ({ user }, { id }) => unlessDone(contacts.removeFollower(user, id)),
    ],
    ["ignore", ({ user }, { id }) => blocks.ignore(user, id)],
    ["unignore", ({ user }, { id }) => unlessDone(blocks.unignore(user, id))],
    ["block", ({ user }, { id }) => blocks.block(user, id)],
    ["unblock", ({ user }, { id }) => unlessDone(blocks.unblock(user, id))],
  ];
  for (const [name, act] of acts) contactAct(app, context, name, act);
}

function contactAct(
  app: FastifyInstance,
  context: PagesContext,
  name: string,
  act: ContactAct,
): void {
  app.post<OfGuid>(
    `/people/:guid/${name}`,
    { config: { access: "session", limit: "write" } },
    async (request, reply) => {
      const { guid } = request.params;
      if (!isGuid(guid)) throw new KithError("not_found", "No such person.");
      const session = await findVisitor(context, request);
      const to = `/people/${encodeURIComponent(guid)}`;
      if (!session) return askToSignIn(context, request, reply, { to });
      checkCsrf(session, request.parameters);
      const person = await context.people.find({ guid });
      if (person?.state !== "active")
        throw new KithError("not_found", "No such person.");
      try {
        await act(session, person, request.parameters);
      } catch (error) {
        const isTyped =
          name === "choices" &&
          error instanceof KithError &&
          error.code === "bad_request";
        if (!isTyped) throw error;
        return sendChoices(reply, session, person, request.parameters);
      }
      const back = readInput(BACK, request.parameters).to;
      return redirectTo(
        reply,
        back === undefined ? personPath(person) : readReturnTarget(back),
      );
    },
  );
}

/** A form that is sent twice is not a fault: the second time, the act is done. */
export async function unlessDone(act: Promise<unknown>): Promise<void> {
  try {
    await act;
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== "not_found")
      throw error;
  }
}

/** The form as it was typed, with the error at its field. */
function sendChoices(
  reply: FastifyReply,
  session: Session,
  person: Person,
  given: Parameters,
): FastifyReply | Promise<FastifyReply> {
  const path = `/people/${encodeURIComponent(person.guid)}`;
  return sendPage(reply, {
    status: 422,
    head: { title: texts.choices.title, noindex: true },
    session,
    main: html`<h1>${texts.choices.title}</h1>
      <p><a href="${personPath(person)}">${person.handle}</a></p>
      ${choicesForm(session, path, readTypedChoices(given))}`,
  });
}
