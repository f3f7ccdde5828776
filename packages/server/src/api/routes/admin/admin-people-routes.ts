import { Type } from "../../../lib/json-schema.ts";
import type { PersonId } from "../../../features/ids.ts";
import type { People, Person } from "../../../features/people/index.ts";
import type {
  DecidedPerson,
  Decision,
  Suspensions,
} from "../../../features/suspensions/index.ts";
import { text } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { findByIdOrGuid } from "../../kit/identifiers.ts";
import { presentPerson, type WireRecord } from "../../schemas/records.ts";
import { slicePage } from "../../../features/page.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

export type AdminPeopleRoutesDeps = {
  readonly people: People;
  readonly suspensions: Suspensions;
};

const LIST = Type.Object({
  handle: text(
    "One person, by its whole handle, or by the name alone of somebody here",
  ),
  state: Type.Optional(
    Type.String({
      enum: ["suspended", "silenced"],
      description: "Only those of whom this was decided",
    }),
  ),
});

const DECISION = Type.Object({
  reason: text("Why, for those who run this server, at most 1,000 characters"),
});

/** Moderators' decisions about people. */
export function adminPeopleRoutes(deps: AdminPeopleRoutesDeps): ApiRoute[] {
  const { suspensions } = deps;
  return [
    apiRoute({
      forRole: "moderator",
      method: "GET",
      limit: "read",
      scope: "admin:read:accounts",
      name: "listPeopleForModerators",
      path: "/admin/people",
      summary: "Lists people with the decisions about them, newest first.",
      input: LIST,
      output: listOf("AdminPerson"),
      handle: async ({ input: { handle, state }, page }) => {
        if (handle === undefined || handle.trim() === "")
          return (await suspensions.list(toState(state), page)).map(present);
        const found = await suspensions.findByHandle(handle);
        const isMeant = found && isIn(found, toState(state));
        if (!isMeant) return [];
        const [listed] = slicePage([{ id: found.person.id }], page);
        return listed ? [present(found)] : [];
      },
    }),
    apiRoute({
      forRole: "moderator",
      method: "GET",
      limit: "read",
      scope: "admin:read:accounts",
      name: "showPersonForModerators",
      path: "/admin/people/:id",
      summary: "Shows a person with the decisions about them.",
      input: NO_INPUT,
      output: one("AdminPerson"),
      handle: async ({ path }) =>
        presentOne(deps, (await getAnybody(deps, path("id"))).id),
    }),
    decisionRoute(deps, "PUT", "suspension", "suspend"),
    decisionRoute(deps, "DELETE", "suspension", "unsuspend"),
    decisionRoute(deps, "PUT", "silence", "silence"),
    decisionRoute(deps, "DELETE", "silence", "unsilence"),
  ];
}

const SUMMARIES: Readonly<Record<Decision, string>> = {
  suspend:
    "Suspends a person: nothing is deleted, and nobody sees anything of theirs.",
  unsuspend: "Ends a suspension. What was hidden is shown again.",
  silence:
    "Silences a person: only their contacts still see their public posts.",
  unsilence: "Ends a silence.",
};

function decisionRoute(
  deps: AdminPeopleRoutesDeps,
  method: "PUT" | "DELETE",
  what: "suspension" | "silence",
  decision: Decision,
): ApiRoute {
  return apiRoute({
    scope: "admin:write:accounts",
    name: `${decision}Person`,
    forRole: "moderator",
    method,
    limit: "write",
    path: `/admin/people/:id/${what}`,
    summary: SUMMARIES[decision],
    description:
      "Of moderators and admins only admins decide, and nobody of itself.",
    errors: [409],
    input: DECISION,
    output: method === "DELETE" ? EMPTY : one("AdminPerson"),
    handle: async ({ user, path, input: { reason } }) => {
      const { id } = await getAnybody(deps, path("id"));
      await deps.suspensions.decide({
        by: user,
        personId: id,
        decision,
        reason,
      });
      return method === "DELETE" ? {} : presentOne(deps, id);
    },
  });
}

/** Finds a person in any moderation state. @throws {KithError} `not_found` */
async function getAnybody(
  { people }: AdminPeopleRoutesDeps,
  identifier: string,
): Promise<Person> {
  const person = await findByIdOrGuid<PersonId, Person>(identifier, (key) =>
    people.find(key),
  );
  if (!person) throw new KithError("not_found", "No such person.");
  return person;
}

function toState(state: string | undefined) {
  return state === "suspended" || state === "silenced" ? state : undefined;
}

function isIn(
  { decision }: DecidedPerson,
  state: "suspended" | "silenced" | undefined,
): boolean {
  return state === undefined || decision[state];
}

async function presentOne(
  { suspensions }: AdminPeopleRoutesDeps,
  id: PersonId,
): Promise<WireRecord> {
  const found = await suspensions.find(id);
  if (!found) throw new KithError("not_found", "No such person.");
  return present(found);
}

function present({ person, role, decision }: DecidedPerson): WireRecord {
  return {
    ID: person.id,
    Person: presentPerson(person),
    Role: role,
    Gone: person.state === "closed",
    Shown: person.state === "active",
    Suspended: decision.suspended,
    SuspensionReason: decision.suspensionReason,
    SuspendedAt: decision.suspendedAt,
    Silenced: decision.silenced,
    SilenceReason: decision.silenceReason,
    SilencedAt: decision.silencedAt,
  };
}
