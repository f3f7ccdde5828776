import type { Case, CaseFolder, Item } from "./case-file.ts";
import type { Answer } from "./call.ts";
import { mapTexts, parseOrNothing, textIn } from "./json.ts";
import type { KeyRing } from "./network/keys.ts";
import type { Network, Requested } from "./network/network.ts";
import type { ServerUnderTest } from "./server/server-under-test.ts";
import type { Service } from "./shown/service.ts";

export type LocalName = "alice" | "bob";
export type Reader = LocalName | "anonymous";

/** A response checked by `status`, `answered` or `answersEqual`. */
export type Answered = Answer & { readonly step: string };

/** The state of one case. */
export type World = {
  readonly folder: CaseFolder;
  readonly theCase: Case;
  readonly keys: KeyRing;
  readonly network: Network;
  readonly server: ServerUnderTest;
  readonly services: Readonly<Record<Reader, Service>>;
  /** The operator's, who takes no part in any case. */
  readonly operator: Service;
  readonly baseUrl: string;
  readonly host: string;
  /** By their names without braces. */
  readonly placeholders: Map<string, string>;
  /** Responses to deliver, search and signedGet in `when`, in order. */
  readonly answers: Answered[];
  /** The position in the log of the network where `when` starts. */
  mark: number;
  /** The number of connections of the server by then. */
  connectionsMark: number;
  /** The newest notification of each user at the start of `when`, by its ID. */
  readonly newestNotification: Map<LocalName, number>;
  /** The ids of people found by a search, by handle. */
  readonly foundPeople: Map<string, number>;
  /** The users' visible data at the start of `when`, by the terms of `unchanged`. */
  readonly before: Map<string, Promise<unknown>>;
  /** The time of the answer to the last delivery of `when`, in milliseconds since 1970. */
  deliveredAtMs: number;
};

/** An unsupported step or assertion. */
export class CannotDo extends Error {}

/** Replaces every placeholder. @throws {CannotDo} for an undefined one */
export function fillIn(world: World, text: string): string {
  return text.replace(/\{\{([A-Za-z]+)\}\}/g, (whole, name: string) => {
    const value = world.placeholders.get(name);
    if (value === undefined) throw new CannotDo(`nothing has defined ${whole}`);
    return value;
  });
}

/** The same for every text in a value. */
export function fillInAll<T>(world: World, value: T): T {
  return mapTexts(value, (text) => fillIn(world, text)) as T;
}

/** The text of an inline payload, or of a file of the folder, ready to be sent except for its keys. */
export function payloadText(world: World, payload: unknown): string {
  const text =
    typeof payload === "string"
      ? world.folder.payload(payload)
      : JSON.stringify(payload);
  return fillIn(world, text);
}

/** Requests to the network since the start of `when`, without those caused by assertions. */
export function seenOnNetwork(world: World): Requested[] {
  return world.network.log.slice(world.mark).filter(({ isProbe }) => !isProbe);
}

export function isLocal(name: string): name is LocalName {
  return name === "alice" || name === "bob";
}

/** The actor id of a local person or one on the network. @throws {CannotDo} */
export function actorIdOf(world: World, who: string): string {
  if (isLocal(who)) return localActor(world, who);
  const actor = world.network.findActor(who);
  if (!actor) throw new CannotDo(`nobody on the network is ${who}`);
  return actor.id;
}

export function localActor({ baseUrl }: World, name: string): string {
  return `${baseUrl}/api/v1/ap/person/${name}`;
}

/** In the form of Person.Author. */
export function handleOfWho({ host }: World, who: string): string {
  return isLocal(who) ? `${who}@${host}` : who;
}

/** The name of a step or assertion. */
export function wordOf(item: Item): string {
  return Object.keys(item)[0] ?? "";
}

/** The actor of a payload. */
export function actorIn(text: string): string | undefined {
  const payload = parseOrNothing(text);
  const actor = (payload as { actor?: unknown } | undefined)?.actor;
  return typeof actor === "string" ? actor : textIn(actor, "id");
}

/** Polls until there is a result. @returns undefined on a timeout */
export async function waitFor<T>(
  look: () => T | undefined | Promise<T | undefined>,
  withinMs: number,
): Promise<T | undefined> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined || performance.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until the network has been idle for a while. */
export async function waitForQuiet(
  { network }: World,
  quietMs: number,
  sinceMs = performance.now(),
): Promise<void> {
  const lastAt = () =>
    Math.max(sinceMs, network.log.findLast((one) => !one.isProbe)?.atMs ?? 0);
  for (;;) {
    const leftMs = lastAt() + quietMs - performance.now();
    if (leftMs <= 0) return;
    await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, 100)));
  }
}
