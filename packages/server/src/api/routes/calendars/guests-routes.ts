import { Type } from "../../../lib/json-schema.ts";
import type { ParticipationId } from "../../../features/ids.ts";
import {
  ORGANIZER_REPLIES,
  type OrganizerReply,
} from "../../../features/participations/index.ts";
import { presentParticipation } from "../../schemas/records.ts";
import { apiRoute, type ApiRoute } from "../../kit/route.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { listOf, one } from "../../schemas/schemas.ts";
import { getEvent, type EventsRoutesDeps } from "./events-routes.ts";

const LIST = Type.Object({
  reply: Type.Optional(
    Type.String({
      enum: ["pending"],
      description: "Lists only those that the organizer has yet to confirm",
    }),
  ),
});

const REPLY = Type.Object({
  reply: Type.Optional(
    Type.String({
      enum: [...ORGANIZER_REPLIES],
      description: "May the guest come?",
    }),
  ),
});

/** The answers to an event, and the replies of an organizer who confirms guests. */
export function guestsRoutes(deps: EventsRoutesDeps): ApiRoute[] {
  const { people, participations } = deps;
  const path = "/calendar/events/:id/participations";
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listParticipations",
      path,
      summary:
        "Lists the answers to an event, newest first. Requests to come are shown to the organizer and the guest alone.",
      input: LIST,
      output: listOf("Participation"),
      handle: async ({ user, input, page, path: part }) => {
        const { id } = await getEvent(deps, part("id"), user);
        const isPending = input.reply === "pending";
        const wanted = { page, isPending };
        const answers = await participations.list(id, user.personId, wanted);
        const ids = answers.map(({ personId }) => personId);
        const persons = await people.listById(ids);
        return answers.map((answer) =>
          presentParticipation(answer, persons.get(answer.personId)),
        );
      },
    }),
    apiRoute({
      method: "PUT",
      limit: "write",
      scope: "write:statuses",
      name: "replyToGuest",
      path: `${path}/:guest`,
      summary: "Confirms or refuses a guest who asks to come to your event.",
      input: REPLY,
      needs: ["reply"],
      output: one("Participation"),
      handle: async ({ user, input, path: part }) => {
        const { id } = await getEvent(deps, part("id"), user);
        const answer = await participations.reply(
          user,
          { id },
          readIdOrNone(part("guest")) as ParticipationId,
          input.reply as OrganizerReply,
        );
        const person = await people.find({ id: answer.personId });
        return presentParticipation(answer, person);
      },
    }),
  ];
}
