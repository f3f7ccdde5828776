// A model of a server that grows: the acts of its people in a day, and their costs. The costs are
// measured (bench/README.md), the habits are assumed; an operator puts in other ones.

/** The habits of people, on average. Per day unless it says otherwise. */
export type Habits = {
  /** Of all accounts, those who come on a day. */
  readonly daily: number;
  /** Of all accounts, those who come in a month. */
  readonly monthly: number;
  /** Of each who comes: posts, comments and likes. */
  readonly posts: number;
  readonly comments: number;
  readonly likes: number;
  /** Lists and pages that are built for each who comes. */
  readonly built: number;
  /** Requests of each who comes that an unchanged answer in memory serves. */
  readonly kept: number;
  /** Other servers that get a post: one delivery each. */
  readonly hostsOfPost: number;
  /** Other servers that get a comment or a like. */
  readonly hostsOfResponse: number;
  /** Messages of each followed person elsewhere. */
  readonly ofEachFollowed: number;
  /** The busiest hour compared with the average one. */
  readonly peak: number;
  /** Of those who come in the busiest hour, open streams for each. */
  readonly streams: number;
  /** Of posts here, with a picture, and the bytes of its files. */
  readonly pictures: number;
  readonly pictureBytes: number;
};

export const USUAL: Habits = {
  ...{ daily: 0.12, monthly: 0.35, posts: 1.5, comments: 3, likes: 4 },
  ...{ built: 60, kept: 120, hostsOfPost: 25, hostsOfResponse: 2 },
  ...{ ofEachFollowed: 1.2, peak: 3, streams: 0.3 },
  ...{ pictures: 0.3, pictureBytes: 400_000 },
};

/** Processor time in ms, that of the database included, and bytes of the database. */
export type Costs = {
  readonly received: number;
  readonly delivered: number;
  readonly post: number;
  readonly response: number;
  readonly built: number;
  readonly kept: number;
  /** The part of all that which the database takes, where it is a process of its own. */
  readonly ofDatabase: number;
  readonly bytesOfPost: number;
};

/** Of a machine that signs 3,700 times a second with RSA-2048 in one thread. */
export const MEASURED: Readonly<Record<"sqlite" | "postgres", Costs>> = {
  sqlite: {
    ...{ received: 0.25, delivered: 0.5, post: 0.8, response: 0.6 },
    ...{ built: 3, kept: 0.06, ofDatabase: 0, bytesOfPost: 1_800 },
  },
  postgres: {
    ...{ received: 1.9, delivered: 0.7, post: 3.7, response: 3 },
    ...{ built: 3.6, kept: 0.07, ofDatabase: 0.45, bytesOfPost: 2_600 },
  },
};

/** A process keeps this part of a processor busy at most, so that answers stay quick. */
const FULL = 0.6;
const DAY_S = 86_400;
const MEMORY_OF_PROCESS_MB = 350;
const MEMORY_OF_STREAM_MB = 0.01;
/** Nobody follows more people than write. */
const MOST_FOLLOWED = 4_000_000;

export type Load = {
  readonly people: number;
  /** People on other servers who are followed from here. */
  readonly followed: number;
  /** Per second, in the busiest hour. */
  readonly received: number;
  readonly delivered: number;
  readonly written: number;
  readonly built: number;
  readonly streams: number;
  /** GB in a year. */
  readonly database: number;
  readonly media: number;
};

/** People follow the same people: twice the accounts follow 1.8 times as many. */
const distinct = (active: number): number =>
  Math.min(MOST_FOLLOWED, 40 * active ** 0.85);

export function loadOf(
  people: number,
  habits: Habits = USUAL,
  { bytesOfPost }: Pick<Costs, "bytesOfPost"> = MEASURED.sqlite,
): Load {
  const daily = people * habits.daily;
  const followed = distinct(people * habits.monthly);
  const perSecond = (ofDay: number) => (ofDay * habits.peak) / DAY_S;
  const responses = daily * (habits.comments + habits.likes);
  const posts = daily * habits.posts;
  const received = followed * habits.ofEachFollowed;
  return {
    people,
    followed,
    received: perSecond(received),
    delivered: perSecond(
      posts * habits.hostsOfPost + responses * habits.hostsOfResponse,
    ),
    written: perSecond(posts + responses),
    built: perSecond(daily * habits.built),
    streams: daily * habits.streams,
    database: ((posts + responses + received) * 365 * bytesOfPost) / 1e9,
    media: (posts * habits.pictures * habits.pictureBytes * 365) / 1e9,
  };
}

export type Needs = {
  /** Processors that are busy in the busiest hour: of Kith, and of the database. */
  readonly kith: number;
  readonly database: number;
  /** Processes of Kith. */
  readonly processes: number;
  readonly memoryMb: number;
  /** The largest part of the processor time. */
  readonly most: string;
};

export function needsOf(
  people: number,
  costs: Costs,
  habits: Habits = USUAL,
): Needs {
  const load = loadOf(people, habits);
  const posts = load.written * (habits.posts / responsesAnd(habits));
  const parts = {
    receiving: load.received * costs.received,
    delivering: load.delivered * costs.delivered,
    writing: posts * costs.post + (load.written - posts) * costs.response,
    "building pages": load.built * costs.built,
    "unchanged answers":
      ((load.built * habits.kept) / habits.built) * costs.kept,
  };
  const busy = Object.values(parts).reduce((sum, it) => sum + it, 0) / 1_000;
  const [most = ""] =
    Object.entries(parts).toSorted(([, a], [, b]) => b - a)[0] ?? [];
  const kith = busy * (1 - costs.ofDatabase);
  const processes = Math.max(1, Math.ceil(kith / FULL));
  return {
    ...{ kith, database: busy - kith, processes, most },
    memoryMb:
      processes * MEMORY_OF_PROCESS_MB + load.streams * MEMORY_OF_STREAM_MB,
  };
}

const responsesAnd = ({ posts, comments, likes }: Habits): number =>
  posts + comments + likes;
