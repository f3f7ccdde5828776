/** The number by which a count has changed, or that it begins anew. */
export type CountChange = number | "forgotten";

/** Exchanges the changes of the counts of limits with other processes. */
export type SharedCounts = {
  /**
   * @param name of a limit, the same in all processes
   * @param apply called for each change elsewhere
   * @returns to be called for each change here
   */
  join(
    name: string,
    apply: (key: string, change: CountChange) => void,
  ): (key: string, change: CountChange) => void;
};

/** A way to all other processes; messages may be lost. */
type Channel = {
  readonly send: (text: string) => void;
  readonly receive: (listener: (text: string) => void) => void;
};

type Entry = readonly [name: string, key: string, change: CountChange];

/** A limit is exceeded by at most the requests of so much time in each other process. */
const GATHER_MS = 200;
/** PostgreSQL sends at most 8,000 bytes in one notice. */
const MAX_BYTES = 6_000;
/** A longer key, such as a made-up address, is counted in each process alone. */
const MAX_KEY_BYTES = 500;

/** Sends the changes together after a moment, so that no request waits for them. */
export function createSharedCounts({ send, receive }: Channel): SharedCounts {
  const limits = new Map<string, (key: string, change: CountChange) => void>();
  const waiting = new Map<string, Map<string, CountChange>>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    timer = undefined;
    let entries: Entry[] = [];
    let bytes = 0;
    for (const [name, changes] of waiting)
      for (const [key, change] of changes) {
        if (change === 0) continue;
        const size = Buffer.byteLength(JSON.stringify([name, key, change])) + 1;
        if (bytes + size > MAX_BYTES) {
          send(JSON.stringify(entries));
          [entries, bytes] = [[], 0];
        }
        entries.push([name, key, change]);
        bytes += size;
      }
    waiting.clear();
    if (entries.length > 0) send(JSON.stringify(entries));
  }

  receive((text) => {
    for (const [name, key, change] of JSON.parse(text) as Entry[])
      limits.get(name)?.(key, change);
  });
  return {
    join: (name, apply) => {
      limits.set(name, apply);
      return (key, change) => {
        if (Buffer.byteLength(key) > MAX_KEY_BYTES) return;
        const changes = waiting.get(name) ?? new Map<string, CountChange>();
        waiting.set(name, changes);
        changes.set(key, add(changes.get(key), change));
        timer ??= setTimeout(flush, GATHER_MS).unref();
      };
    },
  };
}

/** Changes after a beginning anew, within one moment, are left out: it was just allowed. */
function add(before: CountChange = 0, change: CountChange): CountChange {
  return before === "forgotten" || change === "forgotten"
    ? "forgotten"
    : before + change;
}
