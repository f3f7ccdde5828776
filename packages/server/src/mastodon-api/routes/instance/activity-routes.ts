import type { HostPolicies } from "../../../features/host-policies/index.ts";
import type { Statistics } from "../../../features/statistics/index.ts";
import { createTtlCache } from "../../../lib/caching/ttl-cache.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import { publicRoute, type MastodonRoute } from "../../kit/mastodon-route.ts";
import type { Entity } from "../../kit/wire.ts";

const HOUR_MS = 3_600_000;
const WEEK_DAYS = 7;
/** As many as Mastodon answers; the first is the current one. */
const WEEKS = 12;

export type ActivityDeps = {
  readonly clock: Clock;
  readonly hostPolicies: Pick<HostPolicies, "listPeers">;
  readonly statistics: Pick<Statistics, "countJoined" | "list">;
};

/** The servers known to this one, and how much is done here. Both are read once an hour. */
export function activityRoutes(deps: ActivityDeps): MastodonRoute[] {
  const { clock, hostPolicies } = deps;
  const peers = createTtlCache(clock, HOUR_MS, () => hostPolicies.listPeers());
  const weeks = createTtlCache(clock, HOUR_MS, () => listWeeks(deps));
  const open = (path: string, handle: () => Promise<unknown>) =>
    publicRoute({ method: "GET", path, scope: "any", limit: "read", handle });
  return [
    open("/v1/instance/peers", () => peers.get()),
    open("/v1/instance/activity", () => weeks.get()),
  ];
}

/** Weeks begin on Mondays, in UTC. The newest one first. */
async function listWeeks({
  clock,
  statistics,
}: ActivityDeps): Promise<Entity[]> {
  const sinceMonday = (clock.now().getUTCDay() + WEEK_DAYS - 1) % WEEK_DAYS;
  const days = (WEEKS - 1) * WEEK_DAYS + sinceMonday + 1;
  const numbers = await statistics.list("day", days);
  const seen = numbers.valuesOf("people");
  const posts = numbers.valuesOf("posts");
  const comments = numbers.valuesOf("comments");
  const mondays = numbers.starts.filter((_, at) => at % WEEK_DAYS === 0);
  const joined = await statistics.countJoined(mondays);
  const ofWeek = (values: readonly (number | undefined)[], week: number) =>
    values
      .slice(week * WEEK_DAYS, (week + 1) * WEEK_DAYS)
      .map((value) => value ?? 0);
  const sum = (values: readonly number[]) =>
    values.reduce((all, value) => all + value, 0);
  return mondays
    .map((monday, week): Entity => ({
      week: String(monday.getTime() / 1_000),
      statuses: String(sum(ofWeek(posts, week)) + sum(ofWeek(comments, week))),
      // People who were here are counted by day: those of the busiest one.
      logins: String(Math.max(0, ...ofWeek(seen, week))),
      registrations: String(joined[week] ?? 0),
    }))
    .reverse();
}
