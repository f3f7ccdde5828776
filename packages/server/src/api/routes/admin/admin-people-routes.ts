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
import type { Strikes } from "../../../features/strikes/index.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import { presentStrike } from "../account/strikes-routes.ts";
import { slicePage } from "../../../features/page.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

export type AdminPeopleRoutesDeps = {
  readonly people: People;
  readonly suspensions: Suspensions;
  readonly strikes: Pick<Strikes, "listOf">;
  readonly clock: Clock;
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
  message: text(
    "A message about it to a person here, without your name; at most 1,000 characters",
  ),
});
const END = Type.Object({ reason: DECISION.properties.reason });
const WARNING = Type.Object({
  message: text(
    "The message to the person, without your name; at most 1,000 characters",
  ),
  reason: DECISION.properties.reason,
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
    ...strikesRoutesOf(deps),
  ];
}

function strikesRoutesOf(deps: AdminPeopleRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      forRole: "moderator",
      method: "POST",
      limit: "write",
      scope: "admin:write:accounts",
      name: "warnPerson",
      path: "/admin/people/:id/warnings",
      summary: "Warns a person here, and changes nothing else.",
      description:
        "Only admins decide about moderators and admins, and nobody decides about themselves.",
      input: WARNING,
      needs: ["message"],
      output: one("AdminPerson"),
      handle: async ({ user, path, input }) => {
        const { id } = await getAnybody(deps, path("id"));
        const decided = { by: user, personId: id, decision: "warn" } as const;
        await deps.suspensions.decide({ ...decided, ...input });
        return presentOne(deps, id);
      },
    }),
    apiRoute({
      forRole: "moderator",
      method: "GET",
      limit: "read",
      scope: "admin:read:accounts",
      name: "listStrikesOfPerson",
      path: "/admin/people/:id/strikes",
      summary: "Lists the decisions about a person here, newest first.",
      input: NO_INPUT,
      output: listOf("Strike"),
      handle: async ({ path, page }) => {
        const { id } = await getAnybody(deps, path("id"));
        const now = deps.clock.now();
        const found = await deps.strikes.listOf(id, page);
        return found.map((strike) => presentStrike(strike, now));
      },
    }),
  ];
}

type StateDecision = Exclude<Decision, "warn">;

const SUMMARIES: Readonly<Record<StateDecision, string>> = {
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
  decision: StateDecision,
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
      "Only admins decide about moderators and admins, and nobody decides about themselves.",
    errors: [409],
    input: method === "DELETE" ? END : DECISION,
    output: method === "DELETE" ? EMPTY : one("AdminPerson"),
    handle: async ({ user, path, input }) => {
      const { id } = await getAnybody(deps, path("id"));
      await deps.suspensions.decide({
        ...{ by: user, personId: id, decision, ...input },
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
