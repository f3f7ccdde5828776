import { setTimeout as pause } from "node:timers/promises";
import type { Db, Tx } from "../../db/db.ts";
import type { Clock } from "../../lib/time/clock.ts";
import type { NotificationId, PersonId, PostId } from "../ids.ts";
import type { Indexing } from "../indexing/index.ts";
import type { Notifications } from "../notifications/index.ts";
import type { Posts } from "../posts/index.ts";
import {
  listPeopleAbove,
  listUnneededPeople,
  lockUnneededPeople,
  PERSON_BYTES,
  type RemovablePerson,
} from "./removable-people.ts";
import {
  firstPostId,
  listIdsBelow,
  listRemovable,
  listRoots,
  lockRemovable,
  measurePosts,
  rangeOf,
  type PostRange,
  type RemovablePost,
} from "./removable-posts.ts";
import {
  addFreed,
  listRules,
  NOTHING_FREED,
  type Freed,
  type RuleName,
  type StorageRules,
} from "./storage-rules.ts";

export type CleanDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly notifications: Pick<Notifications, "old">;
  readonly posts: Pick<Posts, "removeByIds">;
  readonly indexing: Pick<Indexing, "renewPost">;
  /** Removes what federation alone keeps of these posts, before they go. */
  readonly forgetPosts: (tx: Tx, ids: readonly PostId[]) => Promise<void>;
  /** Removes remote people to whom nothing refers, with keys and addresses. */
  readonly forgetPeople: (
    tx: Tx,
    people: readonly RemovablePerson[],
  ) => Promise<void>;
};

export type WalkOptions = {
  readonly signal?: AbortSignal | undefined;
  /** Called after each batch, with what the rule has freed so far. */
  readonly onProgress?: ((rule: RuleName, freed: Freed) => void) | undefined;
  /** Between two batches; 20 by default, so that others get their turns. */
  readonly pauseMs?: number | undefined;
};

/** Bytes of a notification with its indexes. */
const NOTIFICATION_BYTES = 300;
/** Posts, people or notifications that are looked at in one go. */
const BATCH_SIZE = 200;
/** Removed in one transaction: each has many rows below it. */
const REMOVED_AT_ONCE = 50;
const PAUSE_MS = 20;

/** The things that each rule frees. */
export type FreedByRule = Readonly<Record<RuleName, Freed>>;

/** Applies the rules once; one without days frees nothing. */
export async function clean(
  deps: CleanDeps,
  rules: StorageRules,
  options: WalkOptions = {},
): Promise<FreedByRule> {
  return walkAll(deps, rules, options, {
    isDone: true,
    removeNotifications: async (ids, before) =>
      freedNotifications(await deps.notifications.old.remove(ids, before)),
    removePosts: (posts, range) => removePosts(deps, posts, range),
    removePeople: (people, before) => removePeople(deps, people, before),
  });
}

/**
 * Measures what the rules would free now, and changes nothing. A reshared post and people are
 * not counted where they could go only after others.
 */
export async function preview(
  deps: WalkDeps,
  rules: StorageRules,
  options: WalkOptions = {},
): Promise<FreedByRule> {
  return walkAll(deps, rules, options, {
    isDone: false,
    removeNotifications: async ({ length }) => freedNotifications(length),
    removePosts: (posts) => measurePosts(deps.db.read, posts),
    removePeople: async (people) => freedPeople(people.length),
  });
}

type WalkDeps = Pick<CleanDeps, "clock" | "db" | "notifications">;

type Remove = {
  /** Are things removed, and not measured only? */
  readonly isDone: boolean;
  readonly removeNotifications: (
    ids: readonly NotificationId[],
    before: Date,
  ) => Promise<Freed>;
  readonly removePosts: (
    posts: readonly RemovablePost[],
    range: PostRange,
  ) => Promise<Freed>;
  readonly removePeople: (
    people: readonly RemovablePerson[],
    before: Date,
  ) => Promise<Freed>;
};

async function walkAll(
  deps: WalkDeps,
  rules: StorageRules,
  options: WalkOptions,
  remove: Remove,
): Promise<FreedByRule> {
  const freed: Record<RuleName, Freed> = {
    notifications: NOTHING_FREED,
    "other-posts": NOTHING_FREED,
    "followed-posts": NOTHING_FREED,
    people: NOTHING_FREED,
  };
  for (const { name, days } of listRules(rules)) {
    if (days === null || options.signal?.aborted) continue;
    const range = rangeOf(deps.clock.now(), days, name === "followed-posts");
    for await (const part of walk(stepOf(name, deps, range, remove), options)) {
      freed[name] = addFreed(freed[name], part);
      options.onProgress?.(name, freed[name]);
    }
  }
  return freed;
}

/** Handles the next batch. @returns undefined after the last one */
type Step = () => Promise<Freed | undefined>;

function stepOf(
  name: RuleName,
  { db, notifications }: WalkDeps,
  range: PostRange,
  remove: Remove,
): Step {
  if (name === "notifications")
    return notificationsStep(notifications.old.list, range.before, remove);
  return name === "people"
    ? peopleStep(db, range.before, remove)
    : postsStep(db, range, remove);
}

async function* walk(
  step: Step,
  { signal, pauseMs = PAUSE_MS }: WalkOptions,
): AsyncGenerator<Freed> {
  while (!signal?.aborted) {
    const freed = await step();
    if (freed === undefined) return;
    yield freed;
    await pause(pauseMs);
  }
}

function notificationsStep(
  list: Notifications["old"]["list"],
  before: Date,
  remove: Remove,
): Step {
  let above: number | undefined = 0;
  return async () => {
    if (above === undefined) return undefined;
    const { ids, last } = await list({ above, before }, BATCH_SIZE);
    above = last;
    return ids.length === 0
      ? NOTHING_FREED
      : remove.removeNotifications(ids, before);
  };
}

/** Newest first: a reshare goes before the reshared post that it keeps. */
function postsStep(db: Db, range: PostRange, remove: Remove): Step {
  let below: number | undefined = firstPostId(range.before);
  return async () => {
    if (below === undefined) return undefined;
    const ids = await listIdsBelow(db.read, below, BATCH_SIZE);
    below = ids.length < BATCH_SIZE ? undefined : ids.at(-1);
    let freed = NOTHING_FREED;
    let last: Freed;
    do {
      const posts = await listRemovable(db.read, ids, range);
      last = NOTHING_FREED;
      for (let at = 0; at < posts.length; at += REMOVED_AT_ONCE) {
        const some = posts.slice(at, at + REMOVED_AT_ONCE);
        last = addFreed(last, await remove.removePosts(some, range));
      }
      freed = addFreed(freed, last);
      // A removed reshare or quote may have kept another post of the batch.
    } while (remove.isDone && last.posts > 0);
    return freed;
  };
}

function peopleStep(db: Db, before: Date, remove: Remove): Step {
  let above: number | undefined = 0;
  return async () => {
    if (above === undefined) return undefined;
    const ids: PersonId[] = await listPeopleAbove(db.read, above, BATCH_SIZE);
    above = ids.length < BATCH_SIZE ? undefined : ids.at(-1);
    const people = await listUnneededPeople(db.read, ids, before);
    return people.length === 0
      ? NOTHING_FREED
      : remove.removePeople(people, before);
  };
}

/** Looks again under a lock: somebody may have touched one meanwhile. */
function removePosts(
  deps: CleanDeps,
  found: readonly RemovablePost[],
  range: PostRange,
): Promise<Freed> {
  const { db, indexing, posts, forgetPosts } = deps;
  return db.transaction(async (tx) => {
    const wanted = found.map(({ id }) => id);
    const removed = await lockRemovable(db, tx, wanted, range);
    if (removed.length === 0) return NOTHING_FREED;
    const freed = await measurePosts(tx, removed);
    const roots = await listRoots(tx, removed);
    const ids = removed.map(({ id }) => id);
    await forgetPosts(tx, ids);
    await posts.removeByIds(tx, ids);
    // The index of a post has the people who reshared it.
    for (const root of roots) await indexing.renewPost(tx, root);
    return freed;
  });
}

function removePeople(
  { db, forgetPeople }: CleanDeps,
  found: readonly RemovablePerson[],
  before: Date,
): Promise<Freed> {
  return db.transaction(async (tx) => {
    const ids = found.map(({ id }) => id);
    const removed = await lockUnneededPeople(db, tx, ids, before);
    if (removed.length > 0) await forgetPeople(tx, removed);
    return freedPeople(removed.length);
  });
}

function freedNotifications(notifications: number): Freed {
  const bytes = notifications * NOTIFICATION_BYTES;
  return { ...NOTHING_FREED, notifications, bytes };
}

function freedPeople(people: number): Freed {
  return { ...NOTHING_FREED, people, bytes: people * PERSON_BYTES };
}
