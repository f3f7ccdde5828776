import { rmSync, statSync } from "node:fs";
import type { DatabaseKind } from "../../packages/server/test/support/server/databases.ts";
import { measureFolder } from "../../packages/server/src/lib/media/measure-folder.ts";
import path from "node:path";
import { Random } from "../support/random.ts";
import { Inhabitant } from "./inhabitant.ts";
import { Ledger } from "./ledger.ts";
import { Operator } from "./operator.ts";
import { Outside } from "./outside.ts";
import { compareViews, compareWhole } from "./promises.ts";
import { YearServer } from "./year-server.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEPS_PER_DAY = 4;
/** Of the people, at the beginning; the others come in the course of the year. */
const FIRST_SHARE = 0.3;
export const MEDIA_BUDGET_MB = 64;
const FRIENDS = 8;

export type YearOptions = {
  readonly database: DatabaseKind;
  readonly days: number;
  readonly people: number;
  readonly seed: number;
  /** At least 8, so that each work of the operator has a day of its own. */
  readonly daysPerMonth: number;
  /** Acts of people here, and posts from elsewhere. */
  readonly actsPerDay: number;
  readonly arrivalsPerDay: number;
};

/** The state at the end of a month. */
export type Month = {
  readonly day: number;
  readonly people: number;
  readonly acknowledged: number;
  readonly arrived: number;
  readonly heapMb: number;
  readonly rssMb: number;
  readonly databaseMb: number;
  readonly cacheMb: number;
};

export type YearReport = {
  readonly months: readonly Month[];
  readonly did: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
  readonly delivered: number;
};

/** Lets a year pass, and compares what is there with what was acknowledged. */
export async function playYear(
  options: YearOptions,
  say: (month: Month) => void = () => {},
): Promise<YearReport> {
  const folder = Operator.makeFolder();
  const random = new Random(options.seed);
  const outside = await Outside.open(random);
  const server = await YearServer.start(
    options.database,
    options.days * DAY_MS,
    {
      KITH_BACKUP_DIR: folder,
      KITH_BACKUP_HOURS: "168",
      KITH_BACKUP_KEEP: "3",
      KITH_REMOTE_MEDIA_MB: String(MEDIA_BUDGET_MB),
      KITH_REMOTE_POST_DAYS: "60",
      KITH_FOLLOWED_POST_DAYS: "90",
    },
  );
  try {
    const operator = new Operator(server, outside, folder);
    const year = new Year(options, { server, outside, operator, random });
    return await year.play(say);
  } finally {
    await server.remove();
    await outside.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Parts = {
  readonly server: YearServer;
  readonly outside: Outside;
  readonly operator: Operator;
  readonly random: Random;
};

/** In the order of a month. */
const WORKS: readonly ((year: Year) => Promise<void>)[] = [
  (year) => year.block(),
  (year) => year.suspend(),
  (year) => year.unsuspend(),
  (year) => year.forgive(),
  (year) => year.leave(),
  (year) => year.restart(),
  (year) => year.survive(),
];

class Year {
  readonly #options: YearOptions;
  readonly #parts: Parts;
  readonly #ledger = new Ledger();
  readonly #people = new Map<string, Inhabitant>();
  /** Whose account is suspended this month. */
  #suspended: string | undefined;
  #settled = 0;

  constructor(options: YearOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
  }

  async play(say: (month: Month) => void): Promise<YearReport> {
    const { server, operator, outside, random } = this.#parts;
    const months: Month[] = [];
    for (let day = 0; day < this.#options.days; day += 1) {
      await this.#grow(day);
      for (let step = 0; step < STEPS_PER_DAY; step += 1) await this.#live();
      await this.#keep(day);
      if ((day + 1) % this.#options.daysPerMonth !== 0) continue;
      await operator.verifyNewest();
      months.push(await this.#measure(day + 1));
      say(months.at(-1) as Month);
    }
    await operator.survive();
    // Views are compared for everybody: a run may end while somebody is suspended.
    await this.unsuspend();
    await server.settle();
    const views = await compareViews(this.#people, this.#ledger, random);
    await server.stop();
    const whole = await compareWhole(server, this.#ledger);
    return {
      ...{ months, did: operator.did, faults: [...views, ...whole] },
      delivered: outside.received,
    };
  }

  /** All whose account is not suspended. */
  get #active(): Inhabitant[] {
    return [...this.#people.values()].filter(
      ({ name }) => name !== this.#suspended,
    );
  }

  /** So many people have come by this day. */
  async #grow(day: number): Promise<void> {
    const { people, days } = this.#options;
    const share = FIRST_SHARE + (1 - FIRST_SHARE) * (day / days);
    while (this.#settled < Math.floor(people * share)) {
      this.#settled += 1;
      await this.#settle(`person${this.#settled}`);
    }
  }

  async #settle(name: string): Promise<void> {
    const { server, outside, random } = this.#parts;
    const world = { server, random, ledger: this.#ledger };
    const one = await Inhabitant.settle(name, world);
    const there = this.#active;
    const here = new Set(
      Array.from({ length: FRIENDS }, () => random.pickAny(there) ?? one),
    );
    here.delete(one);
    const elsewhere = [0, 1].map(() => random.pickAny(outside.actors)?.handle);
    await one.befriend(
      [...here],
      [...new Set(elsewhere.filter((it) => it !== undefined))],
    );
    this.#people.set(name, one);
    if (random.isLikely(1 / 4)) await outside.follow(server, name);
  }

  /** A quarter of a day. */
  async #live(): Promise<void> {
    const { server, outside, random } = this.#parts;
    const { actsPerDay, arrivalsPerDay } = this.#options;
    const active = this.#active;
    for (let n = 0; n < arrivalsPerDay / STEPS_PER_DAY; n += 1)
      await outside.write(server);
    const mentioned = random.pickAny(active);
    if (mentioned) await outside.mention(server, mentioned.name);
    for (let n = 0; n < actsPerDay / STEPS_PER_DAY; n += 1)
      await random.pickAny(active)?.act();
    await server.settle();
    await outside.answer(server);
    await server.advance(DAY_MS / STEPS_PER_DAY);
    await server.settle();
  }

  /** The work of an operator on some days of each month, and people who leave. */
  async #keep(day: number): Promise<void> {
    const { daysPerMonth } = this.#options;
    const work = WORKS.findIndex(
      (_, n) =>
        Math.floor(((n + 1) / (WORKS.length + 1)) * daysPerMonth) ===
        day % daysPerMonth,
    );
    await WORKS[work]?.(this);
  }

  block(): Promise<void> {
    return this.#parts.operator.block();
  }

  forgive(): Promise<void> {
    return this.#parts.operator.forgive();
  }

  restart(): Promise<void> {
    return this.#parts.operator.restart();
  }

  survive(): Promise<void> {
    return this.#parts.operator.survive();
  }

  async suspend(): Promise<void> {
    const { operator, random } = this.#parts;
    this.#suspended = random.pickAny([...this.#people.keys()]);
    if (this.#suspended !== undefined) await operator.suspend(this.#suspended);
  }

  async unsuspend(): Promise<void> {
    const name = this.#suspended;
    if (name === undefined) return;
    await this.#parts.operator.unsuspend(name);
    await this.#people.get(name)?.signIn();
    this.#suspended = undefined;
  }

  async leave(): Promise<void> {
    const one = this.#parts.random.pickAny([...this.#people.values()]);
    if (!one) return;
    await one.leave();
    this.#people.delete(one.name);
    await this.#parts.server.settle();
  }

  async #measure(day: number): Promise<Month> {
    const { server, outside } = this.#parts;
    const { heapBytes, rssBytes } = await server.weigh();
    const { dataDir, location } = server.place;
    const cache = await measureFolder(path.join(dataDir, "remote-media"));
    const database =
      location.kind === "sqlite" ? statSync(location.file).size : 0;
    return {
      ...{ day, people: this.#people.size },
      acknowledged: this.#ledger.acknowledged,
      arrived: outside.sent,
      heapMb: inMb(heapBytes),
      rssMb: inMb(rssBytes),
      databaseMb: inMb(database),
      cacheMb: inMb(cache.bytes),
    };
  }
}

const inMb = (bytes: number): number => Math.round(bytes / 1024 / 1024);
