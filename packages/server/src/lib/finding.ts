/** One result of examining this server. */
export type Finding = {
  /** A short name, stable across releases. */
  readonly check: string;
  readonly state: "ok" | "warning" | "failed" | "skipped";
  /** The observation, in words. */
  readonly says: string;
  /** The remedy; null if there is none. */
  readonly advice: string | null;
};

export const ok = (check: string, says: string): Finding => ({
  check,
  state: "ok",
  says,
  advice: null,
});

export const skipped = (check: string, says: string): Finding => ({
  check,
  state: "skipped",
  says,
  advice: null,
});

export const warning = (
  check: string,
  says: string,
  advice: string,
): Finding => ({ check, state: "warning", says, advice });

export const failed = (
  check: string,
  says: string,
  advice: string,
): Finding => ({ check, state: "failed", says, advice });
