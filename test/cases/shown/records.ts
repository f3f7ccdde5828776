import type { Json } from "../json.ts";
import { listOf, textIn } from "../json.ts";
import { matchesText } from "./text-match.ts";
import {
  CannotDo,
  fillIn,
  handleOfWho,
  isLocal,
  type LocalName,
  type Reader,
  type World,
} from "../world.ts";

/** Parts of a post, found by a placeholder or by author and text. */
export type Target = {
  readonly kind: "post" | "comment";
  readonly record: Json;
  /** The audience of the post, or of the comment's post. */
  readonly postId: string;
};

/** Reads the lists of users, each once. Create a new one to read again. */
export class Records {
  readonly #world: World;
  readonly #lists = new Map<string, Promise<Json[]>>();

  constructor(world: World) {
    this.#world = world;
  }

  list(reader: LocalName, path: string): Promise<Json[]> {
    const key = `${reader} ${path}`;
    const known = this.#lists.get(key);
    if (known) return known;
    const list = this.#world.services[reader].list(path);
    this.#lists.set(key, list);
    return list;
  }

  /** Every post in the lists of a user, and in the streams of these authors. */
  async posts(
    reader: Reader,
    authors: readonly string[] = [],
  ): Promise<Json[]> {
    const found = new Map<string, Json>();
    const add = (list: readonly Json[]) => {
      for (const post of list) found.set(String(post["Guid"]), post);
    };
    if (reader !== "anonymous")
      for (const visibility of [0, 1, 2])
        add(await this.list(reader, `/posts?visibility=${visibility}`));
    for (const author of authors) add(await this.#stream(reader, author));
    if (reader === "anonymous" && authors.length === 0)
      add(await this.#publicPosts());
    return [...found.values()];
  }

  /** A known person, or one found by a search. */
  async person(who: string): Promise<Json | undefined> {
    const { services, network, foundPeople } = this.#world;
    const handle = handleOfWho(this.#world, who);
    // The requests caused by the search do not belong to the case.
    network.probing = handle;
    try {
      const answer = await services.alice.api("POST", "/search", { handle });
      const knownId = foundPeople.get(handle);
      // Failing assertions are repeated, and searches are limited.
      if (answer.status === 429 && knownId !== undefined)
        return await services.alice.find(`/people/${knownId}`);
      if (answer.status !== 200) return undefined;
      const person = JSON.parse(answer.text) as Json;
      foundPeople.set(handle, Number(person["ID"]));
      return person;
    } finally {
      network.probing = undefined;
    }
  }

  async #stream(reader: Reader, author: string): Promise<Json[]> {
    const person = await this.person(author);
    const guid = textIn(person, "Guid");
    if (guid === undefined) return [];
    if (reader !== "anonymous")
      return this.list(reader, `/people/${guid}/stream`);
    return this.#publicStream(guid);
  }

  /** Everything in the lists of users that is public. */
  async #publicPosts(): Promise<Json[]> {
    const found: Json[] = [];
    const listed = [
      ...(await this.posts("alice")),
      ...(await this.posts("bob")),
    ];
    for (const post of listed) {
      const path = `/posts/${String(post["Guid"])}`;
      const page = await this.#world.services.anonymous.call("GET", path);
      if (page.status === 200) found.push(post);
    }
    return found;
  }

  /** Everything that a person's page shows to the public. */
  async #publicStream(personGuid: string): Promise<Json[]> {
    const { anonymous } = this.#world.services;
    const path = `/people/${personGuid}`;
    const page = await anonymous.call("GET", path);
    if (page.status === 404) return [];
    if (page.status !== 200)
      throw new CannotDo(`${path} answered ${page.status}`);
    const links = page.text.matchAll(/href="[^"]*\/posts\/([\w.:@-]+)"/g);
    const guids = new Set([...links].map(([, guid = ""]) => guid));
    const found: Json[] = [];
    for (const guid of guids) found.push(await this.#shownPost(guid));
    return found;
  }

  /** A post by its page: as a user reads it, if a user may. */
  async #shownPost(guid: string): Promise<Json> {
    const { anonymous, ...users } = this.#world.services;
    for (const user of Object.values(users)) {
      const post = await user.find(`/posts/${guid}`);
      if (post) return post;
    }
    const page = await anonymous.call("GET", `/posts/${guid}`);
    return { Guid: guid, Text: page.text, Public: true };
  }

  async findPosts(
    reader: Reader,
    wanted: { by?: unknown; text?: unknown },
  ): Promise<Json[]> {
    const authors = this.authorsOf(wanted.by);
    const posts = await this.posts(reader, authors);
    return posts.filter(
      (post) =>
        this.isBy(post, wanted.by) &&
        matchesText(String(post["Text"]), wanted.text),
    );
  }

  /** Whether a record's Person is the named one, or one of the named ones. */
  isBy(record: Json, by: unknown): boolean {
    if (by === undefined) return true;
    const author = authorOf(record)?.toLowerCase();
    return this.authorsOf(by).some(
      (who) => handleOfWho(this.#world, who).toLowerCase() === author,
    );
  }

  authorsOf(by: unknown): string[] {
    const { oneOf } = Object(by) as { oneOf?: unknown };
    return listOf(oneOf ?? by).map(String);
  }

  /** Finds a record by a placeholder, or by author and text. */
  async target(ref: unknown): Promise<Target | undefined> {
    if (typeof ref === "string") return this.#targetByUri(ref);
    const wanted = ref as { by: string; text: unknown };
    const reader = isLocal(wanted.by) ? wanted.by : "alice";
    const [record] = await this.findPosts(reader, wanted);
    return record && { kind: "post", record, postId: String(record["ID"]) };
  }

  async #targetByUri(ref: string): Promise<Target | undefined> {
    const guid = guidIn(fillIn(this.#world, ref));
    const { alice } = this.#world.services;
    const post = await alice.find(`/posts/${guid}`);
    if (post) return { kind: "post", record: post, postId: String(post["ID"]) };
    const comment = await alice.find(`/comments/${guid}`);
    if (comment) {
      const postId = String(comment["ShareableID"]);
      return { kind: "comment", record: comment, postId };
    }
    const announcement = (await this.posts("alice", ["alice"])).find(
      (one) => textIn(one["Event"], "Guid") === guid,
    );
    return announcement
      ? {
          kind: "post",
          record: announcement,
          postId: String(announcement["ID"]),
        }
      : undefined;
  }

  async events(
    reader: LocalName,
    wanted: { by?: unknown; summary?: unknown },
  ): Promise<Json[]> {
    const events = await this.list(reader, "/calendar/events");
    return events.filter(
      (event) =>
        this.isBy(event, wanted.by) &&
        matchesText(String(event["Summary"]), wanted.summary),
    );
  }

  /** An event, with its participants. */
  async event(ref: unknown): Promise<Json | undefined> {
    if (typeof ref === "string") {
      const guid = guidIn(fillIn(this.#world, ref));
      const { alice } = this.#world.services;
      const post = await alice.find(`/posts/${guid}`);
      const eventGuid = textIn(post?.["Event"], "Guid") ?? guid;
      return alice.find(`/calendar/events/${eventGuid}`);
    }
    const wanted = ref as { by: string; summary: unknown };
    const reader = isLocal(wanted.by) ? wanted.by : "alice";
    return (await this.events(reader, wanted))[0];
  }
}

/** Person.Author of a record. */
export function authorOf(record: Json): string | undefined {
  return textIn(record["Person"], "Author");
}

/** The last part of the address of a local object. */
function guidIn(uri: string): string {
  return encodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1));
}
