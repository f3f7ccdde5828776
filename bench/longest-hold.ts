import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { PUBLIC, signCavage } from "../packages/activitypub/src/index.ts";
import { hostileDocuments } from "../packages/activitypub/test/hostile-documents.ts";
import {
  HOSTILE_KINDS,
  hostileJsonLd,
} from "../packages/activitypub/test/hostile-json-ld.ts";
import { hostileReadings as onActivityPub } from "../packages/activitypub/test/hostile-readings.ts";
import {
  sampleBytes,
  sampleNames,
} from "../packages/activitypub/test/vectors.ts";
import { buildEnvelope } from "../packages/diaspora/src/index.ts";
import { hostileReadings as onDiaspora } from "../packages/diaspora/test/hostile-readings.ts";
import { HOSTILE_HTML } from "../packages/server/test/hostile-html.ts";
import { load, toRequest } from "./kit/http-load.ts";
import { leaveCore, withKith, type KithProcess } from "./kit/kith-process.ts";
import { measureMachine } from "./kit/machine.ts";
import { writeResults } from "./kit/results.ts";
import { prepareSenders, type Protocol, type Sender } from "./kit/senders.ts";

const TARGET_MS = 50;
const SERVER_CORE = 0;
/** Slightly below the limit of the inboxes, to leave room for the rest of the message. */
const ACTIVITY_BYTES = 1_000_000;
const PAYLOAD_BYTES = 1_400_000;
const PAIRS = 40;
const SEED = 20_261_123;
/** The sampling interval for HTML and recorded documents, which are many and similar. */
const EACH_HTML = 6;
const EACH_RECORDED = 20;
const SHOWN = 10;
/** Plain messages, so that lazily compiled code is compiled. */
const WARM_UP = 300;

type Message = {
  readonly name: string;
  readonly write: (baseUrl: string, sender: Sender) => Promise<Buffer>;
};
type Held = { readonly heldMs: number; readonly workedMs: number };
type Row = Held & { readonly name: string; readonly bytes: number };

/** Measures how long any single message blocks the main thread, for the worst known ones. */
export async function benchLongestHold(
  options: ReadonlyMap<string, string>,
): Promise<void> {
  leaveCore(SERVER_CORE);
  const only = options.get("only");
  const rows: Row[] = [];
  for (const [protocol, messages] of Object.entries(MESSAGES))
    rows.push(
      ...(await measure(
        protocol as Protocol,
        messages().filter(({ name }) => name.includes(only ?? "")),
      )),
    );
  rows.sort((a, b) => b.workedMs - a.workedMs);
  const above = rows.filter(({ workedMs }) => workedMs > TARGET_MS).length;
  process.stderr.write(`${above} of ${rows.length} above ${TARGET_MS} ms\n`);
  if (only) return console.table(rows.slice(0, SHOWN));
  writeResults({
    name: "longest-hold",
    head: ["", "held", "by the clock", "length", "target"],
    rows: [
      ...rows.slice(0, SHOWN).map(toCells),
      [`above the target, of ${rows.length}`, String(above), "", "", "0"],
      ...measureMachine().map(({ name, value }) => [name, value, "", "", ""]),
    ],
  });
}

function toCells({ name, heldMs, workedMs, bytes }: Row): string[] {
  const cells = [`${workedMs.toFixed(0)} ms`, `${heldMs.toFixed(0)} ms`];
  const shown = name.replace(/[|\\`*_<>[\]]/g, "\\$&").replaceAll("\n", "\\n");
  return [shown, ...cells, `${bytes}`, `${TARGET_MS} ms`];
}

async function measure(
  protocol: Protocol,
  messages: readonly Message[],
): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "kith-hold-"));
  const socket = path.join(folder, "loop");
  const watch = pathToFileURL(
    path.join(import.meta.dirname, "./kit/watch-loop.ts"),
  );
  watch.searchParams.set("socket", socket);
  const options = { core: SERVER_CORE, flags: ["--import", watch.href] };
  try {
    const prepare = prepareSenders(protocol, 1);
    return await withKith(options, prepare, async (kith, [sender]) => {
      if (!sender) throw new Error("Nobody sends");
      const plain = PLAIN[protocol];
      for (let at = 0; at < WARM_UP; at += 1)
        await send(kith, await plain.write(kith.baseUrl, sender));
      const rows: Row[] = [];
      for (const { name, write } of [plain, ...messages]) {
        const request = await write(kith.baseUrl, sender);
        await askHeld(socket);
        await send(kith, request);
        const held = await askHeld(socket);
        rows.push({
          name: `${protocol}: ${name}`,
          bytes: request.length,
          ...held,
        });
      }
      return rows;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const COUNT_JOBS =
  "select count(*) as n from jobs where kind = 'handle-inbound' and state <> 'dead' and run_at <= strftime('%Y-%m-%dT%H:%M:%fZ')";

/** Waits until the message is answered and processed. */
async function send(kith: KithProcess, request: Buffer): Promise<void> {
  await load(kith.port, [request], 1);
  while ((await kith.count(COUNT_JOBS)) > 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
}

async function askHeld(socket: string): Promise<Held> {
  const connection = connect(socket);
  await once(connection, "connect");
  return JSON.parse(await text(connection)) as Held;
}

let count = 0;
const newId = () => String((count += 1)).padStart(20, "0");

function activity(name: string, make: () => object): Message {
  return {
    name,
    write: async (baseUrl, { actorUri, privateKey }) => {
      const url = `${baseUrl}/api/v1/ap/inbox`;
      const id = `${actorUri}/notes/${newId()}`;
      const to = [PUBLIC];
      const common = { id, attributedTo: actorUri };
      const object = { to, ...make(), ...common };
      const create = { id: `${id}/activity`, type: "Create", actor: actorUri };
      const body = Buffer.from(JSON.stringify({ ...create, to, object }));
      const headers = await signCavage({
        ...{ method: "POST", url, body, privateKey, now: new Date() },
        headers: { "content-type": "application/activity+json" },
        keyId: `${actorUri}#main-key`,
      });
      return toRequest(url, headers, body);
    },
  };
}

function envelope(name: string, make: () => string): Message {
  return {
    name,
    write: async (baseUrl, { handle: sender, privateKey }) => {
      // The signer must be the author, or processing stops early.
      const payloadXml = make()
        .replaceAll("a@pod.example", sender)
        .replace("0123456789abcdef", newId());
      const body = await buildEnvelope({ payloadXml, sender, privateKey });
      const headers = { "content-type": "application/magic-envelope+xml" };
      return toRequest(`${baseUrl}/receive/public`, headers, Buffer.from(body));
    },
  };
}

/** Header lines without a valid signature, and their body. */
function unsigned(name: string, make: () => Uint8Array): Message {
  return {
    name,
    write: async (baseUrl) => {
      const bytes = Buffer.from(make());
      const end = bytes.indexOf("\n\n");
      const lines = JSON.parse(bytes.subarray(0, end).toString()) as [
        string,
        string,
      ][];
      const { host: _, ...headers } = Object.fromEntries(lines);
      return toRequest(
        `${baseUrl}/api/v1/ap/inbox`,
        { ...headers, "content-type": "application/activity+json" },
        bytes.subarray(end + 2),
      );
    },
  };
}

const status = (words: string) =>
  `<status_message><author>a@pod.example</author><guid>0123456789abcdef</guid>` +
  `<created_at>2026-06-15T10:00:00Z</created_at><public>true</public><text>${words}</text></status_message>`;
const escapeXml = (words: string) =>
  words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const PLAIN: Readonly<Record<Protocol, Message>> = {
  activitypub: activity("a plain post", () => ({ type: "Note", content: "x" })),
  diaspora: envelope("a plain post", () => status("x")),
};

function onlyEach<T>(each: number, all: readonly T[]): T[] {
  return all.filter((_, at) => at % each === 0);
}

function activities(): Message[] {
  return [
    ...Object.entries(hostileDocuments(PAIRS, SEED)).map(([name, make]) =>
      activity(name, () => make(ACTIVITY_BYTES * 0.9)),
    ),
    ...onlyEach(EACH_HTML, Object.entries(HOSTILE_HTML)).map(([name, write]) =>
      activity(`HTML, ${name}`, () => ({
        type: "Note",
        // Encoded as JSON it is longer.
        content: write(ACTIVITY_BYTES * 0.6).toWellFormed(),
      })),
    ),
    ...HOSTILE_KINDS.map((kind) =>
      activity(`JSON-LD, ${kind}`, () => ({
        type: "Note",
        ...hostileJsonLd(kind, 250_000),
      })),
    ),
    ...onlyEach(EACH_RECORDED, sampleNames()).map((name) =>
      activity(
        `recorded, ${name}`,
        () => JSON.parse(Buffer.from(sampleBytes(name)).toString()) as object,
      ),
    ),
    ...onActivityPub(0, SEED)
      .filter(({ name }) => name.startsWith("HTTP signature"))
      .flatMap(({ name, maxBytes, shapes }) =>
        Object.entries(shapes).map(([shape, make]) =>
          unsigned(`${name}, ${shape}`, () => make(maxBytes * 0.9)),
        ),
      ),
  ];
}

function envelopes(): Message[] {
  return onDiaspora.flatMap(({ name, maxBytes, shapes }) => {
    const isEntity = name === "entity";
    if (!isEntity && name !== "tags") return [];
    return Object.entries(shapes).map(([shape, make]) =>
      envelope(`${isEntity ? "entity" : "text"}, ${shape}`, () => {
        const bytes = isEntity ? PAYLOAD_BYTES : Math.min(maxBytes, 65_000);
        const written = Buffer.from(make(bytes)).toString();
        return isEntity ? written : status(escapeXml(written));
      }),
    );
  });
}

const MESSAGES: Readonly<Record<Protocol, () => Message[]>> = {
  activitypub: activities,
  diaspora: envelopes,
};
