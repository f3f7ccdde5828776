import assert from "node:assert/strict";
import {
  picture,
  pictureForm,
} from "../../packages/server/test/support/scenes/pictures.ts";
import type {
  EventRecord,
  PersonRecord,
  PhotoRecord,
  PollRecord,
} from "../../packages/server/test/support/server/wire.ts";
import { ApiClient } from "./api-client.ts";
import { guidOf } from "./conversation.ts";
import type { KithProcess } from "./kith-process.ts";

/** The parts of a post besides its text. */
export type Extras = {
  /** The id of the aspect that receives it; by default it is public. */
  readonly aspect?: string;
  /** Any other audience, as parameters. */
  readonly to?: Readonly<Record<string, string | readonly string[]>>;
  /** The id of an event. */
  readonly event?: number;
  readonly photo?: PhotoRecord;
  readonly question?: string;
  readonly answers?: readonly string[];
};

/** A user of one of several servers, using the service API. */
export class Resident {
  readonly name: string;
  readonly server: KithProcess;
  readonly api: ApiClient;
  /** The names of people by their ids on this server. */
  readonly #names = new Map<unknown, string>();

  /** Signs up. */
  static async settle(server: KithProcess, name: string): Promise<Resident> {
    return new Resident(
      name,
      server,
      await ApiClient.signUp(server.baseUrl, name),
    );
  }

  private constructor(name: string, server: KithProcess, api: ApiClient) {
    this.name = name;
    this.server = server;
    this.api = api;
  }

  get handle(): string {
    return this.server.handle(this.name);
  }

  async find(other: Resident): Promise<PersonRecord> {
    const found = await this.api.post("/search", { handle: other.handle });
    return found as PersonRecord;
  }

  /** The name of a person by the id on this server. */
  async nameOf(id: unknown): Promise<string> {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const { status, body } = await this.api.call(
      "GET",
      `/people/${String(id)}`,
    );
    // People who have left can no longer be fetched.
    if (status === 404) return "nobody";
    const [name = ""] = (body as PersonRecord).Author.split("@");
    this.#names.set(id, name);
    return name;
  }

  /** @returns the id of a new aspect with these people */
  async gather(name: string, people: readonly Resident[]): Promise<string> {
    const { ID } = await this.api.post("/aspects", { aspect_name: name });
    for (const person of people) await this.add(person, String(ID));
    return String(ID);
  }

  async add(other: Resident, aspect: string): Promise<void> {
    const { ID } = await this.find(other);
    await this.api.post(`/people/${ID}/aspects/${aspect}`);
  }

  async drop(other: Resident, aspect: string): Promise<void> {
    const { ID } = await this.find(other);
    await this.api.delete(`/people/${ID}/aspects/${aspect}`);
  }

  /** @returns the Guid of the post */
  async publish(text: string, extras: Extras = {}): Promise<string> {
    const { aspect, to, event, photo, question, answers } = extras;
    const post = await this.api.post("/posts", {
      post: text,
      ...(aspect ? { aspectID: aspect } : {}),
      ...to,
      ...(event ? { eventID: String(event) } : {}),
      ...(photo ? { photoID: String(photo.ID) } : {}),
      ...(question ? { poll_question: question } : {}),
      ...(answers ? { poll_answer: answers } : {}),
    });
    return guidOf(post);
  }

  /** Uploads a small image. */
  async upload(text: string, aspect?: string): Promise<PhotoRecord> {
    const bytes = await picture(24, 16).png().toBuffer();
    const fields = { text, ...(aspect ? { aspectID: aspect } : {}) };
    const response = await fetch(`${this.server.baseUrl}/api/v0/photos`, {
      method: "POST",
      headers: { access_token: this.api.token },
      body: pictureForm(bytes, fields),
    });
    assert.equal(response.status, 200);
    return (await response.json()) as PhotoRecord;
  }

  /** The photos of a post that this person sees. */
  async photosOf(post: string): Promise<PhotoRecord[]> {
    const { Photos } = await this.api.getRecord(`/posts/${post}`);
    return Photos as PhotoRecord[];
  }

  /** Creates an event, announced by a post. */
  /** @param more further parameters of the event */
  async invite(
    summary: string,
    aspect?: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<EventRecord> {
    const event = await this.api.post("/calendar/events", {
      summary,
      start: "2031-05-01T18:00:00Z",
      end: "2031-05-01T20:00:00Z",
      location: "The barn",
      ...(aspect ? { aspectID: aspect } : {}),
      ...more,
    });
    return event as EventRecord;
  }

  async answer(event: EventRecord, status: string): Promise<void> {
    const path = `/calendar/events/${event.Guid}/participation`;
    await this.api.put(path, { status });
  }

  /** Votes for the answer with this text. */
  async vote(post: string, text: string): Promise<void> {
    const { Poll } = await this.api.getRecord(`/posts/${post}`);
    const { Answers } = Poll as PollRecord;
    const answer = Answers.find(({ Text }) => Text === text);
    assert.ok(answer, `there is an answer ${text}`);
    await this.api.post(`/posts/${post}/poll/votes`, { answer: answer.Guid });
  }

  /** @returns the Guid of the comment */
  async comment(post: string, text: string): Promise<string> {
    const path = `/posts/${post}/comments`;
    return guidOf(await this.api.post(path, { comment: text }));
  }

  /** Likes a post. @returns the Guid of the like */
  async like(post: string, positive = true): Promise<string> {
    return guidOf(await this.api.post(`/posts/${post}/likes/${positive}`));
  }

  /** @returns the Guid of the reshare */
  async reshare(post: string): Promise<string> {
    return guidOf(await this.api.post(`/posts/${post}/reshare`));
  }

  async removePost(guid: string): Promise<void> {
    await this.api.delete(`/posts/${guid}`);
  }

  async removeComment(guid: string): Promise<void> {
    await this.api.delete(`/comments/${guid}`);
  }

  async removeLike(guid: string): Promise<void> {
    await this.api.delete(`/likes/${guid}`);
  }
}
