import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { ApiClient } from "../support/api-client.ts";
import { KithProcess } from "../support/kith-process.ts";
import { Random } from "../support/random.ts";

// npm run test:power-cut [-- --rounds=5] [--seed=1]
//
// Eight clients write posts to a Kith on SQLite, into which keep-flushed.c is preloaded. It is killed,
// and the files are opened as they were when they were last flushed: each acknowledged post must
// be there. Needs Linux and a C compiler (cc).

const WRITERS = 8;
/** Enough for several checkpoints. */
const MAX_POSTS = 2_500;
const FILLER = "many words ".repeat(150);

type Outcome = {
  readonly acknowledged: readonly number[];
  readonly stored: ReadonlySet<number>;
  readonly integrity: string;
};

const options = readOptions();
const random = new Random(options.seed);
const folder = mkdtempSync(path.join(tmpdir(), "kith-power-cut-"));
let faults = 0;
try {
  const library = compile();
  for (let round = 1; round <= options.rounds; round += 1)
    report(round, await play(library, 1 + random.below(MAX_POSTS)));
} finally {
  rmSync(folder, { recursive: true });
}
console.log(faults === 0 ? "All is kept." : `${faults} WRONG`);
if (faults > 0) process.exitCode = 1;

function compile(): string {
  const source = path.join(import.meta.dirname, "keep-flushed.c");
  const library = path.join(folder, "keep-flushed.so");
  execFileSync(
    "cc",
    ["-shared", "-fPIC", "-O2", "-Wall", "-o", library, source, "-ldl"],
    { stdio: "inherit" },
  );
  return library;
}

async function play(library: string, posts: number): Promise<Outcome> {
  const kith = await KithProcess.start({
    database: "sqlite",
    protocols: "activitypub,diaspora",
    settings: { LD_PRELOAD: library, KITH_LINK_PREVIEWS: "false" },
  });
  try {
    const ann = await ApiClient.signUp(kith.baseUrl, "ann");
    const acknowledged: number[] = [];
    /** Kills the server once there are enough, while the others still write. */
    const acknowledge = async (number: number): Promise<void> => {
      acknowledged.push(number);
      if (acknowledged.length === posts) await kith.kill();
    };
    const isCut = (): boolean => acknowledged.length >= posts;
    await Promise.all(
      Array.from({ length: WRITERS }, (_, first) =>
        write(ann, first, acknowledge, isCut),
      ),
    );
    return { acknowledged, ...readFlushed(kith.dataDir) };
  } finally {
    await kith.remove();
  }
}

/** Writes posts until the server is killed. */
async function write(
  ann: ApiClient,
  first: number,
  acknowledge: (number: number) => Promise<void>,
  isCut: () => boolean,
): Promise<void> {
  for (let number = first; ; number += WRITERS) {
    try {
      await ann.post("/posts", { post: `Number ${number} of ${FILLER}` });
    } catch (error) {
      if (isCut()) return;
      throw error;
    }
    await acknowledge(number);
  }
}

function readFlushed(dataDir: string): Pick<Outcome, "stored" | "integrity"> {
  const file = path.join(folder, "kith.sqlite");
  for (const ending of ["", "-wal", "-shm"])
    rmSync(`${file}${ending}`, { force: true });
  for (const ending of ["", "-wal"]) {
    const kept = path.join(dataDir, `kith.sqlite${ending}.flushed`);
    if (existsSync(kept)) cpSync(kept, `${file}${ending}`);
  }
  const database = new DatabaseSync(file);
  const integrity = database.prepare("pragma integrity_check").get();
  const rows = database.prepare("select text from posts").all();
  database.close();
  return {
    integrity: String(integrity?.["integrity_check"]),
    stored: new Set(rows.map((row) => numberIn(String(row["text"])))),
  };
}

function numberIn(text: string): number {
  return Number(/^Number (\d+) /.exec(text)?.[1]);
}

function report(
  round: number,
  { acknowledged, stored, integrity }: Outcome,
): void {
  const lost = acknowledged.filter((number) => !stored.has(number)).length;
  const isWhole = integrity === "ok";
  faults += lost + (isWhole ? 0 : 1);
  console.log(
    `${round}/${options.rounds} rounds; ${acknowledged.length} acknowledged, ${lost} lost; ` +
      `database ${isWhole ? "whole" : integrity}`,
  );
}

function readOptions(): { readonly rounds: number; readonly seed: number } {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "5" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
    },
  });
  const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error("--rounds takes a whole number from 1.");
  if (!Number.isInteger(seed)) throw new Error("--seed takes a whole number.");
  console.log(`seed ${seed}`);
  return { rounds, seed };
}
