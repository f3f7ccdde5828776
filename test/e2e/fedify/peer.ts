import type { webcrypto } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import {
  createFederation,
  generateCryptoKeyPair,
  InProcessMessageQueue,
  MemoryKvStore,
  verifyObject,
  type Context,
  type Federation,
  type HttpMessageSignaturesSpec,
  type InboxContext,
} from "@fedify/fedify";
import {
  Accept,
  Activity,
  type Actor,
  Create,
  Endpoints,
  Follow,
  isActor,
  Note,
  Person,
  PUBLIC_COLLECTION,
  Undo,
  type Recipient,
} from "@fedify/vocab";

import { readRequest, writeResponse } from "./node-http.ts";

/** The person on the peer. */
export const FAY = "fay";

/** A request as received over the socket, and its response. */
export type Received = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  status: number;
};

/** The forms of HTTP signatures, in Fedify's terms. */
export type SignatureKind = HttpMessageSignaturesSpec;

type KeyPair = webcrypto.CryptoKeyPair;

/** A server on Fedify, on a loopback port of this process, with one person. */
export class FedifyPeer {
  readonly baseUrl: string;
  /** All requests to an inbox. */
  readonly received: Received[] = [];
  /** Requests that did not reach Fedify, because the peer does not accept their form of signature. */
  readonly refused: Received[] = [];
  /** Activities passed to the inbox listeners, in order. */
  readonly activities: Activity[] = [];
  readonly notes = new Map<string, Note>();
  readonly followers = new Map<string, Recipient>();
  readonly #server: Server;
  readonly #federation: Federation<void>;
  readonly #takes: SignatureKind;
  readonly #stop = new AbortController();
  readonly #queueing: Promise<void>;
  #count = 0;

  /** @param firstSignature the form of signature that it tries first, and the only one that it accepts */
  static async start(firstSignature: SignatureKind): Promise<FedifyPeer> {
    const keys = [
      (await generateCryptoKeyPair("RSASSA-PKCS1-v1_5")) as KeyPair,
      (await generateCryptoKeyPair("Ed25519")) as KeyPair,
    ];
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new FedifyPeer(server, keys, firstSignature);
  }

  private constructor(
    server: Server,
    keys: KeyPair[],
    firstSignature: SignatureKind,
  ) {
    const { port } = server.address() as AddressInfo;
    this.baseUrl = `http://localhost:${port}`;
    this.#server = server;
    this.#takes = firstSignature;
    this.#federation = createFederation<void>({
      kv: new MemoryKvStore(),
      queue: new InProcessMessageQueue(),
      manuallyStartQueue: true,
      allowPrivateAddress: true,
      origin: this.baseUrl,
      firstKnock: firstSignature,
    });
    this.#serveActor(keys);
    this.#serveInbox();
    server.on("request", (request, response) => {
      void this.#answer(request, response);
    });
    const { signal } = this.#stop;
    this.#queueing = this.#federation.startQueue(undefined, { signal });
  }

  get handle(): string {
    return `${FAY}@${new URL(this.baseUrl).host}`;
  }

  get context(): Context<void> {
    return this.#federation.createContext(new URL(this.baseUrl), undefined);
  }

  async remove(): Promise<void> {
    this.#stop.abort();
    await this.#queueing;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** A unique id for each activity. */
  newId(kind: string): URL {
    this.#count += 1;
    return new URL(`/${kind}/${this.#count}`, this.baseUrl);
  }

  get fay(): URL {
    return this.context.getActorUri(FAY);
  }

  get fayFollowers(): URL {
    return this.context.getFollowersUri(FAY);
  }

  /** Looks up a person by the address of the actor. */
  async lookUp(uri: string): Promise<Actor> {
    const found = await this.context.lookupObject(uri);
    if (!found || !isActor(found)) throw new Error(`${uri} is nobody`);
    return found;
  }

  /** Sends in Fay's name, signed and proved by Fedify. */
  async send(
    to: Recipient | "followers",
    activity: Activity,
    preferSharedInbox = false,
  ): Promise<void> {
    const sender = { identifier: FAY };
    const options = { preferSharedInbox };
    if (to === "followers")
      await this.context.sendActivity(sender, to, activity, options);
    else await this.context.sendActivity(sender, to, activity, options);
  }

  /** Publishes a note, which is served from then on. */
  async publish(
    content: string,
    extras: { readonly replyTarget?: URL; readonly to?: Recipient } = {},
  ): Promise<Note> {
    const { replyTarget, to } = extras;
    const id = this.newId("notes");
    const audience = {
      attribution: this.fay,
      tos: to?.id ? [to.id] : [PUBLIC_COLLECTION],
      ccs: to ? [] : [this.fayFollowers],
    };
    const note = new Note({
      id,
      content,
      ...audience,
      ...(replyTarget ? { replyTarget } : {}),
    });
    this.notes.set(id.href, note);
    const { tos, ccs } = audience;
    const create = new Create({
      id: this.newId("creates"),
      actor: this.fay,
      object: note,
      tos,
      ccs,
    });
    await this.send(to ?? "followers", create);
    return note;
  }

  /** Whether Fedify finds the proof of a document valid, and made by its actor. */
  async isProven(document: unknown): Promise<boolean> {
    const { documentLoader, contextLoader } = this.context;
    const options = { documentLoader, contextLoader };
    return (await verifyObject(Activity, document, options)) !== null;
  }

  #serveActor(keys: KeyPair[]): void {
    this.#federation
      .setActorDispatcher("/users/{identifier}", async (ctx, identifier) => {
        if (identifier !== FAY) return null;
        const pairs = await ctx.getActorKeyPairs(identifier);
        return new Person({
          id: ctx.getActorUri(identifier),
          preferredUsername: identifier,
          name: "Fay on Fedify",
          inbox: ctx.getInboxUri(identifier),
          outbox: ctx.getOutboxUri(identifier),
          followers: ctx.getFollowersUri(identifier),
          endpoints: new Endpoints({ sharedInbox: ctx.getInboxUri() }),
          ...(pairs[0] ? { publicKey: pairs[0].cryptographicKey } : {}),
          assertionMethods: pairs.map(({ multikey }) => multikey),
        });
      })
      .mapHandle((_, username) => (username === FAY ? FAY : null))
      .setKeyPairsDispatcher((_, identifier) =>
        keys.filter(() => identifier === FAY),
      );
    this.#federation.setFollowersDispatcher(
      "/users/{identifier}/followers",
      () => ({ items: [...this.followers.values()] }),
    );
    this.#federation.setOutboxDispatcher("/users/{identifier}/outbox", () => ({
      items: [] as Activity[],
    }));
    this.#federation.setObjectDispatcher(
      Note,
      "/notes/{id}",
      (_, { id }) =>
        this.notes.get(new URL(`/notes/${id}`, this.baseUrl).href) ?? null,
    );
    this.#federation.setNodeInfoDispatcher("/nodeinfo/2.1", () => ({
      software: { name: "fedify-peer", version: "1.0.0" },
      protocols: ["activitypub"],
      usage: { users: { total: 1 }, localPosts: 0, localComments: 0 },
    }));
  }

  #serveInbox(): void {
    this.#federation
      .setInboxListeners("/users/{identifier}/inbox", "/inbox")
      .setSharedKeyDispatcher(() => ({ identifier: FAY }))
      .on(Follow, async (ctx, follow) => {
        this.#record(follow);
        await this.#agree(ctx, follow);
      })
      .on(Undo, async (_, undo) => {
        this.#record(undo);
        const undone = await undo.getObject();
        if (undone instanceof Follow && undone.actorId)
          this.followers.delete(undone.actorId.href);
      })
      .on(Activity, (_, activity) => this.#record(activity));
  }

  #record(activity: Activity): void {
    this.activities.push(activity);
  }

  async #agree(ctx: InboxContext<void>, follow: Follow): Promise<void> {
    const follower = await follow.getActor(ctx);
    if (!follower?.id) return;
    this.followers.set(follower.id.href, follower);
    const accept = new Accept({
      id: this.newId("accepts"),
      actor: this.fay,
      object: follow,
    });
    await ctx.sendActivity({ identifier: FAY }, follower, accept);
  }

  #isTaken({ headers }: Request): boolean {
    const form = headers.has("signature-input")
      ? "rfc9421"
      : "draft-cavage-http-signatures-12";
    return form === this.#takes;
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { asked, body } = await readRequest(request, this.baseUrl);
    const { pathname } = new URL(asked.url);
    const headers = Object.fromEntries(asked.headers);
    const record = { path: pathname, headers, body, status: 0 };
    if (asked.method === "POST" && !this.#isTaken(asked)) {
      this.refused.push({ ...record, status: 401 });
      return writeResponse(response, new Response(null, { status: 401 }));
    }
    if (asked.method === "POST") this.received.push(record);
    const options = { contextData: undefined };
    const answer = await this.#federation.fetch(asked, options);
    record.status = answer.status;
    await writeResponse(response, answer);
  }
}
