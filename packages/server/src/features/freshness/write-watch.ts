import type { Db } from "../../db/db.ts";
import { silentNotices, type Notices } from "../../db/postgres/notices.ts";
import {
  packTouched,
  touchedBy,
  unpackTouched,
  type Touched,
} from "./touched.ts";

/** @param touched undefined if anything may have been written */
export type OnTouched = (touched: Touched | undefined) => void;

/** Notifies caches of the writes of all processes. */
export type WriteWatch = {
  /** The listener is called for a commit of this process before its caller goes on. */
  readonly listen: (listener: OnTouched) => void;
  /** Looks for writes of other processes to the same file. Call it before reading a cache. */
  readonly look: () => void;
  /**
   * How long something may be kept that no write has touched; undefined for ever. Notices of
   * other processes may get lost, with a process that ends right after its commit.
   */
  readonly keepMs: number | undefined;
};

const KEEP_MS = 2_000;
/** PostgreSQL takes notices below 8,000 bytes. */
const MAX_CHARACTERS = 2_000;

export function createWriteWatch({
  db,
  notices = silentNotices(),
}: {
  readonly db: Pick<Db, "dialect" | "onWrites" | "findForeignWrites">;
  readonly notices?: Notices | undefined;
}): WriteWatch {
  const listeners: OnTouched[] = [];
  const publish: OnTouched = (touched) => {
    for (const listener of listeners) listener(touched);
  };
  db.onWrites((writes) => {
    const touched = touchedBy(writes);
    publish(touched);
    const text = touched && packTouched(touched);
    const isShort = text !== undefined && text.length <= MAX_CHARACTERS;
    notices.notify("writes", isShort ? text : undefined);
  });
  // Without a value, notices may have been missed.
  notices.listen("writes", (text) =>
    publish(text === undefined ? undefined : unpackTouched(text)),
  );
  return {
    listen: (listener) => void listeners.push(listener),
    look: () => db.findForeignWrites(),
    keepMs: db.dialect === "postgres" ? KEEP_MS : undefined,
  };
}
