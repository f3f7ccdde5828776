import assert from "node:assert/strict";
import type { KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import {
  buildActor,
  CONTENT_TYPE,
  signCavage,
  withContext,
  type JsonObject,
} from "@kith/activitypub";
import { takeRsaPair } from "../../packages/server/test/support/server/rsa-pairs.ts";

export type Activity = JsonObject & { readonly type: string };

/** A received activity, with its headers. */
export type Delivery = {
  readonly activity: Activity;
  readonly headers: IncomingMessage["headers"];
};

/** A person on another ActivityPub server: found by handle, receives deliveries, and sends signed ones. */
export class RemoteActor {
  readonly deliveries: Delivery[] = [];
  readonly #name: string;
  readonly #server: Server;
  readonly #privateKey: KeyObject;
  readonly #publicPem: string;
  #sent = 0;

  static async start(name: string): Promise<RemoteActor> {
    const actor = new RemoteActor(name);
    await new Promise<void>((done) =>
      actor.#server.listen(0, "localhost", done),
    );
    return actor;
  }

  private constructor(name: string) {
    this.#name = name;
    const { privateKey, publicKeyPem } = takeRsaPair();
    this.#privateKey = privateKey;
    this.#publicPem = publicKeyPem;
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(({ status, body }) => {
        response.writeHead(status, { "content-type": CONTENT_TYPE }).end(body);
      });
    });
  }

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://localhost:${port}`;
  }

  get handle(): string {
    return `${this.#name}@${new URL(this.origin).host}`;
  }

  get uri(): string {
    return `${this.origin}/users/${this.#name}`;
  }

  /** The received activities of one type. */
  got(type: string): Activity[] {
    return this.deliveries
      .map(({ activity }) => activity)
      .filter((activity) => activity.type === type);
  }

  /** An activity of this actor, with a unique id. */
  activity(type: string, more: JsonObject = {}): Activity {
    this.#sent += 1;
    const id = `${this.uri}/activities/${this.#sent}`;
    return { ...withContext({ id, actor: this.uri, ...more }), type };
  }

  /** A Note of this actor's, for these readers. */
  note(content: string, to: readonly string[]): JsonObject {
    this.#sent += 1;
    const id = `${this.uri}/notes/${this.#sent}`;
    const published = new Date().toISOString();
    const attributedTo = this.uri;
    return { id, type: "Note", attributedTo, content, published, to: [...to] };
  }

  /** @returns the status of the response */
  async send(inbox: string, activity: JsonObject): Promise<number> {
    const body = Buffer.from(JSON.stringify(activity));
    const { host: _, ...headers } = await signCavage({
      method: "POST",
      url: inbox,
      headers: { "content-type": CONTENT_TYPE },
      body,
      keyId: `${this.uri}#main-key`,
      privateKey: this.#privateKey,
      now: new Date(),
    });
    const response = await fetch(inbox, { method: "POST", headers, body });
    await response.arrayBuffer();
    return response.status;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(
    request: IncomingMessage,
  ): Promise<{ status: number; body: string }> {
    const path = request.url ?? "";
    if (request.method === "POST") {
      const activity = JSON.parse(await text(request)) as Activity;
      this.deliveries.push({ activity, headers: request.headers });
      return { status: 202, body: "" };
    }
    if (path.startsWith("/.well-known/webfinger"))
      return { status: 200, body: JSON.stringify(this.#fingered()) };
    if (path === new URL(this.uri).pathname)
      return { status: 200, body: JSON.stringify(this.#document()) };
    return { status: 404, body: "" };
  }

  #fingered(): JsonObject {
    const subject = `acct:${this.handle}`;
    const links = [{ rel: "self", type: CONTENT_TYPE, href: this.uri }];
    return { subject, links };
  }

  #document(): JsonObject {
    return withContext(
      buildActor({
        id: this.uri,
        preferredUsername: this.#name,
        url: this.uri,
        inbox: `${this.uri}/inbox`,
        outbox: `${this.uri}/outbox`,
        followers: `${this.uri}/followers`,
        following: `${this.uri}/following`,
        publicKey: { id: `${this.uri}#main-key`, pem: this.#publicPem },
      }),
    );
  }
}

/** The embedded object of an activity. */
export function objectOf(activity: Activity | undefined): JsonObject {
  assert.ok(activity, "the activity was delivered");
  const object = activity["object"];
  assert.ok(typeof object === "object" && object !== null);
  return object as JsonObject;
}
