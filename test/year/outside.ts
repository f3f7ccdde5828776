import type { JsonObject } from "@kith/activitypub";
import sharp from "sharp";
import {
  RemoteServer,
  type RemoteActor,
} from "../../packages/server/test/support/remote/remote-server.ts";
import type { Random } from "../support/random.ts";
import type { YearServer } from "./year-server.ts";

/** One of them is blocked now and then, so nobody here has to do with its people. */
const HOSTS = ["river.localhost", "forest.localhost", "swamp.localhost"];
const ACTORS_PER_HOST = 8;
const PICTURE_SIZE = 220;

/** The other servers, whose people write every day. */
export class Outside {
  readonly #servers: readonly RemoteServer[];
  readonly #random: Random;
  #pictures = 0;
  /** Activities that the server accepted. */
  sent = 0;
  /** Activities that came from the server. */
  received = 0;

  static async open(random: Random): Promise<Outside> {
    const servers = await Promise.all(
      HOSTS.map((it) => RemoteServer.start(it)),
    );
    return new Outside(servers, random);
  }

  private constructor(servers: readonly RemoteServer[], random: Random) {
    this.#servers = servers;
    this.#random = random;
  }

  /** People with whom people here may have to do. */
  get actors(): readonly RemoteActor[] {
    return this.#servers.slice(0, -1).flatMap(actorsOf);
  }

  get #swamp(): RemoteServer | undefined {
    return this.#servers.at(-1);
  }

  get swampHost(): string {
    return new URL(this.#swamp?.origin ?? "").hostname;
  }

  /** Somebody writes a post, with a link, a tag, and sometimes a picture. */
  async write(server: YearServer): Promise<void> {
    const by = this.#random.pickAny(this.actors);
    if (by) await this.#publish(server, by);
  }

  /** A stranger mentions somebody here. */
  async mention(server: YearServer, name: string): Promise<void> {
    const by = this.#swamp?.actor(`stranger${this.#random.below(60)}`);
    if (by) await this.#publish(server, by, name);
  }

  async follow(server: YearServer, name: string): Promise<void> {
    const by = this.#random.pickAny(this.actors);
    if (!by) return;
    const object = `${server.baseUrl}/users/${name}`;
    await this.#send(server, by, by.activity("Follow", { object }));
  }

  /** Accepts the follows that came since the last time. */
  async answer(server: YearServer): Promise<void> {
    for (const remote of this.#servers) {
      this.received += remote.delivered.length;
      for (const { activity, path } of remote.delivered.splice(0)) {
        if (activity["type"] !== "Follow") continue;
        // To the inbox of the person, as they have no shared one.
        const name = path.split("/").at(-2) ?? "";
        const by = remote.actor(name);
        await this.#send(
          server,
          by,
          by.activity("Accept", { object: activity }),
        );
      }
      remote.asked.length = 0;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((remote) => remote.close()));
  }

  async #publish(
    server: YearServer,
    by: RemoteActor,
    mentioned?: string,
  ): Promise<void> {
    const remote = this.#servers.find(({ origin }) =>
      by.id.startsWith(`${origin}/`),
    );
    const picture =
      remote && mentioned === undefined && this.#random.isLikely(1 / 6)
        ? [await this.#show(remote)]
        : [];
    const href = `${server.baseUrl}/users/${mentioned ?? ""}`;
    const tag = [
      { type: "Hashtag", name: "#weather", href: `${by.id}/tags/weather` },
      ...(mentioned === undefined ? [] : [{ type: "Mention", href }]),
    ];
    const note = by.note({
      content: `<p>Rain &amp; wind, see <a href="https://weather.example/${this.sent}">weather.example</a><br><a href="${by.id}/tags/weather" class="hashtag" rel="tag">#weather</a></p>`,
      published: server.clock.now().toISOString(),
      ...{ tag, attachment: picture },
      ...(mentioned === undefined ? {} : { cc: [href] }),
    });
    await this.#send(server, by, by.activity("Create", { object: note }));
  }

  /** Noise, which cannot be compressed. */
  async #show(remote: RemoteServer): Promise<JsonObject> {
    this.#pictures += 1;
    const path = `/media/${this.#pictures}.jpg`;
    const size = PICTURE_SIZE;
    const pixels = Buffer.alloc(size * size * 3);
    for (let at = 0; at < pixels.length; at += 1)
      pixels[at] = this.#random.below(256);
    const bytes = await sharp(pixels, {
      raw: { width: size, height: size, channels: 3 },
    })
      .jpeg({ quality: 95 })
      .toBuffer();
    remote.answers.set(path, (response) =>
      response.writeHead(200, { "content-type": "image/jpeg" }).end(bytes),
    );
    const url = remote.origin + path;
    return { type: "Image", mediaType: "image/jpeg", url, name: "A cloud" };
  }

  async #send(
    server: YearServer,
    by: RemoteActor,
    activity: JsonObject,
  ): Promise<void> {
    const { status } = await by.send(server, activity);
    if (status === 202) this.sent += 1;
  }
}

const actorsOf = (remote: RemoteServer): RemoteActor[] =>
  Array.from({ length: ACTORS_PER_HOST }, (_, n) => remote.actor(`writer${n}`));
