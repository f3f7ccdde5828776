import { createLruCache } from "../../caching/lru-cache.ts";
import { KithError } from "../../errors.ts";
import { childIsolate } from "../../isolation/child-isolate.ts";
import { IsolatedTasks } from "../../isolation/isolated-tasks.ts";
import { forkRestricted } from "../../isolation/restricted-process.ts";
import type { Card, CardResponse } from "./card.ts";

/** Draws cards in a separate process, and keeps the latest. */
export type CardPainter = {
  /**
   * @returns a PNG
   * @throws {KithError} `unavailable` if too many wait, or the process died of it
   */
  paint(card: Card): Promise<Uint8Array>;
  close(): void;
};

const CHILD = new URL("./card-child.ts", import.meta.url);
const MAX_JAVASCRIPT_MB = 96;
/** A card takes some 20 kB. */
const KEPT_BYTES = 8_000_000;

/** Runs one child process on demand, which draws one card after the other. */
export function createCardPainter(): CardPainter {
  const tasks = new IsolatedTasks<Card, CardResponse>({
    start: (events) =>
      childIsolate(
        // Without a configuration it finds the fonts of the program alone.
        forkRestricted(CHILD, MAX_JAVASCRIPT_MB, { FONTCONFIG_FILE: "none" }),
        events,
        "The card takes too much memory.",
      ),
    ...{ deadlineMs: 10_000, idleMs: 30_000, maxWaiting: 8 },
    tooLong: "The card took too long",
    tooMany: "Too many cards wait",
  });
  const kept = createLruCache<string, Uint8Array>({
    max: KEPT_BYTES,
    sizeOf: ({ length }) => length,
  });
  const drawn = new Map<string, Promise<Uint8Array>>();
  const paint = async (card: Card, key: string): Promise<Uint8Array> => {
    const response = await tasks.run(card);
    if (response.kind === "broken")
      throw new KithError("unavailable", `No card: ${response.reason}.`);
    kept.set(key, response.png);
    return response.png;
  };
  return {
    paint: (card) => {
      const key = JSON.stringify(card);
      const found = kept.get(key);
      if (found) return Promise.resolve(found);
      let painting = drawn.get(key);
      if (!painting) {
        painting = paint(card, key).finally(() => drawn.delete(key));
        drawn.set(key, painting);
      }
      return painting;
    },
    close: () => tasks.close(),
  };
}
