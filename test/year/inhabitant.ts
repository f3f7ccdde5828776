import type {
  PersonRecord,
  PhotoRecord,
  PostRecord,
} from "../../packages/server/test/support/server/wire.ts";
import {
  picture,
  pictureForm,
} from "../../packages/server/test/support/scenes/pictures.ts";
import { ApiClient } from "../support/api-client.ts";
import { guidOf } from "../support/conversation.ts";
import type { Random } from "../support/random.ts";
import type { Ledger, OwnPost } from "./ledger.ts";
import type { YearServer } from "./year-server.ts";

/** The part of a status (Mastodon's API) that is read. */
type Shown = {
  readonly media_attachments: readonly { readonly url: string }[];
};

export const PASSWORD = "correct horse";

/** A person with an account, who writes, answers, reads and deletes. */
export class Inhabitant {
  readonly name: string;
  #api: ApiClient;
  readonly #server: YearServer;
  readonly #ledger: Ledger;
  readonly #random: Random;
  #aspect = "";
  #members: ReadonlySet<string> = new Set();
  #texts = 0;

  static async settle(
    name: string,
    world: { server: YearServer; ledger: Ledger; random: Random },
  ): Promise<Inhabitant> {
    const api = await ApiClient.signUp(world.server.baseUrl, name);
    return new Inhabitant(name, api, world);
  }

  private constructor(
    name: string,
    api: ApiClient,
    world: { server: YearServer; ledger: Ledger; random: Random },
  ) {
    this.name = name;
    this.#api = api;
    this.#server = world.server;
    this.#ledger = world.ledger;
    this.#random = world.random;
  }

  get api(): ApiClient {
    return this.#api;
  }

  /** Again, after all sessions and tokens were ended. */
  async signIn(): Promise<void> {
    const { baseUrl } = this.#server;
    this.#api = await ApiClient.signIn(baseUrl, this.name, PASSWORD);
  }

  /** Puts people here and elsewhere into an aspect of their own. */
  async befriend(
    here: readonly Inhabitant[],
    elsewhere: readonly string[],
  ): Promise<void> {
    const { ID } = await this.api.post("/aspects", { aspect_name: "near" });
    this.#aspect = String(ID);
    const handles = here.map(({ name }) => this.#server.handle(name));
    for (const handle of [...handles, ...elsewhere]) {
      const found = await this.api.post("/search", { handle });
      const { ID: id } = found as unknown as PersonRecord;
      await this.api.post(`/people/${id}/aspects/${this.#aspect}`);
    }
    this.#members = new Set(here.map(({ name }) => name));
  }

  /** Does one of the things that people do. */
  async act(): Promise<void> {
    const kind = this.#random.below(100);
    if (kind < 30) return void (await this.#publish());
    if (kind < 50) return this.#comment();
    if (kind < 68) return this.#like();
    if (kind < 73) return this.#upload();
    if (kind < 77) return this.#invite();
    if (kind < 82) return this.#talk();
    if (kind < 87) return this.#deletePost();
    if (kind < 90) return this.#deleteComment();
    return this.#read();
  }

  async leave(): Promise<void> {
    await this.#done("DELETE", "/users", { password: PASSWORD });
    this.#ledger.leave(this.name);
  }

  #newText(): string {
    this.#texts += 1;
    return `Text ${this.#texts} of ${this.name}, with a [link](https://example.org/${this.#texts}) and #weather`;
  }

  async #publish(more: { readonly photoID?: string } = {}): Promise<string> {
    const isLimited = this.#aspect !== "" && this.#random.isLikely(1 / 3);
    const text = this.#newText();
    const post = await this.api.post("/posts", {
      ...{ post: text, ...more },
      ...(isLimited ? { aspectID: this.#aspect } : {}),
    });
    const readers = isLimited ? this.#members : undefined;
    const guid = guidOf(post);
    this.#note(this.#ledger.posts, guid, {
      guid,
      by: this.name,
      text,
      readers,
    });
    return guid;
  }

  /** One of the last posts in the own home. */
  async #findPost(): Promise<PostRecord | undefined> {
    const home = await this.api.getList("/home?limit=20");
    return this.#random.pickAny(home as unknown as PostRecord[]);
  }

  async #comment(): Promise<void> {
    const post = await this.#findPost();
    if (!post) return;
    const path = `/posts/${post.Guid}/comments`;
    const comment = await this.api.post(path, { comment: this.#newText() });
    this.#noteBelow(post, this.#ledger.comments, guidOf(comment));
  }

  async #like(): Promise<void> {
    const post = await this.#findPost();
    if (!post) return;
    const { status, body } = await this.api.call(
      "POST",
      `/posts/${post.Guid}/likes/true`,
    );
    // They like it already.
    if (status !== 200) return;
    this.#noteBelow(post, this.#ledger.likes, guidOf(body as never));
  }

  async #upload(): Promise<void> {
    const shade = this.#random.below(0xffffff).toString(16).padStart(6, "0");
    const bytes = await picture(64, 48, `#${shade}`).png().toBuffer();
    const response = await fetch(`${this.#server.baseUrl}/api/v0/photos`, {
      method: "POST",
      headers: { access_token: this.api.token },
      body: pictureForm(bytes, { text: "A shade" }),
    });
    if (response.status !== 200)
      throw new Error(`A photo was refused: ${await response.text()}`);
    const photo = (await response.json()) as PhotoRecord;
    // Uploads that are in no post are deleted after a while.
    const post = await this.#publish({ photoID: String(photo.ID) });
    this.#note(this.#ledger.photos, photo.Guid, { by: this.name, post });
  }

  async #invite(): Promise<void> {
    const start = new Date(this.#server.clock.now().getTime() + 5 * 86_400_000);
    const end = new Date(start.getTime() + 7_200_000);
    const event = await this.api.post("/calendar/events", {
      ...{ summary: "A walk", location: "The bridge" },
      ...{ start: start.toISOString(), end: end.toISOString() },
    });
    this.#note(this.#ledger.events, guidOf(event), this.name);
  }

  async #talk(): Promise<void> {
    const other = this.#random.pickAny([...this.#members]);
    if (other === undefined) return;
    const handle = this.#server.handle(other);
    const found = await this.api.call("POST", "/search", { handle });
    if (found.status !== 200) return;
    const { ID } = found.body as PersonRecord;
    const talk = await this.api.post("/conversations", {
      ...{ personID: String(ID), subject: "Tonight", text: this.#newText() },
    });
    this.#note(this.#ledger.messages, guidOf(talk), this.name);
  }

  #own(): OwnPost | undefined {
    const all = [...this.#ledger.posts.values()];
    return this.#random.pickAny(all.filter(({ by }) => by === this.name));
  }

  async #deletePost(): Promise<void> {
    const post = this.#own();
    if (!post) return;
    await this.#done("DELETE", `/posts/${post.guid}`);
    this.#ledger.deletePost(post.guid);
  }

  async #deleteComment(): Promise<void> {
    const { comments, deleted } = this.#ledger;
    for (const [guid, { by }] of comments)
      if (by === this.name) {
        await this.#done("DELETE", `/comments/${guid}`);
        comments.delete(guid);
        deleted.comments.add(guid);
        return;
      }
  }

  /** Reads the home as an app does, with its pictures, and the notifications. */
  async #read(): Promise<void> {
    const headers = { authorization: `Bearer ${this.api.token}` };
    const { baseUrl } = this.#server;
    const home = await fetch(`${baseUrl}/api/v1/timelines/home`, { headers });
    if (home.status !== 200) throw new Error(`The home is ${home.status}`);
    const statuses = (await home.json()) as Shown[];
    const pictures = statuses.flatMap((it) => it.media_attachments).slice(0, 8);
    for (const { url } of pictures) await (await fetch(url)).arrayBuffer();
    await this.api.getList("/notifications?limit=20");
  }

  async #done(
    method: string,
    path: string,
    parameters?: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { status, body } = await this.api.call(method, path, parameters);
    if (status !== 200)
      throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    this.#ledger.acknowledged += 1;
  }

  #note<T>(list: Map<string, T>, guid: string, value: T): void {
    list.set(guid, value);
    this.#ledger.acknowledged += 1;
  }

  /** Below a post of another server it is the post that has to stay. */
  #noteBelow(
    { Guid: post, Person }: PostRecord,
    list: Map<string, { by: string; post: string }>,
    guid: string,
  ): void {
    this.#note(list, guid, { by: this.name, post });
    const { posts, announcements, elsewhere } = this.#ledger;
    if (posts.has(post)) return;
    const [author = ""] = Person.Author.split("@");
    if (Person.Author === this.#server.handle(author))
      announcements.set(post, author);
    else elsewhere.add(post);
  }
}
