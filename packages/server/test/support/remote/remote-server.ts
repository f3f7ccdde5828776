import assert from "node:assert/strict";
import type { KeyObject } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import {
  CONTENT_TYPE,
  PUBLIC,
  signCavage,
  type JsonObject,
} from "@kith/activitypub";
import type { Answer } from "../server/api-client.ts";
import { takeRsaPair } from "../server/rsa-pairs.ts";
import type { Demand } from "../scenes/demands.ts";
import type { KithServer } from "../server/kith-server.ts";

/** One POST that came to an inbox of the server, as it was. */
export type Delivered = {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  readonly activity: JsonObject;
};

/** A server in this process or in one of its own. */
type Kith = Pick<KithServer, "baseUrl"> & {
  readonly clock: Pick<KithServer["clock"], "now">;
};

type Sending = {
  readonly to?: string;
  readonly type?: string;
  /** The body sent instead of the signed one. */
  readonly altered?: JsonObject;
  /** The owner of the signing key; the actor itself by default. */
  readonly signedBy?: RemoteActor;
  /** The key id in the signature; the actor's own where it is absent. */
  readonly keyId?: string;
  /** Additional headers; signed if that is usual. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The list of signed headers instead of the usual one. */
  readonly signedHeaders?: string[];
};

/** A person on the other server, with their own key. */
export class RemoteActor {
  readonly #server: RemoteServer;
  readonly name: string;
  #pair: ReturnType<typeof takeRsaPair> | undefined;
  /** Additional members of the actor document. */
  profile: JsonObject = {};

  constructor(server: RemoteServer, name: string) {
    this.#server = server;
    this.name = name;
  }

  get privateKey(): KeyObject {
    return this.#keys().privateKey;
  }

  get publicKeyPem(): string {
    return this.#keys().publicKeyPem;
  }

  /** Made at its first use: many are named who never say anything. */
  #keys(): ReturnType<typeof takeRsaPair> {
    this.#pair ??= takeRsaPair();
    return this.#pair;
  }

  get id(): string {
    return `${this.#server.origin}/users/${this.name}`;
  }

  get handle(): string {
    return `${this.name}@${new URL(this.#server.origin).host}`;
  }

  get keyId(): string {
    return `${this.id}#main-key`;
  }

  document(): JsonObject {
    return {
      "@context": [
        "https://www.w3.org/ns/activitystreams",
        "https://w3id.org/security/v1",
      ],
      id: this.id,
      type: "Person",
      preferredUsername: this.name,
      inbox: `${this.id}/inbox`,
      outbox: `${this.id}/outbox`,
      followers: `${this.id}/followers`,
      following: `${this.id}/following`,
      publicKey: {
        id: this.keyId,
        owner: this.id,
        publicKeyPem: this.publicKeyPem,
      },
      ...this.profile,
    };
  }

  /** An activity of this actor's, with an id that was not used before. */
  activity(type: string, members: JsonObject): JsonObject {
    return {
      "@context": "https://www.w3.org/ns/activitystreams",
      id: this.newId("activities"),
      type,
      actor: this.id,
      ...members,
    };
  }

  /** A public Note; `members` override the default ones. */
  note(members: JsonObject = {}): JsonObject {
    return {
      id: this.newId("notes"),
      type: "Note",
      attributedTo: this.id,
      content: "<p>from elsewhere</p>",
      published: "2026-01-02T03:04:05Z",
      to: [PUBLIC],
      cc: [],
      ...members,
    };
  }

  newId(folder: string): string {
    return this.#server.newId(folder);
  }

  /** Posts to an inbox, signed; to the shared one where none is named. */
  async send(
    kith: Kith,
    activity: JsonObject,
    sending: Sending = {},
  ): Promise<Answer> {
    const { to = "/api/v1/ap/inbox", type = CONTENT_TYPE } = sending;
    const body = Buffer.from(JSON.stringify(activity));
    const url = kith.baseUrl + to;
    const headers = await signCavage({
      method: "POST",
      url,
      headers: {
        "content-type": type,
        "user-agent": "Remote/1.0",
        ...sending.headers,
      },
      ...(sending.signedHeaders && { signedHeaders: sending.signedHeaders }),
      body,
      keyId: sending.keyId ?? this.keyId,
      privateKey: (sending.signedBy ?? this).privateKey,
      now: kith.clock.now(),
    });
    const arrives = sending.altered
      ? Buffer.from(JSON.stringify(sending.altered))
      : body;
    const init = { method: "POST", headers, body: arrives };
    return answerOf(await fetch(url, init));
  }

  /** Sends it, asserts that it is accepted, and processes it. */
  async deliver(
    kith: Kith & Pick<KithServer, "settle">,
    activity: JsonObject,
    sending: Sending = {},
  ): Promise<void> {
    const { status, text } = await this.send(kith, activity, sending);
    assert.equal(`${status} ${text}`, "202 ");
    await kith.settle();
  }

  /** Accepts the newest Follow of this actor. */
  async acceptFollow(kith: Kith & Pick<KithServer, "settle">): Promise<void> {
    const follow = this.#server
      .ofType("Follow")
      .findLast(({ activity }) => activity["object"] === this.id);
    assert.ok(follow, `Nobody follows ${this.id}`);
    const object = follow.activity;
    await this.deliver(kith, this.activity("Accept", { object }));
  }

  /** Asks for a document, signed. */
  async get(
    kith: Pick<Kith, "clock">,
    url: string,
    { keyId = this.keyId }: Pick<Sending, "keyId"> = {},
  ): Promise<Answer> {
    const headers = await signCavage({
      method: "GET",
      url,
      headers: { accept: CONTENT_TYPE, "user-agent": "Remote/1.0" },
      keyId,
      privateKey: this.privateKey,
      now: kith.clock.now(),
    });
    return answerOf(await fetch(url, { headers, redirect: "manual" }));
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
}

/** Another ActivityPub server, on a loopback port. */
export class RemoteServer {
  /** Requests to its inboxes, in order. */
  readonly delivered: Delivered[] = [];
  /** The key ids of requests for documents, by path; null without a signature. */
  readonly asked: { readonly path: string; readonly keyId: string | null }[] =
    [];
  /** Additional documents, by id. */
  readonly documents = new Map<string, JsonObject>();
  /** Responses that replace the usual ones, by path without the query. */
  readonly answers = new Map<string, (response: ServerResponse) => unknown>();
  /** The clients it admits; everyone by default. Its WebFinger and NodeInfo are public. */
  demand: Demand | undefined;
  /** The response for other clients. */
  refusal: 400 | 401 = 401;
  /** Requests refused for their signature, in order. */
  readonly refused: IncomingMessage["headers"][] = [];
  readonly #actors = new Map<string, RemoteActor>();
  readonly #server: Server;
  #ids = 0;

  readonly #name: string;

  /** @param name of its host, where the server that talks with it resolves that one */
  static async start(name = "localhost"): Promise<RemoteServer> {
    const remote = new RemoteServer(name);
    remote.#server.listen(0, "localhost");
    await once(remote.#server, "listening");
    return remote;
  }

  private constructor(name: string) {
    this.#name = name;
    this.#server = createServer((request, response) => {
      void this.#take(request, response);
    });
  }

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://${this.#name}:${port}`;
  }

  actor(name: string): RemoteActor {
    const known = this.#actors.get(name) ?? new RemoteActor(this, name);
    this.#actors.set(name, known);
    return known;
  }

  newId(folder: string): string {
    this.#ids += 1;
    return `${this.origin}/${folder}/${this.#ids}`;
  }

  /** The received deliveries of one type. */
  ofType(type: string): Delivered[] {
    return this.delivered.filter(({ activity }) => activity["type"] === type);
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? "";
    const body = Buffer.concat(chunks);
    if (!(await this.#isTaken(request, body))) {
      this.refused.push(request.headers);
      return void response.writeHead(this.refusal).end();
    }
    if (request.method === "POST") {
      const activity = JSON.parse(body.toString()) as JsonObject;
      const { headers } = request;
      this.delivered.push({ path, headers, body, activity });
      return void response.writeHead(202).end();
    }
    const signature = String(request.headers["signature"] ?? "");
    const keyId = /keyId="([^"]*)"/.exec(signature)?.[1] ?? null;
    this.asked.push({ path, keyId });
    const own = this.answers.get(new URL(path, this.origin).pathname);
    if (own) return void own(response);
    const document = this.#find(path);
    if (!document) return void response.writeHead(404).end();
    const type = path.startsWith("/.well-known/")
      ? "application/jrd+json"
      : "application/activity+json";
    response.writeHead(200, { "content-type": type });
    response.end(JSON.stringify(document));
  }

  async #isTaken(request: IncomingMessage, body: Buffer): Promise<boolean> {
    const { method = "", url: path = "", rawHeaders } = request;
    if (!this.demand || /^\/(\.well-known|nodeinfo)\//.test(path)) return true;
    const headers: [string, string][] = [];
    for (let i = 0; i + 1 < rawHeaders.length; i += 2)
      headers.push([rawHeaders[i] ?? "", rawHeaders[i + 1] ?? ""]);
    const sent = method === "POST" ? { body } : {};
    return this.demand({ method, path, headers, ...sent }, this.origin);
  }

  #find(path: string): JsonObject | undefined {
    const url = new URL(path, this.origin);
    if (url.pathname === "/.well-known/webfinger") {
      const resource = url.searchParams.get("resource") ?? "";
      const name = /^acct:([^@]+)@/.exec(resource)?.[1] ?? "";
      const actor = this.#actors.get(name);
      return actor && this.#jrd(actor);
    }
    const name = /^\/users\/([^/]+)$/.exec(url.pathname)?.[1];
    return name === undefined
      ? this.documents.get(this.origin + path)
      : this.#actors.get(name)?.document();
  }

  #jrd(actor: RemoteActor): JsonObject {
    const type = "application/activity+json";
    return {
      subject: `acct:${actor.handle}`,
      links: [{ rel: "self", type, href: actor.id }],
    };
  }
}
