import type { SignedIn } from "../../features/accounts/index.ts";
import type {
  Changes,
  LiveEvent,
  PublicEvent,
} from "../../features/changes/index.ts";
import type { FindAccess } from "../kit/mastodon-route.ts";
import { isGranted } from "../../features/oauth/index.ts";
import type { MastodonDeps } from "../loading/deps.ts";
import { renderChange } from "./live-events.ts";
import {
  renderPublicFor,
  type RenderedEvent,
  type RenderPublic,
} from "./public-events.ts";
import { hasPublic, type StreamName } from "./stream-name.ts";

export type LiveDeps = MastodonDeps & {
  readonly changes: Changes;
  readonly findAccess: FindAccess;
  readonly renderPublic: RenderPublic;
};

/** An event of one of the streams, in their words. */
export type SentEvent = {
  readonly event: string;
  /** A text: JSON, or an id. */
  readonly payload: string;
};

/** A connection that receives changes. */
export type LiveReader = {
  readonly user: SignedIn;
  readonly token: string;
  /** Its subscriptions at this moment. */
  readonly streams: () => readonly StreamName[];
  readonly send: (event: SentEvent, streams: readonly StreamName[]) => void;
  readonly beat: () => void;
  readonly end: () => void;
};

/** Changes that wait to be rendered for one connection; with more, it starts anew. */
const MAX_WAITING = 200;

/**
 * Opens a live connection. The changes of its user are rendered one after the other, for this
 * user alone; what is public is rendered once for all connections.
 * @returns a function that closes it
 * @throws {KithError} `too_many_requests`, `unavailable`
 */
export function openLive(deps: LiveDeps, reader: LiveReader): () => void {
  const { user, token } = reader;
  const add = createQueue(reader.end);
  const close = deps.changes.open({
    user,
    isSignedIn: async () => {
      const access = await deps.findAccess(token);
      return (
        access?.user?.userId === user.userId &&
        isGranted(access.scopes, "read:statuses")
      );
    },
    send: (change) => {
      // Something was missed: who connects again reads the lists again.
      if (change.type === "reset") return reader.end();
      add(() => sendOwn(deps, reader, change));
    },
    beat: reader.beat,
    end: reader.end,
  });
  const closePublic = deps.changes.readPublic({
    ...{ userId: user.userId, personId: user.personId },
    isReading: () => reader.streams().some(({ kind }) => kind === "public"),
    wants: (event) => reader.streams().some((it) => hasPublic(it, event)),
    send: (event, isWarned) =>
      add(() => sendPublic(deps, reader, event, isWarned)),
  });
  return () => {
    closePublic();
    close();
  };
}

/** Runs tasks one after the other; too many, or a failing one, end the connection. */
function createQueue(end: () => void): (task: () => Promise<void>) => void {
  let waiting = 0;
  let last = Promise.resolve();
  return (task) => {
    if (waiting >= MAX_WAITING) return end();
    waiting += 1;
    last = last
      .then(task)
      .catch(end)
      .finally(() => {
        waiting -= 1;
      });
  };
}

async function sendOwn(
  deps: LiveDeps,
  reader: LiveReader,
  change: LiveEvent,
): Promise<void> {
  const event = await renderChange(deps, reader.user, change);
  if (!event) return;
  const streams: StreamName[] = [];
  for (const stream of reader.streams())
    if (await event.isIn(stream)) streams.push(stream);
  if (streams.length > 0) reader.send(event, streams);
}

async function sendPublic(
  deps: LiveDeps,
  reader: LiveReader,
  event: PublicEvent,
  isWarned: boolean,
): Promise<void> {
  const rendered: RenderedEvent | undefined = isWarned
    ? await renderPublicFor(deps, event, reader.user)
    : await deps.renderPublic(event);
  const streams = reader.streams().filter((it) => hasPublic(it, event));
  if (rendered && streams.length > 0) reader.send(rendered, streams);
}
