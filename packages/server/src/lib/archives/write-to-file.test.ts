import assert from "node:assert/strict";
import { pbkdf2 } from "node:crypto";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough, Readable } from "node:stream";
import { describe, test, type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { writeToFile } from "./write-to-file.ts";

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), "kith-write-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("a file that is written from streams", () => {
  test("has what they give, and only the server's user reads it", async (t) => {
    const file = path.join(makeFolder(t), "file");
    await writeToFile(file, [Readable.from(["one ", "two"])]);
    await assert.rejects(writeToFile(file, [Readable.from(["again"])]), {
      code: "EEXIST",
    });
    const more = Readable.from([", three"]);
    await writeToFile(file, [more, new PassThrough()], { flags: "a" });
    assert.equal(readFileSync(file, "utf8"), "one two, three");
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  test("is not touched once its writing has failed", async (t) => {
    const folder = makeFolder(t);
    const refused = new Error("refused");
    // A generator: without it, the pipeline itself would wait for the file.
    async function* source() {
      await Promise.resolve();
      yield* [];
      throw refused;
    }
    // Busy threads open it late.
    const work = promisify(pbkdf2);
    const busy = Array.from({ length: 8 }, () =>
      work("password", "salt", 50_000, 64, "sha512"),
    );
    const writing = writeToFile(path.join(folder, "file"), [source()]);
    await assert.rejects(writing, refused);
    const left = readdirSync(folder);
    await Promise.all(busy);
    await setTimeout(50);
    assert.deepEqual(readdirSync(folder), left);
  });

  test("ends with the signal to", async (t) => {
    const file = path.join(makeFolder(t), "file");
    const signal = AbortSignal.abort();
    await assert.rejects(
      writeToFile(file, [Readable.from(["never"])], { signal }),
      { name: "AbortError" },
    );
  });
});
