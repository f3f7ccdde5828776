import { isIP } from "node:net";
import { idOf, isRecord, listOf, textIn, type Json } from "../json.ts";
import type { Requested } from "../network/network.ts";
import { withoutFragment } from "../network/network.ts";
import { brief, failing, holding, type Outcome } from "../outcome.ts";
import { matchesText } from "../shown/text-match.ts";
import { fillInAll, seenOnNetwork, type World } from "../world.ts";

type Sent = {
  readonly type?: string | readonly string[];
  readonly to?: string;
  readonly object?: unknown;
  readonly result?: unknown;
  readonly public?: boolean;
  readonly count?: number;
};

type Delivered = Requested & { readonly activity: Json };

const PUBLIC = new Set([
  "https://www.w3.org/ns/activitystreams#Public",
  "as:Public",
  "Public",
]);

export async function sent(world: World, value: unknown): Promise<Outcome> {
  const wanted = fillInAll(world, value as Sent);
  const found = findSent(world, wanted);
  const isRight =
    wanted.count === undefined
      ? found.length > 0
      : found.length === wanted.count;
  if (isRight)
    return holding(
      `sent ${found.map((one) => `${describe(one)} to ${one.url}`).join(", ")}`,
    );
  return failing(
    `${brief(wanted)} was sent ${found.length} times; sent was: ${describeSent(world)}`,
  );
}

export async function notSent(world: World, value: unknown): Promise<Outcome> {
  const wanted = fillInAll(world, value as Sent);
  const [found] = findSent(world, wanted);
  return found
    ? failing(`sent ${describe(found)} to ${found.url}`)
    : holding(`not sent: ${brief(wanted)}`);
}

function listDelivered(world: World): Delivered[] {
  return seenOnNetwork(world).filter(
    (one): one is Delivered => one.method === "POST" && isRecord(one.activity),
  );
}

function findSent(world: World, wanted: Sent): Delivered[] {
  const types = listOf(wanted.type);
  const inboxes = wanted.to === undefined ? [] : inboxesOf(world, wanted.to);
  return listDelivered(world).filter(({ url, activity }) => {
    if (types.length > 0 && !types.includes(activity["type"])) return false;
    if (wanted.to !== undefined && !inboxes.includes(url)) return false;
    if (wanted.object !== undefined)
      if (!matches(activity["object"], wanted.object)) return false;
    if (wanted.result !== undefined)
      if (!matchesText(idOf(activity["result"]) ?? "", wanted.result))
        return false;
    return wanted.public === undefined || isPublic(activity) === wanted.public;
  });
}

function inboxesOf(world: World, to: string): string[] {
  const actor = world.network.findActor(to);
  if (!actor) return [to];
  const { inbox, sharedInbox } = actor;
  return typeof sharedInbox === "string" ? [inbox, sharedInbox] : [inbox];
}

/** Whether a value equals, has the id of, or contains the members of the expected one. */
function matches(seen: unknown, wanted: unknown): boolean {
  if (!isRecord(wanted))
    return (
      seen === wanted || (typeof seen === "object" && idOf(seen) === wanted)
    );
  return (
    isRecord(seen) &&
    Object.entries(wanted).every(([name, one]) => matches(seen[name], one))
  );
}

function isPublic(activity: Json): boolean {
  const parts = [activity, ...listOf(activity["object"])];
  return parts.some((part) =>
    isRecord(part)
      ? [...listOf(part["to"]), ...listOf(part["cc"])].some((address) =>
          PUBLIC.has(String(address)),
        )
      : false,
  );
}

function describe({ activity }: Delivered): string {
  const object = idOf(activity["object"]) ?? textIn(activity["object"], "type");
  return `${String(activity["type"])}(${brief(object ?? "?", 80)})`;
}

function describeSent(world: World): string {
  const lines = listDelivered(world).map(
    (one) => `${describe(one)} to ${one.url}`,
  );
  return lines.length > 0 ? brief(lines.join(", "), 400) : "nothing";
}

type Fetched = {
  readonly url?: string;
  readonly startsWith?: string;
  readonly host?: string;
  readonly signed?: true;
  readonly atMost?: number;
};

export async function fetched(world: World, value: unknown): Promise<Outcome> {
  const wanted = readFetched(world, value);
  const found = findFetched(world, wanted);
  const isRight =
    wanted.atMost === undefined
      ? found.length > 0
      : found.length <= wanted.atMost;
  if (isRight) return holding(`fetched ${found.length} times ${brief(wanted)}`);
  return failing(
    `${brief(wanted)} was fetched ${found.length} times; fetched was: ${brief(listFetched(world).join(", ") || "nothing", 400)}`,
  );
}

export async function notFetched(
  world: World,
  value: unknown,
): Promise<Outcome> {
  const wanted = readFetched(world, value);
  const [found] = findFetched(world, wanted);
  return found === undefined
    ? holding(`not fetched: ${brief(wanted)}`)
    : failing(`fetched ${found}`);
}

function readFetched(world: World, value: unknown): Fetched {
  const filled = fillInAll(world, value);
  return typeof filled === "string" ? { url: filled } : (filled as Fetched);
}

function findFetched(world: World, wanted: Fetched): string[] {
  const asked = seenOnNetwork(world)
    .filter(({ method }) => method !== "POST")
    .filter(({ signed }) => signed || wanted.signed !== true)
    .map(({ url }) => url)
    .filter((url) => fits(url, wanted));
  return wanted.host === undefined
    ? asked
    : [...asked, ...listConnectionsTo(world, wanted.host)];
}

function fits(url: string, { url: exact, startsWith, host }: Fetched): boolean {
  if (exact !== undefined) return url === withoutFragment(exact);
  if (startsWith !== undefined) return url.startsWith(startsWith);
  return new URL(url).host === host;
}

function listFetched(world: World): string[] {
  return seenOnNetwork(world)
    .filter(({ method }) => method !== "POST")
    .map(({ url }) => url);
}

/** Addresses are not part of the network: the server itself tried to connect to these. */
function listConnectionsTo(world: World, host: string): string[] {
  const wanted = URL.parse(`http://${host}`);
  if (!wanted) return [];
  const address = canonical(wanted.hostname);
  if (isIP(address) === 0) return [];
  return world.server
    .listConnections()
    .slice(world.connectionsMark)
    .filter((one) => {
      const [to = "", port = ""] = one.split(" ");
      const isSamePort = !/:\d+$/.test(host) || port === (wanted.port || "80");
      return canonical(to) === address && isSamePort;
    })
    .map((one) => `a connection to ${one}`);
}

/** An address in one spelling: IPv4 also when written as IPv6. */
function canonical(address: string): string {
  const bare = address.replace(/^\[|\]$/g, "");
  if (isIP(bare) !== 6) return bare;
  const spelled = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [, high, low] =
    /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(spelled) ?? [];
  if (high === undefined || low === undefined) return spelled;
  const value = parseInt(high, 16) * 0x10000 + parseInt(low, 16);
  return [24, 16, 8, 0].map((bits) => (value >>> bits) & 0xff).join(".");
}
