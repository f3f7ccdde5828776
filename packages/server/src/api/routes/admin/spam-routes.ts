import {
  MAX_REHEARSED_DAYS,
  SPAM_ACTIONS,
  type Rehearsal,
  type ShownHit,
  type SpamAction,
  type SpamRule,
  type SpamRules,
} from "../../../features/spam-rules/index.ts";
import { flag, text, uint } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/json-schema.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

export type SpamRoutesDeps = { readonly spamRules: SpamRules };

const DEFAULT_DAYS = 7;

const RULE = Type.Object({
  name: text("Its name, of at most 100 characters"),
  action: Type.Optional(
    Type.Unsafe<SpamAction>({
      type: "string",
      enum: [...SPAM_ACTIONS],
      description:
        "note: only in the log; report: also a report for the moderators; hold: seen by nobody until a moderator decides; refuse: not stored",
    }),
  ),
  phrase: text(
    "A word or phrase of at most 200 characters, not as a part of a longer word; in any case",
  ),
  link_host: text("A host that the text links, or a parent domain of one"),
  mentions: uint("At least so many people are mentioned, at most 100"),
  known_days: uint(
    "The author has been known here for fewer days than this, at most 3,650",
  ),
  no_contact: flag("The author is no contact of anybody here"),
  on: flag("Whether it applies; off where not said"),
});
const STATE = Type.Object({ on: flag("Whether it applies") });
const DAYS = Type.Object({
  days: uint(
    `Of how many days the stored posts and comments are read, at most ${MAX_REHEARSED_DAYS}; 7 where not said`,
  ),
});

/** Rules against known patterns of spam. */
export function spamRoutes({ spamRules }: SpamRoutesDeps): ApiRoute[] {
  return [...listRoutes(spamRules), ...changeRoutes(spamRules)];
}

function listRoutes(spamRules: SpamRules): ApiRoute[] {
  const reading = {
    method: "GET",
    forRole: "admin",
    limit: "read",
    scope: "admin:read",
  } as const;
  return [
    apiRoute({
      ...reading,
      name: "listSpamRules",
      path: "/admin/spam-rules",
      summary:
        "Lists the rules for what other servers send and new accounts write, by name.",
      input: NO_INPUT,
      output: listOf("SpamRule"),
      handle: async ({ page: { offset, limit } }) =>
        (await spamRules.list()).slice(offset, offset + limit).map(presentRule),
    }),
    apiRoute({
      ...reading,
      name: "listSpamHits",
      path: "/admin/spam-hits",
      summary:
        "Lists what rules have hit in the last 30 days, without any text, newest first.",
      input: NO_INPUT,
      output: listOf("SpamHit"),
      handle: async ({ page }) =>
        (await spamRules.listHits(page)).map(presentHit),
    }),
    apiRoute({
      ...reading,
      limit: "write",
      name: "rehearseSpamRule",
      path: "/admin/spam-rules/:id/rehearsal",
      summary:
        "Shows which stored posts and comments of the last days a rule would have hit.",
      input: DAYS,
      output: one("SpamRehearsal"),
      handle: async ({ path, input }) =>
        presentRehearsal(
          await spamRules.rehearse(
            readId(path("id")),
            input.days ?? DEFAULT_DAYS,
          ),
        ),
    }),
  ];
}

function changeRoutes(spamRules: SpamRules): ApiRoute[] {
  const changing = {
    forRole: "admin",
    limit: "write",
    scope: "admin:write",
  } as const;
  return [
    apiRoute({
      ...changing,
      method: "POST",
      name: "setSpamRule",
      path: "/admin/spam-rules",
      summary:
        "Makes a rule, of which all conditions must hold; a rule of the same name is replaced.",
      input: RULE,
      needs: ["name", { name: "action", error: "empty_string" }],
      output: one("SpamRule"),
      handle: async ({ user, input }) =>
        presentRule(
          await spamRules.set(user, {
            ...{ name: input.name, action: input.action },
            ...{ phrase: input.phrase, linkHost: input.link_host },
            ...{ mentions: input.mentions, knownDays: input.known_days },
            ...{ noContact: input.no_contact, isOn: input.on },
          }),
        ),
    }),
    apiRoute({
      ...changing,
      method: "PUT",
      name: "switchSpamRule",
      path: "/admin/spam-rules/:id",
      summary: "Switches a rule on or off.",
      input: STATE,
      needs: [{ name: "on", error: "bad_request" }],
      output: EMPTY,
      handle: async ({ user, path, input }) => {
        await spamRules.switch(user, readId(path("id")), input.on);
        return {};
      },
    }),
    apiRoute({
      ...changing,
      method: "DELETE",
      name: "deleteSpamRule",
      path: "/admin/spam-rules/:id",
      summary: "Deletes a rule. What it hit stays in the log.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await spamRules.delete(user, readId(path("id")));
        return {};
      },
    }),
  ];
}

function readId(written: string): number {
  if (/^[1-9]\d{0,14}$/.test(written)) return Number(written);
  throw new KithError("not_found", "There is no such rule.");
}

const presentRule = ({ conditions, ...rule }: SpamRule): WireRecord => ({
  ID: rule.id,
  CreatedAt: rule.createdAt,
  UpdatedAt: rule.updatedAt,
  Name: rule.name,
  Phrase: conditions.phrase,
  LinkHost: conditions.linkHost,
  Mentions: conditions.mentions,
  KnownDays: conditions.knownDays,
  NoContact: conditions.noContact,
  Action: rule.action,
  On: rule.isOn,
});

type Found = Pick<ShownHit, "at" | "handle" | "host" | "kind" | "thing">;

const presentFound = (hit: Found): WireRecord => ({
  At: hit.at,
  Type: hit.kind,
  Thing: hit.thing,
  Author: hit.handle,
  Host: hit.host,
});

const presentHit = ({ id, rule, action, ...hit }: ShownHit): WireRecord => ({
  ...{ ID: id, Rule: rule, Action: action },
  ...presentFound(hit),
});

const presentRehearsal = ({ read, isWhole, hits }: Rehearsal): WireRecord => ({
  Read: read,
  Whole: isWhole,
  Hits: hits.map(presentFound),
});
