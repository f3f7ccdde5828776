import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import sharp from "sharp";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { type Ended, runKith } from "../support/kith-command.ts";
import { KithProcess } from "../support/kith-process.ts";

describe("kith server, beside a running server", () => {
  forEachDatabase((kind) => {
    let kith: KithProcess;
    let folder: string;
    before(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), "kith-server-"));
      kith = await KithProcess.start({
        database: kind,
        protocols: "activitypub",
      });
    });
    after(async () => {
      await kith.remove();
      await rm(folder, { recursive: true });
    });

    const server = (...words: string[]): Promise<Ended> =>
      runKith(["server", ...words], kith.settings);
    const write = async (name: string, bytes: string | Buffer) => {
      const file = path.join(folder, name);
      await writeFile(file, bytes);
      return file;
    };
    const show = async () => {
      const { output } = await server("show", "--json");
      return (JSON.parse(output) as { server: Record<string, string> }).server;
    };

    test("sets what is given, and empties what is named", async () => {
      const picture = await sharp({
        create: { width: 80, height: 60, channels: 3, background: "red" },
      })
        .png()
        .toBuffer();
      const done = await server(
        ...["set", "--name", "Mill", "--language", "de"],
        ...["--rules-file", await write("rules.md", "- Be kind.\n")],
        ...["--style-file", await write("a.css", "p { margin: 0 }")],
        ...["--picture", await write("a.png", picture)],
        ...["--registration", "closed", "--accent-dark", "#ffffff"],
      );
      assert.equal(done.code, 0, done.complaint);
      assert.match(done.output, /within five seconds/);
      const shown = await show();
      assert.equal(shown["name"], "Mill");
      assert.equal(shown["rules"], "- Be kind.");
      assert.equal(shown["registration"], "closed");
      assert.equal(shown["accent-dark"], "#ffffff");
      assert.match(shown["picture"] ?? "", /-full\.png$/);
      const { code } = await server("unset", "rules", "picture", "style");
      assert.equal(code, 0);
      const left = await show();
      assert.equal(left["rules"], "");
      assert.equal(left["picture"], "");
      assert.equal(left["name"], "Mill");
    });

    test("reports errors, and changes nothing", async () => {
      const before = await show();
      const text = await write("no.png", "no picture");
      for (const [words, reason] of [
        [["set"], /kith server set OPTIONS/],
        [["unset"], /kith server unset NAME/],
        [["unset", "host"], /host cannot be unset/],
        [["set", "--language", "xx"], /must be one of en, de/],
        [["set", "--accent-light", "#ffff00"], /contrast of at least 4\.5/],
        [["set", "--registration", "maybe"], /open, approval, closed/],
        [["set", "--terms-file", path.join(folder, "none")], /cannot be read/],
        [["set", "--name", "Lost", "--picture", text], /must be a picture/],
        [["show", "--name", "Lost"], /kith server show/],
        [["destroy"], /kith server show\|set\|unset/],
      ] as const) {
        const { code, complaint } = await server(...words);
        assert.equal(code, 2, words.join(" "));
        assert.match(complaint, reason);
      }
      assert.deepEqual(await show(), before);
    });
  });
});
