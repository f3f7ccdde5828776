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
  buildEntity,
  buildEnvelope,
  buildHcard,
  buildWebfinger,
  decryptEnvelope,
  encryptEnvelope,
  parseEntity,
  parseEnvelope,
  webfingerLinks,
  type Entity,
} from "@kith/diaspora";
import { newGuid } from "../../../src/lib/guids.ts";
import type { KithServer, TestPerson } from "../server/kith-server.ts";
import { takeRsaPair } from "../server/rsa-pairs.ts";

/** One POST that came to the pod, as it was. */
type Posted = { readonly path: string; readonly body: Buffer };

/** A decoded POST: its signer, and its entity. */
export type Arrived = {
  readonly sender: string;
  /** The owner of the endpoint, if private. */
  readonly to: PodPerson | undefined;
  readonly entity: Entity;
};

type Serve = (response: ServerResponse, request: IncomingMessage) => unknown;

/** A person on the pod. */
export class PodPerson {
  readonly #pod: DiasporaPod;
  readonly name: string;
  guid = newGuid();
  #pair: { privateKey: KeyObject; publicKeyPem: string } | undefined;

  constructor(pod: DiasporaPod, name: string) {
    this.#pod = pod;
    this.name = name;
  }

  get privateKey(): KeyObject {
    return this.#keys().privateKey;
  }

  set privateKey(privateKey: KeyObject) {
    this.#pair = { ...this.#keys(), privateKey };
  }

  get publicKeyPem(): string {
    return this.#keys().publicKeyPem;
  }

  set publicKeyPem(publicKeyPem: string) {
    this.#pair = { ...this.#keys(), publicKeyPem };
  }

  /** Made at its first use: many are named who never say anything. */
  #keys(): { privateKey: KeyObject; publicKeyPem: string } {
    this.#pair ??= takeRsaPair();
    return this.#pair;
  }

  get handle(): string {
    return `${this.name}@${this.#pod.host}`;
  }

  webfinger(): string {
    const { origin } = this.#pod;
    return buildWebfinger({
      handle: this.handle,
      aliases: [],
      links: webfingerLinks({
        guid: this.guid,
        baseUrl: origin,
        username: this.name,
      }),
    });
  }

  hcard(): string {
    const baseUrl = this.#pod.origin;
    const imageUrl = `${baseUrl}/pictures/${this.name}.png`;
    return buildHcard({
      guid: this.guid,
      nickname: this.name,
      fullName: this.name,
      firstName: this.name,
      lastName: "",
      publicKeyPem: this.publicKeyPem,
      searchable: true,
      imageUrl,
      imageUrlMedium: imageUrl,
      imageUrlSmall: imageUrl,
      baseUrl,
    });
  }

  /** An envelope of this person's, or of the named one, around an entity or any text. */
  seal(
    payload: Entity | string,
    { sender = this.handle, privateKey = this.privateKey } = {},
  ): Promise<string> {
    const payloadXml =
      typeof payload === "string" ? payload : buildEntity(payload);
    return buildEnvelope({ payloadXml, sender, privateKey });
  }

  /** Sends it to the public endpoint, asserts that it is accepted, and processes it. */
  async deliver(kith: KithServer, payload: Entity | string): Promise<void> {
    const body = await this.seal(payload);
    assert.equal(await postTo(kith, "/receive/public", body), 202);
    await kith.settle();
  }

  /** Sends it to one person. */
  async whisper(
    kith: KithServer,
    payload: Entity | string,
    { record }: TestPerson,
  ): Promise<void> {
    const envelope = await this.seal(payload);
    const body = encryptEnvelope(envelope, record.SerializedPublicKey);
    const path = `/receive/users/${record.Guid}`;
    assert.equal(await postTo(kith, path, body), 202);
    await kith.settle();
  }
}

/** Posts a body as it is. @returns the status */
export async function postTo(
  { baseUrl }: KithServer,
  path: string,
  body: string | Buffer,
): Promise<number> {
  const response = await fetch(baseUrl + path, {
    method: "POST",
    headers: { "content-type": "application/magic-envelope+xml" },
    body: new Uint8Array(Buffer.from(body)),
    redirect: "manual",
  });
  await response.arrayBuffer();
  return response.status;
}

/** Another diaspora* server, on a loopback port, that can be made to misbehave. */
export class DiasporaPod {
  /** All that was posted, in its order. */
  readonly posted: Posted[] = [];
  /** The paths of everything else that was asked for. */
  readonly asked: string[] = [];
  /** Responses that replace the usual ones, by path without the query. */
  readonly serves = new Map<string, Serve>();
  readonly #people = new Map<string, PodPerson>();
  readonly #server: Server;
  readonly #name: string;

  /** @param name of its host, where the server that talks with it resolves that one */
  static async start(name = "localhost"): Promise<DiasporaPod> {
    const pod = new DiasporaPod(name);
    pod.#server.listen(0, "localhost");
    await once(pod.#server, "listening");
    return pod;
  }

  private constructor(name: string) {
    this.#name = name;
    this.#server = createServer((request, response) => {
      void this.#take(request, response);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get host(): string {
    return `${this.#name}:${this.port}`;
  }

  get origin(): string {
    return `http://${this.host}`;
  }

  person(name: string): PodPerson {
    const known = this.#people.get(name) ?? new PodPerson(this, name);
    this.#people.set(name, known);
    return known;
  }

  /** Puts something public where others fetch it. */
  shelve(type: string, guid: string, envelope: string): void {
    this.serves.set(`/fetch/${type}/${guid}`, (response) =>
      response
        .writeHead(200, { "content-type": "application/magic-envelope+xml" })
        .end(envelope),
    );
  }

  /** Serves a text under a path. */
  put(path: string, text: string, type = "text/plain"): void {
    this.serves.set(path, (response) =>
      response.writeHead(200, { "content-type": type }).end(text),
    );
  }

  redirect(path: string, location: string): void {
    this.serves.set(path, (response) =>
      response.writeHead(302, { location }).end(),
    );
  }

  /** How many times a path (its beginning) was asked for. */
  countOf(path: string): number {
    return this.asked.filter((one) => one.startsWith(path)).length;
  }

  /** The received messages, decoded. */
  async arrived(): Promise<Arrived[]> {
    return Promise.all(this.posted.map((one) => this.#open(one)));
  }

  /** The received messages of one type. */
  async ofType<T extends Entity["type"]>(
    type: T,
  ): Promise<(Arrived & { entity: Extract<Entity, { type: T }> })[]> {
    const all = await this.arrived();
    return all.filter(
      (one): one is Arrived & { entity: Extract<Entity, { type: T }> } =>
        one.entity.type === type,
    );
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #open({ path, body }: Posted): Promise<Arrived> {
    const guid = /^\/receive\/users\/([^/]+)/.exec(path)?.[1];
    const to = [...this.#people.values()].find((one) => one.guid === guid);
    const xml =
      to === undefined ? body : await decryptEnvelope(body, to.privateKey);
    const envelope = parseEnvelope(xml);
    const entity = parseEntity(envelope.payloadXml());
    return { sender: envelope.claimedSender, to, entity };
  }

  async #take(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const url = new URL(request.url ?? "", this.origin);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === "POST") {
      const body = Buffer.concat(chunks);
      this.posted.push({ path: url.pathname, body });
      return void response.writeHead(202).end();
    }
    this.asked.push(url.pathname + url.search);
    const serve = this.serves.get(url.pathname) ?? this.#usual(url);
    if (serve) return void serve(response, request);
    response.writeHead(404).end();
  }

  #usual({ pathname, searchParams }: URL): Serve | undefined {
    if (pathname === "/.well-known/webfinger") {
      const resource = searchParams.get("resource") ?? "";
      const name = /^(?:acct:)?([^@]+)@/.exec(resource)?.[1] ?? "";
      const person = this.#people.get(name);
      return person && answer("application/jrd+json", () => person.webfinger());
    }
    const guid = /^\/hcard\/users\/([^/]+)$/.exec(pathname)?.[1];
    const person = [...this.#people.values()].find((it) => it.guid === guid);
    return person && answer("text/html", () => person.hcard());
  }
}

function answer(type: string, text: () => string): Serve {
  return (response) =>
    response.writeHead(200, { "content-type": type }).end(text());
}
