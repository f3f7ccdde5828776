import type { Socket } from "node:net";
import type { Client } from "pg";
import { messageOf } from "../../lib/errors.ts";

/** So many looks in a row find nothing read before a connection counts as silent. */
const SILENT_LOOKS = 5;
/** After so many looks it waits for longer than most answers take. */
const WAITING_LOOKS = 2;
/** A connection that was asked to end, and whose other side has not done so by then, is closed. */
const ENDING_LOOKS = 2;
/** A listener that has heard nothing for so many looks is tried. */
const LISTENING_LOOKS = 5;

export type ConnectionUse = {
  /** Does its user open another one at once, so that it may be closed while nobody uses it? */
  readonly isReplaceable?: boolean;
  /** Does it wait for notices, and so ask for nothing by itself? */
  readonly isListening?: boolean;
};

/** Fields of a client of `pg` that its types lack. */
type Fields = {
  /** False from the moment at which it expects an answer until that is complete. */
  readonly readyForQuery?: boolean;
  readonly processID: number | null;
};

/** A connection that is looked at from time to time, which costs its queries nothing. */
export class WatchedConnection {
  readonly #client: Client & Partial<Fields>;
  readonly #use: ConnectionUse;
  readonly #sinceMs = performance.now();
  /** Read, and taken by the other side: a long query may be on its way. */
  #bytesSeen = 0;
  #quietLooks = 0;
  #silentLooks = 0;
  #endingLooks = 0;

  constructor(client: Client, use: ConnectionUse) {
    this.#client = client;
    this.#use = use;
  }

  /** The number of its server process, if no pooler has made it up. */
  get processId(): number {
    return this.#client.processID ?? 0;
  }

  /** In seconds since it was opened. */
  get ageS(): number {
    return (performance.now() - this.#sinceMs) / 1_000;
  }

  get bytesRead(): number {
    return this.#stream.bytesRead;
  }

  /** Has an answer been awaited for some time, of which nothing came? */
  get isSilent(): boolean {
    return this.#silentLooks >= SILENT_LOOKS;
  }

  /** Is an answer awaited for longer than usual? */
  get isWaiting(): boolean {
    return this.#silentLooks >= WAITING_LOOKS;
  }

  /** Was it of no use to anybody for that time, and can be replaced? */
  get isSpare(): boolean {
    return (
      this.#use.isReplaceable === true &&
      this.#quietLooks >= SILENT_LOOKS &&
      !this.#isAwaited() &&
      this.#client.getTransactionStatus() === "I"
    );
  }

  look(): void {
    const { bytesRead, readableLength } = this.#stream;
    const { bytesWritten, writableLength } = this.#stream;
    const bytes = bytesRead + bytesWritten - writableLength;
    // Bytes that wait here for their reader say that the server has answered.
    const isQuiet = bytes === this.#bytesSeen && readableLength === 0;
    this.#bytesSeen = bytes;
    this.#quietLooks = isQuiet ? this.#quietLooks + 1 : 0;
    this.#silentLooks =
      isQuiet && this.#isAwaited() ? this.#silentLooks + 1 : 0;
    this.#closeWhenEnded();
    this.#tryListener();
  }

  /** Begins to count anew: the server works on the answer. */
  wait(): void {
    this.#silentLooks = 0;
  }

  /** Closes it. The queries that wait for it fail as when the network resets it. */
  break(error: Error): void {
    this.#stream.destroy(error);
  }

  get #stream(): Socket {
    return this.#client.connection.stream as Socket;
  }

  #isAwaited(): boolean {
    return this.#client.readyForQuery === false;
  }

  #closeWhenEnded(): void {
    const stream = this.#stream;
    if (!stream.writableEnded) return;
    this.#endingLooks += 1;
    if (this.#endingLooks >= ENDING_LOOKS) stream.destroy();
  }

  #tryListener(): void {
    const isDue =
      this.#quietLooks > 0 && this.#quietLooks % LISTENING_LOOKS === 0;
    if (!this.#use.isListening || !isDue || this.#isAwaited()) return;
    // Without an answer it is silent like any other; an error is told to its owner.
    this.#client.query("select 1").catch(messageOf);
  }
}
