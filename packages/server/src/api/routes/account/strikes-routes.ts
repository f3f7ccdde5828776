import { Type } from "../../../lib/json-schema.ts";
import {
  appealableUntil,
  canAppeal,
  type Strike,
  type Strikes,
} from "../../../features/strikes/index.ts";
import { text } from "../../../http/input/input.ts";
import { timestamp, type Clock } from "../../../lib/time/clock.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { listOf, one } from "../../schemas/schemas.ts";

export type StrikesRoutesDeps = {
  readonly strikes: Strikes;
  readonly clock: Clock;
};

const APPEAL = Type.Object({
  text: text("Why the decision is wrong, at most 2,000 characters"),
});

/** The moderators' decisions about the user, and appeals against them. */
export function strikesRoutes(deps: StrikesRoutesDeps): ApiRoute[] {
  const { strikes, clock } = deps;
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:accounts",
      name: "listStrikes",
      path: "/strikes",
      summary: "Lists the moderators' decisions about you, newest first.",
      input: NO_INPUT,
      output: listOf("Strike"),
      handle: async ({ user, page }) => {
        const now = clock.now();
        const own = await strikes.listOf(user.personId, page);
        return own.map((strike) => presentStrike(strike, now));
      },
    }),
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:accounts",
      name: "showStrike",
      path: "/strikes/:id",
      summary: "Shows one of the moderators' decisions about you.",
      input: NO_INPUT,
      output: one("Strike"),
      handle: async ({ user, path }) => {
        const id = readIdOrNone(path("id"));
        return presentStrike(await strikes.get(user.personId, id), clock.now());
      },
    }),
    apiRoute({
      method: "POST",
      limit: "costly",
      scope: "write:accounts",
      name: "appealStrike",
      path: "/strikes/:id/appeal",
      summary: "Appeals against a decision about you.",
      description:
        "Once for each decision, within 20 days, unless it was taken back. Moderators answer; a deleted text does not come back.",
      errors: [409],
      input: APPEAL,
      needs: ["text"],
      output: one("Strike"),
      handle: async ({ user, path, input }) => {
        const id = readIdOrNone(path("id"));
        return presentStrike(
          await strikes.appeal(user, id, input.text),
          clock.now(),
        );
      },
    }),
  ];
}

/** Names neither the moderator nor the reporter, to nobody. */
export function presentStrike(strike: Strike, now: Date): WireRecord {
  const { appeal } = strike;
  return {
    ID: strike.id,
    Guid: strike.guid,
    CreatedAt: strike.createdAt,
    PersonID: strike.personId,
    Action: strike.action,
    Message: strike.message,
    Excerpt: strike.excerpt,
    EndedAt: strike.endedAt,
    AppealUntil: canAppeal(strike, now)
      ? timestamp(appealableUntil(strike))
      : null,
    Appeal: appeal?.text ?? null,
    AppealedAt: appeal?.appealedAt ?? null,
    AppealState: appeal ? stateOf(appeal.accepted) : "none",
    DecidedAt: appeal?.decidedAt ?? null,
  };
}

function stateOf(accepted: boolean | null) {
  if (accepted === null) return "open";
  return accepted ? "accepted" : "rejected";
}
