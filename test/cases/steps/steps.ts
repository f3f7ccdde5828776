import type { Item, ServedDocument } from "../case-file.ts";
import { holds } from "../checks/checks.ts";
import { deliver, signedGet } from "../network/deliver.ts";
import { followPointer, idOf, parseOrNothing } from "../json.ts";
import { picturesIn, putKeys } from "../payloads.ts";
import { crowd, follow, known, pending, type Phase } from "./steps-people.ts";
import { joins, posted } from "./steps-posts.ts";
import { relay } from "./steps-relays.ts";
import {
  actorIn,
  CannotDo,
  fillIn,
  fillInAll,
  payloadText,
  waitFor,
  waitForQuiet,
  wordOf,
  type Answered,
  type World,
} from "../world.ts";

type Step = (world: World, item: Item, phase: Phase) => Promise<void>;

const STEPS: Readonly<Record<string, Step>> = {
  follow,
  pending,
  received,
  posted,
  joins,
  crowd,
  known,
  serve,
  relay,
  deliver: deliverStep,
  search,
  signedGet: signedGetStep,
};

const ONLY_WHEN = new Set(["deliver", "search", "signedGet"]);

/**
 * Performs one step, including its visible effect if it belongs to the setup.
 * @throws {CannotDo} for an unknown or unsupported step
 * @throws if the server refuses a step of the setup
 */
export async function makeStep(
  world: World,
  item: Item,
  phase: Phase,
): Promise<void> {
  const word = wordOf(item);
  const step = Object.hasOwn(STEPS, word) ? STEPS[word] : undefined;
  if (!step || (phase === "given" && ONLY_WHEN.has(word)))
    throw new CannotDo(`there is no step "${word}" in ${phase}`);
  await step(world, item, phase);
}

async function received(world: World, item: Item, phase: Phase): Promise<void> {
  const text = payloadText(world, item["received"]);
  const file =
    typeof item["received"] === "string"
      ? world.folder.index.cases.find((one) => one.file === item["received"])
      : undefined;
  const named = idOf(item["signer"]) ?? file?.httpSigner ?? actorIn(text);
  if (named === undefined) throw new CannotDo("nobody signs what is received");
  const signer = fillIn(world, named);
  const headers = fillInAll(world, file?.headers);
  namePictures(world, text);
  const { status } = await deliver(world, { text, signer, headers });
  if (phase === "when") return;
  if (status >= 300) throw new Error(`what is received was answered ${status}`);
  const until = (item["until"] ?? []) as Item[];
  const { holdsWithinMs, quietMs } = world.folder.index.defaults.settle;
  if (until.length === 0) return waitForQuiet(world, quietMs);
  let missing = "";
  const isThere = await waitFor(async () => {
    const outcome = await holds(world, until);
    missing = outcome.evidence;
    return outcome.state === "holds" || undefined;
  }, holdsWithinMs);
  if (!isThere) throw new Error(`what was received is not there: ${missing}`);
}

function namePictures(world: World, text: string): void {
  world.network.addPictures(picturesIn(parseOrNothing(text)));
}

async function serve(world: World, item: Item): Promise<void> {
  const { url, payload, ...how } = fillInAll(
    world,
    item["serve"] as ServedDocument & { url: string; payload?: string },
  );
  const document = { ...how };
  if (payload === undefined) return serveDocument(world, url, document);
  const own = await putKeys(payloadText(world, world.theCase.file), world.keys);
  const part = followPointer(parseOrNothing(own), payload);
  const body = payload === "" ? own : JSON.stringify(part);
  await serveDocument(world, url, { ...document, body });
}

/** Lets a URL serve a document, with its placeholders of keys replaced. */
export async function serveDocument(
  world: World,
  url: string,
  document: ServedDocument,
): Promise<void> {
  const { body } = document;
  if (body === undefined) return world.network.serve(url, document);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const withKeys = await putKeys(text, world.keys);
  namePictures(world, withKeys);
  world.network.serve(url, { ...document, body: withKeys });
}

async function deliverStep(world: World, item: Item): Promise<void> {
  const how = item["deliver"] as {
    to?: "alice" | "shared";
    payload?: unknown;
    signer?: string;
    keyId?: string;
    times?: number;
  };
  const { theCase } = world;
  const isOwn = how.payload === undefined;
  const text = payloadText(world, how.payload ?? theCase.file);
  const named = isOwn ? theCase.httpSigner : (how.signer ?? actorIn(text));
  if (named === undefined) throw new CannotDo("nobody signs the delivery");
  namePictures(world, text);
  const delivery = {
    text,
    signer: fillIn(world, named),
    keyId: how.keyId === undefined ? undefined : fillIn(world, how.keyId),
    to: how.to,
    headers: isOwn ? fillInAll(world, theCase.headers) : undefined,
  };
  for (let times = how.times ?? 1; times > 0; times -= 1) {
    const answer = await deliver(world, delivery);
    world.deliveredAtMs = Date.now();
    keepAnswer(world, { ...answer, step: "deliver" });
  }
}

async function search(world: World, item: Item): Promise<void> {
  const handle = fillIn(world, String(item["search"]));
  const form = { handle };
  const answer = await world.services.alice.api("POST", "/search", form);
  keepAnswer(world, { ...answer, step: "search" });
}

async function signedGetStep(world: World, item: Item): Promise<void> {
  const { url, signer } = fillInAll(
    world,
    item["signedGet"] as { url: string; signer: string },
  );
  const answer = await signedGet(world, url, signer);
  keepAnswer(world, { ...answer, step: "signedGet" });
}

function keepAnswer(world: World, answer: Answered): void {
  world.answers.push(answer);
}
