import { createServer, type Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createSecureContext } from "node:tls";
import { buffer } from "node:stream/consumers";
import type { ServedDocument } from "../case-file.ts";
import type { Authority } from "./certificates.ts";
import { parseOrNothing, textIn, type Json } from "../json.ts";
import type { KeyRing } from "./keys.ts";
import {
  actorDocument,
  actorFrom,
  fingered,
  handleOf,
  keyStub,
  type NetworkActor,
} from "./network-actors.ts";
import { OwnWords } from "./network-collections.ts";
import type { NamedPicture } from "../payloads.ts";
import { pictureOf } from "../pictures.ts";

/** A request that reached the simulated network. */
export type Requested = {
  readonly method: string;
  /** Including the requested host name. */
  readonly url: string;
  readonly signed: boolean;
  /** The body of a POST, if it is JSON. */
  readonly activity: unknown;
  readonly atMs: number;
  /** A request caused by an assertion of the runner. */
  readonly isProbe: boolean;
};

type Reply = {
  status: number;
  type?: string;
  location?: string | undefined;
  body: string | Buffer;
};

const ACTIVITY = "application/activity+json";
const NOTHING: Reply = { status: 404, body: "" };

/** All other servers: every name leads here, and only known ones answer. */
export class Network {
  readonly log: Requested[] = [];
  /** The handle being searched by an assertion. */
  probing: string | undefined;
  readonly #server: Server;
  readonly #keys: KeyRing;
  readonly #actors = new Map<string, NetworkActor>();
  readonly #served = new Map<string, ServedDocument>();
  readonly #pictures = new Map<string, string>();
  readonly #said = new OwnWords();

  static async start(authority: Authority, keys: KeyRing): Promise<Network> {
    const network = new Network(authority, keys);
    await new Promise<void>((done) =>
      network.#server.listen(0, "127.0.0.1", done),
    );
    return network;
  }

  private constructor(authority: Authority, keys: KeyRing) {
    this.#keys = keys;
    this.#server = createServer(
      {
        ...authority.issue("localhost"),
        SNICallback: (host, done) =>
          done(null, createSecureContext(authority.issue(host))),
      },
      (request, response) => {
        void this.#take(request, response).catch(() => response.destroy());
      },
    );
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  addActor(actor: NetworkActor): void {
    this.#actors.set(actor.id, actor);
  }

  /** From now on this URL gives this answer. */
  serve(url: string, document: ServedDocument): void {
    this.#served.set(withoutFragment(url), document);
    const actor = actorFrom(parsed(document));
    if (actor && actor.id === withoutFragment(url)) this.addActor(actor);
  }

  /** Records an activity sent by a person of the network. */
  noteSent(activity: unknown, signer: string): void {
    const by = this.findActor(signer);
    if (by) this.#said.note(activity, by);
  }

  addPictures(pictures: readonly NamedPicture[]): void {
    for (const { url, type } of pictures)
      this.#pictures.set(withoutFragment(url), type);
  }

  findActor(idOrHandle: string): NetworkActor | undefined {
    const known = this.#actors.get(idOrHandle);
    if (known) return known;
    const wanted = idOrHandle.toLowerCase();
    return [...this.#actors.values()].find(
      (actor) => handleOf(actor).toLowerCase() === wanted,
    );
  }

  /** The handle of the owner of the outbox at a URL. */
  findOwner(outbox: string): string | undefined {
    const owner = [...this.#actors.values()].find(
      (actor) => actor.outbox === outbox,
    );
    return owner && handleOf(owner);
  }

  /** The id of the key in the document served at a key id; the key id itself if there is none. */
  keyServedAt(keyId: string): string {
    const served = this.#served.get(withoutFragment(keyId));
    const key = (parsed(served) as Json | undefined)?.["publicKey"];
    return textIn(key, "id") ?? keyId;
  }

  async #take(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const body = await buffer(request);
    const url = `https://${request.headers.host ?? ""}${request.url ?? ""}`;
    const method = request.method ?? "";
    this.log.push({
      method,
      url,
      signed: request.headers.signature !== undefined,
      activity: method === "POST" ? parseOrNothing(body.toString()) : undefined,
      atMs: performance.now(),
      isProbe: method !== "POST" && this.#isProbe(url),
    });
    const reply =
      method === "POST" ? this.#receive(url) : await this.#answer(url);
    const { status, type = ACTIVITY, location } = reply;
    const moved = location === undefined ? {} : { location };
    response.writeHead(status, { "content-type": type, ...moved });
    response.end(reply.body);
  }

  /** Other requests to the same server belong to the case. */
  #isProbe(url: string): boolean {
    const { host, pathname } = new URL(url);
    if (this.probing?.replace(/^.*@/, "") !== host) return false;
    const actor = this.findActor(this.probing);
    return !actor || actor.id === url || pathname.startsWith("/.well-known/");
  }

  #receive(url: string): Reply {
    const isInbox = [...this.#actors.values()].some(
      ({ inbox, sharedInbox }) => inbox === url || sharedInbox === url,
    );
    return isInbox ? { status: 202, body: "" } : NOTHING;
  }

  async #answer(url: string): Promise<Reply> {
    const served = this.#served.get(url);
    if (served) return replyFrom(served);
    const { pathname, host, searchParams } = new URL(url);
    if (pathname === "/.well-known/webfinger")
      return this.#finger(host, searchParams.get("resource") ?? "");
    const picture = this.#pictures.get(url);
    if (picture !== undefined)
      return { status: 200, type: picture, body: pictureOf(picture) };
    for (const actor of this.#actors.values()) {
      const document = await this.#documentOf(actor, url);
      if (document) return { status: 200, body: JSON.stringify(document) };
    }
    return NOTHING;
  }

  async #documentOf(
    actor: NetworkActor,
    url: string,
  ): Promise<Json | undefined> {
    if (actor.id === url)
      return actorDocument(this.#said.of(actor), this.#keys);
    if (actor.keyId === url) return keyStub(actor, this.#keys);
    return this.#said.collectionAt(url, actor);
  }

  #finger(host: string, resource: string): Reply {
    const wanted = resource.replace(/^acct:@?/, "");
    const actor = this.findActor(wanted);
    const served = actor && this.#served.get(actor.id);
    const isGone = served?.status === 404 || served?.status === 410;
    if (!actor || isGone || new URL(actor.id).host !== host) return NOTHING;
    const body = JSON.stringify(fingered(actor));
    return { status: 200, type: "application/jrd+json", body };
  }
}

/** Without members that a request does not have. */
export function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, "");
}

function parsed(document: ServedDocument | undefined): unknown {
  const body = document?.body;
  return typeof body === "string" ? parseOrNothing(body) : body;
}

function replyFrom(document: ServedDocument): Reply {
  const { status = 200, contentType = ACTIVITY, location, body } = document;
  const text =
    body === undefined
      ? ""
      : typeof body === "string"
        ? body
        : JSON.stringify(body);
  return { status, type: contentType, location, body: text };
}
