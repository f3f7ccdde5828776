import { Type } from "../../../lib/json-schema.ts";
import type { PersonId } from "../../../features/ids.ts";
import type { People, Person } from "../../../features/people/index.ts";
import type { Strike, Strikes } from "../../../features/strikes/index.ts";
import type { Suspensions } from "../../../features/suspensions/index.ts";
import { KithError } from "../../../lib/errors.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { presentPerson, type WireRecord } from "../../schemas/records.ts";
import { listOf, one } from "../../schemas/schemas.ts";
import { presentStrike } from "../account/strikes-routes.ts";

export type AppealsRoutesDeps = {
  readonly people: People;
  readonly strikes: Strikes;
  readonly suspensions: Pick<Suspensions, "settleAppeal">;
  readonly clock: Clock;
};

const LIST = Type.Object({
  state: Type.Optional(
    Type.String({
      enum: ["open", "closed"],
      description: "Open appeals, or those already decided. Default: open",
    }),
  ),
});

/** Appeals against the decisions of moderators. */
export function appealsRoutes(deps: AppealsRoutesDeps): ApiRoute[] {
  const { strikes } = deps;
  return [
    apiRoute({
      method: "GET",
      forRole: "moderator",
      limit: "read",
      scope: "admin:read:accounts",
      name: "listAppeals",
      path: "/admin/appeals",
      summary: "Lists the appeals against decisions, newest decision first.",
      input: LIST,
      output: listOf("AdminAppeal"),
      handle: async ({ input: { state }, page }) => {
        const which = state === "closed" ? "closed" : "open";
        const appealed = await strikes.appeals.list(which, page);
        const people = await deps.people.listById(
          appealed.map(({ personId }) => personId),
        );
        return appealed.map((strike) => present(deps, strike, people));
      },
    }),
    apiRoute({
      method: "GET",
      forRole: "moderator",
      limit: "read",
      scope: "admin:read:accounts",
      name: "showAppeal",
      path: "/admin/appeals/:id",
      summary: "Shows an appeal, with the decision.",
      input: NO_INPUT,
      output: one("AdminAppeal"),
      handle: ({ path }) => presentOne(deps, readIdOrNone(path("id"))),
    }),
    answerRoute(deps, "accept"),
    answerRoute(deps, "reject"),
  ];
}

function answerRoute(
  deps: AppealsRoutesDeps,
  answer: "accept" | "reject",
): ApiRoute {
  return apiRoute({
    method: "POST",
    forRole: "moderator",
    limit: "write",
    scope: "admin:write:accounts",
    name: `${answer}Appeal`,
    path: `/admin/appeals/:id/${answer}`,
    summary:
      answer === "accept"
        ? "Accepts an appeal, and takes the decision back."
        : "Rejects an appeal: the decision stays.",
    description:
      "The person is notified, without your name. A deleted text does not come back. Only admins decide about moderators and admins, and nobody decides about themselves.",
    errors: [409],
    input: NO_INPUT,
    output: one("AdminAppeal"),
    handle: async ({ user, path }) => {
      const id = readIdOrNone(path("id"));
      await deps.suspensions.settleAppeal(user, id, answer === "accept");
      return presentOne(deps, id);
    },
  });
}

async function presentOne(
  deps: AppealsRoutesDeps,
  id: number,
): Promise<WireRecord> {
  const strike = await deps.strikes.appeals.find(id);
  if (!strike) throw new KithError("not_found", "There is no such appeal.");
  const people = await deps.people.listById([strike.personId]);
  return present(deps, strike, people);
}

function present(
  { clock }: AppealsRoutesDeps,
  strike: Strike,
  people: ReadonlyMap<PersonId, Person>,
): WireRecord {
  const person = people.get(strike.personId);
  return {
    ...presentStrike(strike, clock.now()),
    Person: person ? presentPerson(person) : null,
  };
}
