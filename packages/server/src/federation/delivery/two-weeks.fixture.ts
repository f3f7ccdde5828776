import type { ServerResponse } from "node:http";
import { Peer, type Received } from "../../../test/support/remote/peer.ts";
import type { DatabaseKind } from "../../../test/support/server/databases.ts";
import { openSender, type Sender } from "./sender.fixture.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
export const ROUND_MS = 12 * HOUR;
export const ROUNDS = (14 * DAY) / ROUND_MS;
/** Right after a round every attempt has its own time; later they are gone through in steps. */
const FINE_MS = 2 * MINUTE;
const STEP_MS = 3 * HOUR;

/** In this round the document comes that the peer may have something against. */
const POISON_ROUND = 2;
export const POISON = "poison";

/** Answers, or says nothing. */
export type PeerAnswer = ((response: ServerResponse) => unknown) | "nothing";

/** How a peer answers a delivery; undefined where it takes it. */
export type Manner = (received: Received) => PeerAnswer | undefined;

export type Manners = {
  readonly inbox: Manner;
  /** Its answer to probes. */
  readonly nodeInfo?: PeerAnswer;
};

export const answer =
  (status: number, headers: Record<string, string> = {}, body = "") =>
  (response: ServerResponse) =>
    response.writeHead(status, headers).end(body);

/** What was posted to a peer: the text, when, and whether it took that. */
type Arrival = {
  readonly body: string;
  readonly at: number;
  readonly isTaken: boolean;
};

/** Two weeks of somebody who writes to a peer that may misbehave, and to one that does not. */
export class TwoWeeks {
  readonly sender: Sender;
  readonly came: Readonly<Record<"peer" | "other", Arrival[]>> = {
    peer: [],
    other: [],
  };
  /** The most jobs that waited at once. */
  most = 0;
  readonly #other: Peer;
  readonly #startAt: number;
  #manners: Manners = { inbox: () => undefined };

  static async open(kind: DatabaseKind): Promise<TwoWeeks> {
    return new TwoWeeks(await openSender(kind), await Peer.start());
  }

  private constructor(sender: Sender, other: Peer) {
    this.sender = sender;
    this.#other = other;
    this.#startAt = sender.clock.now().getTime();
    for (const [name, peer] of [
      ["peer", sender.peer],
      ["other", other],
    ] as const)
      peer.act((response, received) => {
        const refuse =
          name === "peer" ? this.#manners.inbox(received) : undefined;
        const { body } = received;
        this.came[name].push({ body, at: this.now(), isTaken: !refuse });
        const { inbox: url } = peer;
        const request = { method: "POST", url, body } as const;
        this.#give(response, refuse ?? answer(202), request);
      });
    sender.peer.actOnVisits((response) => {
      const url = `${sender.peer.origin}/.well-known/nodeinfo`;
      const { nodeInfo = answer(404) } = this.#manners;
      this.#give(response, nodeInfo, { method: "GET", url });
    });
  }

  #give(
    response: ServerResponse,
    given: PeerAnswer,
    request: Parameters<Sender["timeOut"]>[0],
  ): void {
    if (given !== "nothing") return void given(response);
    this.sender.timeOut(request);
    response.socket?.destroy();
  }

  /** Milliseconds since the beginning, by the test's clock. */
  now(): number {
    return this.sender.clock.now().getTime() - this.#startAt;
  }

  behave(manners: Manners): void {
    this.#manners = manners;
  }

  /** In each round a post and a like of it; once also the poison, and what stands below it. */
  async play(from = 0, to = ROUNDS): Promise<void> {
    for (let round = from; round < to; round += 1) {
      await this.#say(round);
      await this.#wait(this.now() + ROUND_MS);
    }
  }

  async #say(round: number): Promise<void> {
    const urls = [this.sender.peer.inbox, this.#other.inbox];
    const send = (document: string, after?: string) =>
      this.sender.send(document, urls, {
        about: document,
        ...(after !== undefined && { after }),
      });
    if (round === POISON_ROUND) {
      await send(POISON);
      await send(`below ${POISON}`, POISON);
    }
    await send(`post ${round}`);
    await send(`like ${round}`, `post ${round}`);
  }

  async #wait(until: number): Promise<void> {
    const fineUntil = this.now() + FINE_MS;
    for (;;) {
      await this.sender.settle();
      const waiting = (await this.sender.jobs()).filter(isWaiting);
      this.most = Math.max(this.most, waiting.length);
      if (this.now() >= until) return;
      const nextAt = await this.sender.nextAt();
      const next = nextAt === undefined ? until : nextAt - this.#startAt;
      const isFine = next <= fineUntil;
      const least = isFine ? next : this.now() + STEP_MS;
      this.sender.clock.advance(
        Math.min(Math.max(next, least), until) - this.now(),
      );
    }
  }

  /** What was taken, with the first time. */
  takenBy(name: "peer" | "other"): Map<string, number> {
    const taken = new Map<string, number>();
    for (const { body, at, isTaken } of this.came[name])
      if (isTaken && !taken.has(body)) taken.set(body, at);
    return taken;
  }

  async waiting() {
    return (await this.sender.jobs()).filter(isWaiting);
  }

  async close(): Promise<void> {
    await this.sender.close();
    await this.#other.close();
  }
}

function isWaiting({ kind, state }: { kind: string; state: string }): boolean {
  return kind === "deliver" && state !== "dead";
}
