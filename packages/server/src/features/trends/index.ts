import type { Db } from "../../db/db.ts";
import { createTtlCache } from "../../lib/caching/ttl-cache.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import type { PostId } from "../ids.ts";
import {
  listTagDays,
  listTrendingLinks,
  listTrendingPosts,
  listTrendingTags,
  type TagDay,
  type TrendingLink,
} from "./trend-queries.ts";

export type { TagDay, TrendingLink } from "./trend-queries.ts";

export type TrendsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  /** Operators can switch them off. */
  readonly areEnabled: boolean;
};

export type TrendingTag = {
  readonly tag: string;
  /** The last seven days, the newest first. */
  readonly days: readonly TagDay[];
};

const DAY_MS = 86_400_000;
const DAYS = 7;
/** Posts and links age faster than tags. */
const RECENT_DAYS = 3;
const KEEP_MS = 10 * 60_000;
const MOST = 40;

/** Tags, posts and links that many people use and like at the moment, among the newest public posts. */
export type Trends = ReturnType<typeof createTrends>;

export function createTrends({ db, clock, areEnabled }: TrendsDeps) {
  const since = (days: number) => timestamp(later(clock.now(), -days * DAY_MS));
  const cached = <T>(read: () => Promise<readonly T[]>) => {
    const cache = createTtlCache(clock, KEEP_MS, read);
    return async () => (areEnabled ? cache.get() : []);
  };
  return {
    /** Tags that several people use, the most used first. */
    listTags: cached(async (): Promise<TrendingTag[]> => {
      const tags = await listTrendingTags(db.read, since(RECENT_DAYS), MOST);
      const used = await listTagDays(db.read, since(DAYS), tags);
      const byTag = Map.groupBy(used, ({ tag }) => tag);
      const today = clock.now();
      return tags.map((tag) => ({
        tag,
        days: lastDays(today).map(
          (day) =>
            byTag.get(tag)?.find((it) => it.day === day) ?? {
              ...{ tag, day, uses: 0, people: 0 },
            },
        ),
      }));
    }),
    /** Posts that several people like or reshare. Their readers are decided by the caller. */
    listPosts: cached<PostId>(() =>
      listTrendingPosts(db.read, since(RECENT_DAYS), MOST),
    ),
    /** Pages that several people link. */
    listLinks: cached<TrendingLink>(() =>
      listTrendingLinks(db.read, since(RECENT_DAYS), MOST),
    ),
  };
}

const lastDays = (now: Date): string[] =>
  Array.from({ length: DAYS }, (_, ago) =>
    timestamp(later(now, -ago * DAY_MS)).slice(0, DAY_LENGTH),
  );

const DAY_LENGTH = "2026-01-01".length;
