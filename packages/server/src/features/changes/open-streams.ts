import type { Db } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import type { UserId } from "../ids.ts";
import type { Change, LiveEvent } from "./change.ts";
import { createCursors } from "./cursors.ts";
import {
  readChange,
  type ReadChangeDeps,
  type Watcher,
} from "./read-change.ts";

/** One connection of a user that is told of changes. */
export type ChangeStream = {
  readonly user: Watcher;
  /** Asked before each event, and soon after something was written. */
  readonly isSignedIn: () => Promise<boolean>;
  /** @param cursor a place to continue from */
  readonly send: (event: LiveEvent, cursor: string) => void;
  /** Keeps the connection open while nothing happens. */
  readonly beat: (cursor: string) => void;
  readonly end: () => void;
};

export type StreamLimits = {
  readonly ofAccount: number;
  readonly ofProcess: number;
  /** Changes kept for streams that continue. */
  readonly kept: number;
  /** Changes waiting to be sent; with more, the streams start anew. */
  readonly waiting: number;
};

const LIMITS: StreamLimits = {
  ofAccount: 10,
  ofProcess: 10_000,
  kept: 500,
  waiting: 2_000,
};
const BEAT_MS = 15_000;
const CHECK_MS = 1_000;
/** Streams whose sign-in is checked at once: thousands take some seconds. */
const CHECKED_AT_ONCE = 500;
const RETRY_AFTER_S = 30;

type Kept = { readonly place: number; readonly change: Change };

/**
 * The open streams of this process. Changes are sent one after the other, each when it is
 * read, so that the order of the commits is kept.
 */
export class OpenStreams {
  readonly #deps: ReadChangeDeps & { readonly db: Db };
  readonly #limits: StreamLimits;
  readonly #cursors = createCursors();
  readonly #streams = new Map<UserId, Set<ChangeStream>>();
  readonly #opening = new Set<ChangeStream>();
  #tasks: (() => Promise<void>)[] = [];
  #isRunning = false;
  #isClosed = false;
  #kept: Kept[] = [];
  /** The last change that was published, and the first place to continue from. */
  #last = 0;
  #first = 0;
  #sent = 0;
  #mark = "";
  #unchecked: ChangeStream[] = [];
  #timers: NodeJS.Timeout[] = [];

  constructor(
    deps: ReadChangeDeps & { readonly db: Db },
    limits: Partial<StreamLimits> = {},
  ) {
    this.#deps = deps;
    this.#limits = { ...LIMITS, ...limits };
  }

  get count(): number {
    let count = this.#opening.size;
    for (const { size } of this.#streams.values()) count += size;
    return count;
  }

  /**
   * Opens a stream: with the changes since the cursor, or a `reset` if they are no longer
   * kept.
   * @returns a function that closes it
   * @throws {KithError} `too_many_requests` or `unavailable` over the limits
   */
  open(stream: ChangeStream, since?: string): () => void {
    const { userId } = stream.user;
    this.#refuseMany(userId);
    this.#opening.add(stream);
    this.#enqueue(async () => {
      if (!this.#opening.has(stream)) return;
      await this.#start(stream, since);
    });
    this.#startTimers();
    return () => this.#drop(stream);
  }

  #refuseMany(userId: UserId): void {
    const { ofAccount, ofProcess } = this.#limits;
    const others = [...this.#opening].filter((it) => it.user.userId === userId);
    const own = (this.#streams.get(userId)?.size ?? 0) + others.length;
    if (own >= ofAccount)
      throw new KithError("too_many_requests", "Too many open streams.", {
        retryAfterS: RETRY_AFTER_S,
      });
    if (this.#isClosed || this.count >= ofProcess)
      throw new KithError("unavailable", "There is no room for more streams.");
  }

  async #start(stream: ChangeStream, since?: string): Promise<void> {
    const { userId } = stream.user;
    const place =
      since === undefined ? this.#sent : this.#cursors.open(since, userId);
    const missed = this.#kept.filter((it) => it.place <= this.#sent);
    if (place === undefined || place < this.#first)
      this.#send(stream, { type: "reset" });
    else {
      stream.beat(this.#cursors.seal(place, userId));
      for (const kept of missed)
        if (kept.place > place) await this.#deliver(kept, [stream]);
    }
    if (!this.#opening.delete(stream)) return;
    const all = this.#streams.get(userId) ?? new Set();
    this.#streams.set(userId, all.add(stream));
  }

  /** @param changes undefined if some may have been missed */
  publish(changes: readonly Change[] | undefined): void {
    if (this.#isClosed) return;
    if (changes === undefined) return this.#reset();
    for (const change of changes) {
      this.#last += 1;
      const kept = { place: this.#last, change };
      this.#kept.push(kept);
      this.#enqueue(async () => {
        this.#sent = kept.place;
        await this.#deliver(kept, [...this.#all()]);
      });
    }
    while (this.#kept.length > this.#limits.kept)
      this.#first = this.#kept.shift()?.place ?? this.#first;
    if (this.#tasks.length > this.#limits.waiting) this.#reset();
  }

  /** Tells all streams that they may have missed something. */
  #reset(): void {
    this.#last += 1;
    const place = this.#last;
    this.#first = place;
    this.#kept = [];
    // Streams that were about to open still do.
    const opening = [...this.#opening];
    this.#tasks = [];
    this.#enqueue(async () => {
      this.#sent = place;
      for (const stream of this.#all()) this.#send(stream, { type: "reset" });
      for (const stream of opening)
        if (this.#opening.has(stream)) await this.#start(stream, "");
    });
  }

  *#all(): Iterable<ChangeStream> {
    for (const streams of this.#streams.values()) yield* streams;
  }

  #enqueue(task: () => Promise<void>): void {
    this.#tasks.push(task);
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let task = this.#tasks.shift(); task; task = this.#tasks.shift())
      // Without the database nothing is known of what was missed.
      await task().catch(() => {
        for (const stream of this.#all()) this.#send(stream, { type: "reset" });
      });
    this.#isRunning = false;
  }

  async #deliver(
    { change, place }: Kept,
    streams: readonly ChangeStream[],
  ): Promise<void> {
    if (streams.length === 0) return;
    const byUser = Map.groupBy(streams, ({ user }) => user.userId);
    const watchers = [...byUser.values()].flatMap((own) =>
      own.slice(0, 1).map(({ user }) => user),
    );
    for (const delivery of await readChange(this.#deps, change, watchers))
      for (const watcher of delivery.to) {
        const own = byUser.get(watcher.userId) ?? [];
        const signedIn = await this.#keepSignedIn(own);
        if (signedIn.length > 0 && (await delivery.isShownTo(watcher)))
          for (const stream of signedIn)
            this.#send(stream, delivery.event, place);
      }
  }

  #send(stream: ChangeStream, event: LiveEvent, place = this.#sent): void {
    if (!this.#has(stream)) return;
    stream.send(event, this.#cursors.seal(place, stream.user.userId));
  }

  #has(stream: ChangeStream): boolean {
    const streams = this.#streams.get(stream.user.userId);
    return this.#opening.has(stream) || streams?.has(stream) === true;
  }

  /** Ends those streams whose token or session is no longer valid. */
  async #keepSignedIn(
    streams: readonly ChangeStream[],
  ): Promise<ChangeStream[]> {
    const kept: ChangeStream[] = [];
    for (const stream of streams)
      if (await stream.isSignedIn()) kept.push(stream);
      else this.#end(stream);
    return kept;
  }

  #end(stream: ChangeStream): void {
    this.#drop(stream);
    stream.end();
  }

  #drop(stream: ChangeStream): void {
    const { userId } = stream.user;
    this.#opening.delete(stream);
    const streams = this.#streams.get(userId);
    streams?.delete(stream);
    if (streams?.size === 0) this.#streams.delete(userId);
    if (this.count === 0) this.#stopTimers();
  }

  #startTimers(): void {
    if (this.#timers.length > 0) return;
    const beat = () => {
      for (const stream of this.#all())
        stream.beat(this.#cursors.seal(this.#sent, stream.user.userId));
    };
    this.#timers = [
      setInterval(beat, BEAT_MS).unref(),
      setInterval(() => this.#enqueueCheck(), CHECK_MS).unref(),
    ];
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  #enqueueCheck(): void {
    // Without the database no session ends, and the next check comes soon.
    if (this.#tasks.length === 0)
      this.#enqueue(() => this.#check().catch(() => {}));
  }

  /** Another process may have ended a session: only the database knows. */
  async #check(): Promise<void> {
    if (this.#unchecked.length === 0) {
      const mark = await this.#deps.db.mark();
      if (mark === this.#mark) return;
      this.#unchecked = [...this.#all()];
      this.#mark = mark;
    }
    const some = this.#unchecked.splice(0, CHECKED_AT_ONCE);
    try {
      await this.#keepSignedIn(some.filter((it) => this.#has(it)));
    } catch (error) {
      this.#unchecked.push(...some);
      throw error;
    }
  }

  /** Ends all streams; nothing opens any more. */
  close(): void {
    this.#isClosed = true;
    for (const stream of [...this.#opening, ...this.#all()]) this.#end(stream);
    this.#stopTimers();
  }
}
