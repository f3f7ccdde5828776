// A program that tries what one that decodes pictures must not be able to do.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import sharp from "sharp";
import { dropPermissions } from "./restricted-process.ts";

/** What came of each attempt: `done`, or the code of the error. */
export type Tried = Readonly<Record<keyof typeof ATTEMPTS, string>>;

/** What the program says in the end. */
export type Said = {
  readonly before: Tried;
  readonly after: Tried;
  readonly folder: string;
  /** Of a picture that it made after all this. */
  readonly bytes: number;
};

const PACKAGE = createRequire(import.meta.url).resolve("sharp");

const ATTEMPTS = {
  readSecret: (secret: string) => readFileSync(secret),
  readProgram: () => readFileSync(import.meta.filename),
  readPackage: () => readFileSync(PACKAGE),
  listRoot: () => readdirSync("/"),
  write: () => {
    writeFileSync("written", "");
  },
  loadAddon: () => {
    process.dlopen({ exports: {} }, "/nothing.node");
  },
  spawn: () => spawnSync("true"),
  connect: () => once(connect(9, "127.0.0.1"), "connect"),
};

async function tryAll(secret: string): Promise<Tried> {
  const tried: Record<string, string> = {};
  for (const [name, attempt] of Object.entries(ATTEMPTS))
    try {
      await attempt(secret);
      tried[name] = "done";
    } catch (error) {
      tried[name] = String((error as { code?: unknown }).code);
    }
  return tried as Tried;
}

async function report(secret: string): Promise<Said> {
  const folder = process.cwd();
  const before = await tryAll(secret);
  dropPermissions();
  const after = await tryAll(secret);
  const create = {
    width: 1,
    height: 1,
    channels: 3,
    background: "red",
  } as const;
  const { length: bytes } = await sharp({ create }).png().toBuffer();
  return { before, after, folder, bytes };
}

process.on("message", (secret: string) => {
  void report(secret).then((said) => process.send?.(said));
});
