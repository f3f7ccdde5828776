import {
  UNWANTED_PEOPLE,
  type NotificationChoices,
} from "../../../features/notifications/index.ts";
import type { Input } from "../../kit/input.ts";
import { userRoute, type MastodonRoute } from "../../kit/mastodon-route.ts";
import { invalid } from "../../kit/refusals.ts";
import type { Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";

type Unwanted = (typeof UNWANTED_PEOPLE)[number];

/** The words of clients for people whose acts notify nobody who chose so. */
const NAMES = {
  not_following: "for_not_following",
  not_followers: "for_not_followers",
  new_people: "for_new_accounts",
  private_messages: "for_private_mentions",
} as const satisfies Record<Unwanted, string>;

const PATH = "/v2/notifications/policy";

/** Whose acts notify the user. Nothing is held back: they do, or they do not. */
export function policyRoutes({ notifications }: MastodonDeps): MastodonRoute[] {
  const { choices } = notifications;
  const change = (method: "PATCH" | "PUT") =>
    userRoute({
      method,
      path: PATH,
      scope: "write:notifications",
      limit: "write",
      handle: async ({ input, viewer }) => {
        const dropped = readDropped(input);
        return presentPolicy(await choices.change(viewer.userId, { dropped }));
      },
    });
  return [
    userRoute({
      method: "GET",
      path: PATH,
      scope: "read:notifications",
      limit: "read",
      handle: async ({ viewer }) =>
        presentPolicy(await choices.get(viewer.userId)),
    }),
    change("PATCH"),
    change("PUT"),
  ];
}

/** @throws {Refusal} for what this server does not do */
function readDropped(input: Input): Partial<Record<Unwanted, boolean>> {
  readIsDropped(input, "for_limited_accounts", ["drop"]);
  return Object.fromEntries(
    UNWANTED_PEOPLE.flatMap((people) => {
      const isDropped = readIsDropped(input, NAMES[people], ["accept", "drop"]);
      return isDropped === undefined ? [] : [[people, isDropped] as const];
    }),
  );
}

function readIsDropped(
  input: Input,
  name: string,
  words: readonly ("accept" | "drop")[],
): boolean | undefined {
  const given = input.filled(name);
  if (given === undefined) return undefined;
  const word = words.find((it) => it === given);
  if (word === undefined)
    throw invalid(`${name} must be ${words.join(" or ")} here`);
  return word === "drop";
}

/** Silenced people never notify somebody who does not follow them. */
const presentPolicy = ({ dropped }: NotificationChoices): Entity => ({
  ...Object.fromEntries(
    UNWANTED_PEOPLE.map((people) => [
      NAMES[people],
      dropped.includes(people) ? "drop" : "accept",
    ]),
  ),
  for_limited_accounts: "drop",
  summary: { pending_requests_count: 0, pending_notifications_count: 0 },
});
