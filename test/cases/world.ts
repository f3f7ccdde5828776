import type { Case, CaseFolder, Item } from "./case-file.ts";
import type { Answer } from "./call.ts";
import { mapTexts, parseOrNothing, textIn } from "./json.ts";
import type { KeyRing } from "./network/keys.ts";
import type { Network, Requested } from "./network/network.ts";
import type { ServerUnderTest } from "./server-under-test.ts";
import type { Service } from "./shown/service.ts";

export type LocalName = "alice" | "bob";
export type Reader = LocalName | "anonymous";

/** An answer that `status`, `answered` or `answersEqual` asks about. */
export type Answered = Answer & { readonly step: string };

/** What the play of one case has at hand. */
export type World = {
  readonly folder: CaseFolder;
  readonly theCase: Case;
  readonly keys: KeyRing;
  readonly network: Network;
  readonly server: ServerUnderTest;
  readonly services: Readonly<Record<Reader, Service>>;
  /** Of the one who runs the server, and takes no part in any case. */
  readonly operator: Service;
  readonly baseUrl: string;
  readonly host: string;
  /** By their names without braces. */
  readonly placeholders: Map<string, string>;
  /** Of deliver, search and signedGet in `when`, in order. */
  readonly answers: Answered[];
  /** Where in the log of the network `when` begins. */
  mark: number;
  /** How many connections the server had made by then. */
  connectionsMark: number;
  /** The newest notification of each user when `when` began, by its ID. */
  readonly newestNotification: Map<LocalName, number>;
  /** The ids of those whom a search has found, by handle. */
  readonly foundPeople: Map<string, number>;
  /** What the users could see when `when` began, by the words of `unchanged`. */
  readonly before: Map<string, Promise<unknown>>;
  /** When the last delivery of `when` had been answered, in milliseconds since 1970. */
  deliveredAtMs: number;
};

/** A step that cannot be made, or an assertion that cannot be looked at. */
export class CannotDo extends Error {}

/** Replaces every placeholder. @throws {CannotDo} for one that nothing has defined */
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

/** The text of an inline payload, or of a file of the folder, ready to be sent but for its keys. */
export function payloadText(world: World, payload: unknown): string {
  const text =
    typeof payload === "string"
      ? world.folder.payload(payload)
      : JSON.stringify(payload);
  return fillIn(world, text);
}

/** What reached the network since `when` began, without what assertions caused. */
export function seenOnNetwork(world: World): Requested[] {
  return world.network.log.slice(world.mark).filter(({ isProbe }) => !isProbe);
}

export function isLocal(name: string): name is LocalName {
  return name === "alice" || name === "bob";
}

/** The actor id of somebody here or on the network. @throws {CannotDo} */
export function actorIdOf(world: World, who: string): string {
  if (isLocal(who)) return localActor(world, who);
  const actor = world.network.findActor(who);
  if (!actor) throw new CannotDo(`nobody on the network is ${who}`);
  return actor.id;
}

export function localActor({ baseUrl }: World, name: string): string {
  return `${baseUrl}/api/v1/ap/person/${name}`;
}

/** As Person.Author has it. */
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

/** Repeats until something is found. @returns undefined where nothing was, in time */
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

/** Waits until nothing has reached the network for a while. */
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
