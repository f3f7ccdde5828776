import { setImmediate } from "node:timers/promises";
import type { Reader } from "../../db/db.ts";
import { readText } from "../../lib/markdown/markdown.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import { findJudgedAuthor } from "./judged-author.ts";
import type { ShownHit } from "./spam-hit-store.ts";
import {
  matchesAuthor,
  matchesText,
  readJudged,
  type SpamRule,
} from "./spam-rule.ts";
import {
  listCommentTexts,
  listPostTexts,
  listReadersHere,
  type StoredText,
} from "./stored-texts.ts";

/** The hits that a rule would have had. */
export type Rehearsal = {
  /** How many posts and comments were read. */
  readonly read: number;
  /** The first hits, newest first within posts and within comments; without any text. */
  readonly hits: readonly Omit<
    ShownHit,
    "action" | "id" | "personId" | "rule"
  >[];
  /** Were all posts and comments of that time read, and all hits listed? */
  readonly isWhole: boolean;
};

/** In days. */
export const MAX_REHEARSED_DAYS = 30;
/** Of posts, and of comments: a second or two of work. */
const MAX_READ = 20_000;
const MAX_SHOWN = 200;
const AT_ONCE = 250;

/**
 * Which stored posts and comments of the last days a rule would have hit. Contacts count as they
 * are now, and people mentioned outside a text are not counted.
 */
export async function rehearseRule(
  { read, clock }: { readonly read: Reader; readonly clock: Clock },
  rule: SpamRule,
  days: number,
): Promise<Rehearsal> {
  const since = timestamp(later(clock.now(), -days * 86_400_000));
  const hits: StoredText[] = [];
  let count = 0;
  let isWhole = true;
  for (const list of [listPostTexts, listCommentTexts]) {
    let below = Number.MAX_SAFE_INTEGER;
    for (let seen = 0; ; seen += AT_ONCE) {
      const some = await list(read, below, AT_ONCE);
      const meant = some.filter(({ createdAt }) => createdAt >= since);
      for (const text of meant)
        if (await wouldHit(read, rule, text)) hits.push(text);
      count += meant.length;
      if (meant.length < AT_ONCE) break;
      isWhole = seen + AT_ONCE < MAX_READ && hits.length <= MAX_SHOWN;
      if (!isWhole) break;
      below = some.at(-1)?.id ?? 0;
      // Requests come first.
      await setImmediate();
    }
  }
  return {
    read: count,
    hits: hits.slice(0, MAX_SHOWN).map(({ kind, guid, uri, ...hit }) => ({
      ...{ kind, thing: uri ?? guid, at: hit.createdAt },
      ...{ handle: hit.handle, host: hit.host },
    })),
    isWhole: isWhole && hits.length <= MAX_SHOWN,
  };
}

async function wouldHit(
  read: Reader,
  rule: SpamRule,
  stored: StoredText,
): Promise<boolean> {
  const { conditions } = rule;
  const { text } = stored;
  const mentions =
    conditions.mentions === null ? 0 : readText(text).handles.length;
  if (!matchesText(conditions, readJudged(text, mentions))) return false;
  const at = new Date(stored.createdAt);
  const written = { ...stored, readers: () => listReadersHere(read, stored) };
  const author = await findJudgedAuthor(read, written, [rule], at);
  return author !== undefined && matchesAuthor(conditions, author, at);
}
