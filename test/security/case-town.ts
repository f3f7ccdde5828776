import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { before } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import type { DatabaseKind } from "../../packages/server/test/support/server/databases.ts";
import {
  useHostServers,
  type HostServers,
} from "../../packages/server/test/support/remote/host-town.ts";
import type { TestPerson } from "../../packages/server/test/support/server/kith-server.ts";
import { submitAndApply } from "../../packages/server/test/support/remote/linked-data.ts";
import { idOf } from "../../packages/server/test/support/remote/proving-actor.ts";
import type {
  RemoteActor,
  RemoteServer,
} from "../../packages/server/test/support/remote/remote-server.ts";
import { contentOf } from "../support/hostile.ts";

export const FOR_ALL = { to: [PUBLIC], cc: [] };

/** A local person, and people on two servers; those on the evil one are hostile, but not blocked. */
export type CaseServers = HostServers & {
  readonly ann: () => TestPerson;
  /** A new person on the good server. */
  readonly honest: () => RemoteActor;
  /** A new person on the evil server. */
  readonly mallory: () => RemoteActor;
  /** The same, already known here, so that their identity is not new. */
  readonly meet: (actor: RemoteActor) => Promise<RemoteActor>;
  /** The same, followed by ann, so that their posts are accepted here. */
  readonly followed: (actor: RemoteActor) => Promise<RemoteActor>;
  /** The text of a post or comment with this id; undefined if it is unknown. */
  readonly textOf: (uri: string) => Promise<string | undefined>;
  /** The tables of user data that an action changes. */
  readonly changedBy: (work: () => Promise<unknown>) => Promise<string[]>;
  /** Asserts that an attack changes no user data. */
  readonly unharmed: (
    attack: () => Promise<unknown>,
    what?: string,
  ) => Promise<void>;
};

/** For the tests of the surrounding `describe`. */
export function useCaseServers(kind: DatabaseKind): CaseServers {
  const town = useHostServers(kind);
  const { kith } = town;
  let ann: TestPerson | undefined;
  let names = 0;
  before(async () => {
    ann = await kith().person({ handle: "ann" });
    // The server's own key is created at its first use.
    await fetch(`${kith().baseUrl}/api/v1/ap/instance`);
  });
  const actorOn = (server: RemoteServer, name: string) => {
    names += 1;
    return server.actor(`${name}${names}`);
  };
  const changedBy = async (work: () => Promise<unknown>) => {
    const unchanged = await contentOf(kith());
    await work();
    await kith().settle();
    const content = await contentOf(kith());
    return Object.keys(content).filter(
      (table) => content[table]?.digest !== unchanged[table]?.digest,
    );
  };
  return {
    ...town,
    ann: () => ann ?? assert.fail(),
    honest: () => actorOn(town.good(), "alice"),
    mallory: () => actorOn(town.evil(), "mallory"),
    meet: async (actor) => {
      const { discovery } = kith().server;
      assert.ok(await discovery.byHandle(actor.handle), actor.handle);
      return actor;
    },
    followed: async (actor) => {
      const follow = { type: "Follow", object: actor.id };
      await submitAndApply(kith(), ann ?? assert.fail(), follow);
      await kith().settle();
      return actor;
    },
    textOf: async (uri) => {
      const { posts, comments } = kith().server.features;
      return (
        (await posts.find({ uri }))?.text ??
        (await comments.find({ uri }))?.text
      );
    },
    changedBy,
    unharmed: async (attack, what = "nothing is changed") =>
      assert.deepEqual(await changedBy(attack), [], what),
  };
}

/** Serves a document under its id, or under any other address of the server. */
export function serve(
  server: RemoteServer,
  document: JsonObject,
  at = idOf(document),
  type = "application/activity+json",
): string {
  server.answers.set(new URL(at).pathname, (response: ServerResponse) =>
    response
      .writeHead(200, type === "" ? {} : { "content-type": type })
      .end(JSON.stringify(document)),
  );
  return at;
}

/** Redirects requests for a path. */
export function redirect(
  server: RemoteServer,
  path: string,
  location: string,
  status = 302,
): string {
  server.answers.set(path, (response: ServerResponse) =>
    response.writeHead(status, { location }).end(),
  );
  return server.origin + path;
}

/** Processes an Announce of the object at an address. */
export function announce(by: RemoteActor, object: JsonObject | string) {
  return by.activity("Announce", { ...FOR_ALL, object });
}

export function create(by: RemoteActor, object: JsonObject) {
  return by.activity("Create", { ...FOR_ALL, object });
}
