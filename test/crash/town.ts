import assert from "node:assert/strict";
import type { DatabaseKind } from "../../packages/server/test/support/server/databases.ts";
import { viewPost } from "../e2e/walk/look.ts";
import { getWholeList, guidOf } from "../support/conversation.ts";
import { eventually, KithProcess } from "../support/kith-process.ts";
import { Resident } from "../support/resident.ts";
import type { PostView } from "../e2e/walk/look.ts";
import type { Seen } from "./ledger.ts";

export type GameOptions = {
  readonly database: DatabaseKind;
  /** One protocol, or both, as in the setting. */
  readonly protocols: string;
};

/** A person with an aspect of some of the others. */
export type Citizen = {
  readonly who: Resident;
  readonly aspect: string;
  readonly members: ReadonlySet<string>;
  /** The ids of these members on this person's server. */
  readonly memberIds: readonly string[];
  /** diaspora* has no quotes. */
  readonly seesQuotes: boolean;
};

/** Two servers with two people each, who all follow each other. */
export type Servers = {
  readonly database: DatabaseKind;
  readonly one: KithProcess;
  readonly two: KithProcess;
  readonly citizens: readonly Citizen[];
  remove(): Promise<void>;
};

export async function startServers(options: GameOptions): Promise<Servers> {
  const [one, two] = await KithProcess.startAll([options, options]);
  assert.ok(one && two);
  const remove = async () => {
    await Promise.all([one.remove(), two.remove()]);
  };
  try {
    const people = [
      await Resident.settle(one, "ann"),
      await Resident.settle(one, "abe"),
      await Resident.settle(two, "bob"),
      await Resident.settle(two, "bea"),
    ];
    const citizens: Citizen[] = [];
    const seesQuotes = options.protocols === "activitypub";
    for (const who of people)
      citizens.push({ ...(await befriend(who, people)), seesQuotes });
    for (const { who } of citizens)
      await eventually(async () => {
        const notifications = await who.api.getList("/notifications?limit=100");
        assert.equal(notifications.length, people.length - 1, who.name);
      });
    return { database: options.database, one, two, citizens, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function befriend(
  who: Resident,
  people: readonly Resident[],
): Promise<Omit<Citizen, "seesQuotes">> {
  const others = people.filter((one) => one !== who);
  await who.gather("all", others);
  // A local one and a remote one.
  const near = others.find(({ server }) => server === who.server);
  const far = others.find(({ server }) => server !== who.server);
  const chosen = [near, far].filter((one) => one !== undefined);
  const aspect = await who.gather("some", chosen);
  const found = await Promise.all(chosen.map((one) => who.find(one)));
  return {
    who,
    aspect,
    members: new Set(chosen.map(({ name }) => name)),
    memberIds: found.map(({ ID }) => String(ID)),
  };
}

/** All posts of a person's stream, with all their parts. */
export async function lookAround({ who }: Citizen): Promise<Seen> {
  const seen = new Map<string, PostView[]>();
  for (const record of await getWholeList(who.api, "/posts")) {
    const shown = await viewPost(who, guidOf(record));
    if (shown === "hidden") continue;
    const { text, quotes } = shown;
    const view = {
      ...shown,
      text: withoutLink(text),
      // A quoted post may quote another one itself, which is gone.
      quotes: quotes && withoutLink(quotes),
    };
    seen.set(view.text, [...(seen.get(view.text) ?? []), view]);
  }
  return seen;
}

/** A quote that is not shown is a link at the end of the text. */
export function withoutLink(text: string): string {
  return text.replace(/\n{1,2}RE: <[^>]*>$/, "");
}
