import type { SignedIn } from "../../features/accounts/index.ts";
import type {
  Changes,
  ChangeStream,
  LiveEvent,
  PublicEvent,
  PublicReader,
} from "../../features/changes/index.ts";
import type { CallerDeps } from "../kit/mastodon-route.ts";
import { isGranted } from "../../features/oauth/index.ts";
import { renderChange, type LiveEventDeps } from "./live-events.ts";
import {
  renderPublicFor,
  type RenderedEvent,
  type RenderPublic,
} from "./public-events.ts";
import { hasPublic, type StreamName } from "./stream-name.ts";

export type LiveDeps = LiveEventDeps &
  CallerDeps & {
    readonly changes: Changes;
    readonly renderPublic: RenderPublic;
  };

/** An event of one of the streams, in their words. */
export type SentEvent = {
  readonly event: string;
  /** A text: JSON, or an id. */
  readonly payload?: string;
};

/** A connection that receives changes. */
export type LiveReader = {
  readonly user: SignedIn;
  readonly token: string;
  /** Its subscriptions at this moment. */
  readonly streams: () => readonly StreamName[];
  readonly send: (event: SentEvent, streams: readonly StreamName[]) => void;
  readonly beat: () => void;
  readonly end: () => void;
};

/** Changes that wait to be rendered for one connection; with more, it starts anew. */
const MAX_WAITING = 200;

/**
 * Opens a live connection. The changes of its user are rendered one after the other, for this
 * user alone; what is public is rendered once for all connections.
 * @returns a function that closes it
 * @throws {KithError} `too_many_requests`, `unavailable`
 */
export function openLive(deps: LiveDeps, reader: LiveReader): () => void {
  const queue = new Queue(reader);
  const close = deps.changes.open(new OwnChanges(deps, reader, queue));
  const closePublic = deps.changes.readPublic(
    new PublicPosts(deps, reader, queue),
  );
  return () => {
    closePublic();
    close();
  };
}

// Ten thousand connections wait here at once: methods take no memory for each of them.

/** Runs tasks one after the other; too many, or a failing one, end the connection. */
class Queue {
  readonly #reader: LiveReader;
  #waiting = 0;
  #last = Promise.resolve();

  constructor(reader: LiveReader) {
    this.#reader = reader;
  }

  add(task: () => Promise<void>): void {
    if (this.#waiting >= MAX_WAITING) return this.#reader.end();
    this.#waiting += 1;
    this.#last = this.#last
      .then(task)
      .catch(() => this.#reader.end())
      .finally(() => {
        this.#waiting -= 1;
      });
  }
}

/** The changes that concern the user of a connection. */
class OwnChanges implements ChangeStream {
  readonly #deps: LiveDeps;
  readonly #reader: LiveReader;
  readonly #queue: Queue;

  constructor(deps: LiveDeps, reader: LiveReader, queue: Queue) {
    this.#deps = deps;
    this.#reader = reader;
    this.#queue = queue;
  }

  get user(): SignedIn {
    return this.#reader.user;
  }

  async isSignedIn(): Promise<boolean> {
    const { token, user } = this.#reader;
    const access = await this.#deps.findAccess(token);
    return (
      access?.user?.userId === user.userId &&
      isGranted(access.scopes, "read:statuses")
    );
  }

  send(change: LiveEvent): void {
    // Something was missed: a client that connects again reads the lists again.
    if (change.type === "reset") return this.end();
    this.#queue.add(() => sendOwn(this.#deps, this.#reader, change));
  }

  beat(): void {
    this.#reader.beat();
  }

  end(): void {
    this.#reader.end();
  }
}

/** The public posts in the streams of a connection. */
class PublicPosts implements PublicReader {
  readonly #deps: LiveDeps;
  readonly #reader: LiveReader;
  readonly #queue: Queue;

  constructor(deps: LiveDeps, reader: LiveReader, queue: Queue) {
    this.#deps = deps;
    this.#reader = reader;
    this.#queue = queue;
  }

  get userId(): SignedIn["userId"] {
    return this.#reader.user.userId;
  }

  get personId(): SignedIn["personId"] {
    return this.#reader.user.personId;
  }

  isReading(): boolean {
    return this.#reader.streams().some(({ kind }) => kind === "public");
  }

  wants(event: PublicEvent): boolean {
    return this.#reader.streams().some((it) => hasPublic(it, event));
  }

  send(event: PublicEvent, isWarned: boolean): void {
    this.#queue.add(() =>
      sendPublic(this.#deps, this.#reader, event, isWarned),
    );
  }
}

async function sendOwn(
  deps: LiveDeps,
  reader: LiveReader,
  change: LiveEvent,
): Promise<void> {
  const event = await renderChange(deps, reader.user, change);
  if (!event) return;
  const streams: StreamName[] = [];
  for (const stream of reader.streams())
    if (await event.isIn(stream)) streams.push(stream);
  if (streams.length > 0) reader.send(event, streams);
}

async function sendPublic(
  deps: LiveDeps,
  reader: LiveReader,
  event: PublicEvent,
  isWarned: boolean,
): Promise<void> {
  const rendered: RenderedEvent | undefined = isWarned
    ? await renderPublicFor(deps, event, reader.user)
    : await deps.renderPublic(event);
  const streams = reader.streams().filter((it) => hasPublic(it, event));
  if (rendered && streams.length > 0) reader.send(rendered, streams);
}
