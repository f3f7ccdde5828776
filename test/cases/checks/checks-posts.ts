import { listOf, textIn, type Json } from "../json.ts";
import { compareMore } from "../shown/more.ts";
import { brief, failing, holding, type Outcome } from "../outcome.ts";
import { authorOf, type Records } from "../shown/records.ts";
import { plain } from "../shown/text-match.ts";
import {
  fillInAll,
  type LocalName,
  type Reader,
  type World,
} from "../world.ts";

type Photos = {
  readonly count?: number;
  readonly texts?: readonly string[];
  readonly blurhash?: string;
  readonly notServedAs?: readonly string[];
};

export type PageWanted = {
  readonly notContains?: readonly string[];
  readonly textContains?: readonly string[];
};

type WantedPost = {
  readonly by?: unknown;
  readonly text?: unknown;
  readonly public?: boolean;
  readonly visibleTo?: readonly Reader[];
  readonly hiddenFrom?: readonly Reader[];
  readonly seenBy?: readonly Reader[];
  readonly listed?: boolean;
  readonly reshareable?: boolean;
  readonly photos?: Photos;
  readonly url?: { contains?: string; notContains?: string };
  readonly notLaterThanReceipt?: true;
  readonly below?: string;
  readonly count?: number;
  readonly page?: PageWanted;
  readonly more?: unknown;
};

export async function post(
  world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const wanted = fillInAll(world, value as WantedPost);
  const reader = wanted.visibleTo?.[0] ?? "alice";
  const found = (await records.findPosts(reader, wanted)).filter(isOwnText);
  if (wanted.count !== undefined && found.length !== wanted.count)
    return failing(
      `${found.length} posts instead of ${wanted.count}: ${describeAll(found)}`,
    );
  if (wanted.count === 0) return holding("no such post");
  let nearest = failing(
    `no post ${brief({ by: wanted.by, text: wanted.text })}; there is: ${describeAll(await records.posts(reader))}`,
  );
  for (const one of found) {
    const outcome = await judge(world, records, reader, one, wanted);
    if (outcome.state === "holds") return outcome;
    nearest = outcome;
  }
  return nearest;
}

function isOwnText(record: Json): boolean {
  return record["Type"] !== "Reshare";
}

async function judge(
  world: World,
  records: Records,
  reader: Reader,
  record: Json,
  wanted: WantedPost,
): Promise<Outcome> {
  const differs = [
    ...faultsOfRecord(world, record, wanted),
    ...(await faultsOfPhotos(world, record, wanted.photos)),
    ...(await faultsOfVisibility(world, record, wanted)),
    ...(await faultsOfLists(world, records, reader, record, wanted)),
  ];
  const path = `/posts/${String(record["Guid"])}`;
  if (wanted.page)
    differs.push(...(await faultsOfPage(world, path, wanted.page)));
  const more = await compareMore(world, "post", record, wanted.more);
  differs.push(...more.differs);
  const shown = describe(record);
  return differs.length > 0
    ? failing(`${shown}: ${differs.join(", ")}`)
    : holding(`post ${shown}`, more.skipped);
}

function faultsOfRecord(
  world: World,
  record: Json,
  wanted: WantedPost,
): string[] {
  const faults: string[] = [];
  if (wanted.public !== undefined && record["Public"] !== wanted.public)
    faults.push(`Public is ${String(record["Public"])}`);
  const url = textIn(record, "Url") ?? "";
  const { contains, notContains } = wanted.url ?? {};
  if (contains !== undefined && !url.includes(contains))
    faults.push(`Url is ${url}`);
  if (notContains !== undefined && url.includes(notContains))
    faults.push(`Url is ${url}`);
  const createdAt = Date.parse(String(record["CreatedAt"]));
  if (wanted.notLaterThanReceipt && createdAt > world.deliveredAtMs)
    faults.push(`CreatedAt is ${String(record["CreatedAt"])}, after delivery`);
  return faults;
}

async function faultsOfPhotos(
  world: World,
  record: Json,
  wanted: Photos = {},
): Promise<string[]> {
  const photos = listOf(record["Photos"]) as Json[];
  const faults: string[] = [];
  if (wanted.count !== undefined && photos.length !== wanted.count)
    faults.push(`${photos.length} photos instead of ${wanted.count}`);
  const texts = photos.map((photo) => String(photo["Text"]));
  if (wanted.texts && JSON.stringify(texts) !== JSON.stringify(wanted.texts))
    faults.push(`texts of photos are ${brief(texts)}`);
  const hashes = photos.map((photo) => photo["Blurhash"]);
  if (wanted.blurhash !== undefined && !hashes.includes(wanted.blurhash))
    faults.push(`blurhashes are ${brief(hashes)}`);
  for (const photo of wanted.notServedAs ? photos : []) {
    const type = await servedType(world, String(photo["Url"]));
    if (type !== undefined && wanted.notServedAs?.includes(type))
      faults.push(`${String(photo["Url"])} is served as ${type}`);
  }
  return faults;
}

/** The content type of an address of our own origin. */
async function servedType(
  world: World,
  address: string,
): Promise<string | undefined> {
  const url = URL.parse(address, world.baseUrl);
  if (url?.origin !== world.baseUrl) return undefined;
  const path = url.pathname + url.search;
  const answer = await world.services.anonymous.call("GET", path);
  const type = answer.headers["content-type"];
  return typeof type === "string" ? type.split(";")[0]?.trim() : undefined;
}

async function faultsOfVisibility(
  world: World,
  record: Json,
  { visibleTo = [], hiddenFrom = [] }: WantedPost,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [readers, status] of [
    [visibleTo, 200],
    [hiddenFrom, 404],
  ] as const)
    for (const reader of readers) {
      const seen = await askForPost(world, reader, String(record["Guid"]));
      if (seen !== status)
        faults.push(`${reader} is answered ${seen} instead of ${status}`);
    }
  return faults;
}

/** The status of a request for a post. */
export async function askForPost(
  world: World,
  reader: Reader,
  guid: string,
): Promise<number> {
  const service = world.services[reader];
  const path = `/posts/${guid}`;
  const answer =
    reader === "anonymous"
      ? await service.call("GET", path)
      : await service.api("GET", path);
  return answer.status;
}

async function faultsOfLists(
  world: World,
  records: Records,
  reader: Reader,
  record: Json,
  wanted: WantedPost,
): Promise<string[]> {
  const guid = String(record["Guid"]);
  const faults: string[] = [];
  if (wanted.listed !== undefined) {
    const list = await records.list("bob", "/posts?visibility=1");
    if (list.some(({ Guid }) => Guid === guid) !== wanted.listed)
      faults.push(`listed is ${String(!wanted.listed)}`);
  }
  if (wanted.reshareable !== undefined) {
    const path = `/posts/${guid}/reshare`;
    const { status } = await world.services.alice.api("POST", path, {});
    const isRefused = status >= 400 && status < 500;
    if (isRefused === wanted.reshareable)
      faults.push(`to reshare it was answered ${status}`);
  }
  if (wanted.below !== undefined) {
    const who: LocalName = reader === "bob" ? "bob" : "alice";
    const list = await records.list(who, "/posts?visibility=0");
    const guids = list.map(({ Guid }) => String(Guid));
    const above = guids.findIndex((one) => wanted.below?.endsWith(`/${one}`));
    const at = guids.indexOf(guid);
    if (above === -1 || at === -1 || above > at)
      faults.push("it does not stand below the other post");
  }
  return faults;
}

/** The differences of the source and the visible text of a page from the expected ones. */
export async function faultsOfPage(
  world: World,
  path: string,
  { notContains = [], textContains = [] }: PageWanted,
): Promise<string[]> {
  const answer = await world.services.anonymous.call("GET", path);
  if (answer.status !== 200) return [`the page answered ${answer.status}`];
  const visible = plain(
    answer.text
      .replace(/<(script|style|head)\b[\s\S]*?<\/\1>/gi, " ")
      .replace(/<\/?(p|div|li|br|h\d|article|section|footer)\b[^>]*>/gi, " "),
  );
  return [
    ...notContains
      .filter((one) => answer.text.includes(one))
      .map((one) => `the page contains ${one}`),
    ...textContains
      .filter((one) => !visible.includes(one))
      .map((one) => `the page does not show ${one}`),
  ];
}

export async function noPost(
  world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const wanted = fillInAll(world, value as WantedPost);
  const unknown = new Set<string>();
  const skipped = new Set<string>();
  for (const reader of wanted.seenBy ??
    (["alice", "bob", "anonymous"] as const))
    for (const record of await records.findPosts(reader, wanted)) {
      const { photos } = wanted;
      if ((await faultsOfPhotos(world, record, photos)).length > 0) continue;
      if (faultsOfRecord(world, record, wanted).length > 0) continue;
      const more = await compareMore(world, "post", record, wanted.more);
      if (more.differs.length > 0) continue;
      if (more.skipped.length === 0)
        return failing(`${reader} sees ${describe(record)}`);
      unknown.add(describe(record));
      for (const field of more.skipped) skipped.add(field);
    }
  const { by, text } = wanted;
  if (unknown.size === 0) return holding(`no post ${brief({ by, text })}`);
  return {
    state: "skipped",
    evidence: `nothing shows ${[...skipped].join(", ")} of ${[...unknown].join(", ")}`,
    skipped: [...skipped],
  };
}

function describe(record: Json): string {
  const text = brief(plain(String(record["Text"])), 60);
  return `"${text}" by ${authorOf(record) ?? "?"}`;
}

function describeAll(records: readonly Json[]): string {
  return brief(records.map(describe).join(", ") || "none", 300);
}
