import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileIn, fillDatabase } from "./kith-process.ts";
import { prepareSenders, writeRequests } from "./senders.ts";

const TARGET = 3_000;

type InProcess = {
  readonly messages: number;
  /** The number of warm-up messages. */
  readonly warmUp: number;
  /** The number of senders. */
  readonly people: number;
  /** The number of concurrent messages. */
  readonly connections: number;
  readonly core: number;
};

/** The same as for diaspora* without HTTP: read, verified, and durable with all that makes it visible. */
export async function measureInProcess({
  messages,
  warmUp,
  people,
  connections,
  core,
}: InProcess): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "kith-bench-"));
  try {
    const host = "localhost:3000";
    const senders = await fillDatabase(
      { dataDir: folder, port: 3000, location: fileIn(folder) },
      prepareSenders("diaspora", people),
    );
    const count = warmUp + messages;
    const numbers = { from: 0, count };
    const all = await writeRequests(
      "diaspora",
      `http://${host}`,
      senders,
      numbers,
    );
    const lines = all.map((request) =>
      request.subarray(request.indexOf("\r\n\r\n") + 4).toString("base64"),
    );
    const file = path.join(folder, "messages");
    writeFileSync(file, lines.join("\n"));
    const { stdout } = spawnSync(
      "taskset",
      [
        ...["-c", String(core), process.execPath, IN_PROCESS],
        ...[path.join(folder, "kith.sqlite"), file],
        ...[String(warmUp), String(connections), host],
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    assertStored(path.join(folder, "kith.sqlite"), count);
    const took = JSON.parse(String(stdout)) as {
      seconds: number;
      processorSeconds: number;
    };
    const perSecond = `${(messages / took.seconds).toFixed(0)}/s`;
    const perProcessor = `${(messages / took.processorSeconds).toFixed(0)}/s`;
    return [
      "diaspora\\* without HTTP: read, verify, commit",
      ...[perSecond, perSecond, perProcessor],
      ...[`${TARGET}/s`, ""],
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const IN_PROCESS = path.join(import.meta.dirname, "receive-in-process.ts");

function assertStored(file: string, posts: number): void {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare("select count(*) as posts from posts").get();
  database.close();
  if (row?.["posts"] !== posts)
    throw new Error(`${String(row?.["posts"])} of ${posts} were stored`);
}
