import type { Clock } from "../time/clock.ts";
import { KithError } from "../errors.ts";
import type { SharedCounts } from "./shared-counts.ts";
import { createRateLimit, type RateLimit, type Share } from "./rate-limit.ts";

/** One limit by its name, whose refusals are counted. */
export type Limit = RateLimit & {
  /** The error for a key that has used up its share. */
  refuse(key: string): KithError;
};

/** Creates the limits that operators can scale. */
export type Limits = {
  /**
   * @param name one of few: it is a label of the metrics
   * @param by what is counted separately: addresses, accounts …; such a label, too
   */
  create(name: string, by: string, share: Share): Limit;
};

export type LimitsInput = {
  readonly clock: Clock;
  /** Multiplies the usual limits; null disables them. */
  readonly factor: number | null;
  readonly noteRefused?: (name: string, by: string) => void;
  /** Where several processes count together. */
  readonly shared?: SharedCounts | undefined;
};

export function createLimits({
  clock,
  factor,
  noteRefused,
  shared,
}: LimitsInput): Limits {
  const made = new Map<string, number>();
  /** The same in all processes, which make their limits in the same order. */
  function nameOnce(name: string, by: string): string {
    const count = made.get(`${name} ${by}`) ?? 0;
    made.set(`${name} ${by}`, count + 1);
    return `${name} ${by} ${count}`;
  }
  return {
    create: (name, by, { max, windowMs }) => {
      const limit =
        factor === null
          ? UNLIMITED
          : createRateLimit({
              clock,
              // An operator who scales down wants less traffic, not none.
              max: Math.max(1, Math.round(max * factor)),
              windowMs,
              ...(shared && { shared, name: nameOnce(name, by) }),
            });
      return {
        ...limit,
        refuse: (key) => {
          noteRefused?.(name, by);
          return new KithError(
            "too_many_requests",
            `Too many of ${name} by ${by}.`,
            {
              retryAfterS: limit.secondsLeft(key),
            },
          );
        },
      };
    },
  };
}

const UNLIMITED: RateLimit = {
  take: () => true,
  isSpent: () => false,
  giveBack: () => {},
  forget: () => {},
  secondsLeft: () => 1,
  stateOf: () => undefined,
};

/** For calls without limits: by a command, by tests. */
export const NO_LIMITS: Limits = createLimits({
  clock: { now: () => new Date(0) },
  factor: null,
});
