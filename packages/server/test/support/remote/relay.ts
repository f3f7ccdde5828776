import { PUBLIC, type JsonObject } from "@kith/activitypub";
import assert from "node:assert/strict";
import type { KithServer } from "../server/kith-server.ts";
import { idOf } from "./proving-actor.ts";
import {
  RemoteServer,
  type Delivered,
  type RemoteActor,
} from "./remote-server.ts";

/** A small relay: at its inbox all that is public can be followed, or its actor can. */
export class TestRelay {
  readonly server: RemoteServer;
  readonly actor: RemoteActor;

  static async start(): Promise<TestRelay> {
    return new TestRelay(await RemoteServer.start());
  }

  private constructor(server: RemoteServer) {
    this.server = server;
    this.actor = server.actor("relay");
    this.actor.profile = { type: "Application", inbox: this.inbox };
  }

  get inbox(): string {
    return `${this.server.origin}/inbox`;
  }

  /** Activities of one type received in its inbox. */
  got(type: string): Delivered[] {
    return this.server.ofType(type).filter(({ path }) => path === "/inbox");
  }

  /** Answers the last Follow that came. */
  async answer(kith: KithServer, type: "Accept" | "Reject"): Promise<void> {
    const follow = this.got("Follow").at(-1)?.activity;
    assert.ok(follow, "It was followed");
    await this.actor.deliver(
      kith,
      this.actor.activity(type, { object: follow, to: [instanceOf(kith)] }),
    );
  }

  /** Is asked, and agrees. */
  async serve(kith: KithServer, kind: "inbox" | "actor"): Promise<void> {
    const { relays } = kith.server.features;
    const url = kind === "inbox" ? this.inbox : this.actor.id;
    assert.equal(await relays.add(null, url), true);
    await kith.settle();
    await this.answer(kith, "Accept");
  }

  /** Names something that is public somewhere. */
  announce(object: JsonObject | string): JsonObject {
    return this.actor.activity("Announce", {
      to: [`${this.actor.id}/followers`],
      cc: [PUBLIC],
      object,
    });
  }
}

export function instanceOf(kith: KithServer): string {
  return `${kith.baseUrl}/api/v1/ap/instance`;
}

/** Serves an object where it lives. @returns its id */
export function publish(server: RemoteServer, object: JsonObject): string {
  const id = idOf(object);
  server.documents.set(id, object);
  return id;
}
