import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Outside } from "./outside.ts";
import type { YearServer } from "./year-server.ts";

/** The admin of the server, who keeps it for the year. */
export class Operator {
  /** Of the backups that the server makes by itself. */
  static makeFolder(): string {
    return mkdtempSync(path.join(tmpdir(), "kith-year-backups-"));
  }

  readonly #server: YearServer;
  readonly #outside: Outside;
  readonly #folder: string;
  /** Names of the acts, and the number of times of each. */
  readonly did: Record<string, number> = {};

  constructor(server: YearServer, outside: Outside, folder: string) {
    this.#server = server;
    this.#outside = outside;
    this.#folder = folder;
  }

  /** The backups that the server has made by itself, oldest first. */
  get backups(): string[] {
    return readdirSync(this.#folder)
      .filter((name) => name.startsWith("kith-"))
      .sort()
      .map((name) => path.join(this.#folder, name));
  }

  async verifyNewest(): Promise<void> {
    const newest = this.backups.at(-1);
    assert.ok(newest, "The server makes backups by itself");
    await this.#run("backup verified", ["backup", "verify", newest]);
  }

  /** Loses the machine just after a backup, and goes on with that. */
  async survive(): Promise<void> {
    const folder = mkdtempSync(path.join(tmpdir(), "kith-year-away-"));
    try {
      const file = path.join(folder, "kith.tar");
      await this.#run("backup by command", ["backup", file]);
      await this.#server.loseEverything();
      await this.#server.restore(file);
      this.#note("machine lost and restored");
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  async restart(): Promise<void> {
    await this.#server.stop();
    await this.#server.startAgain();
    this.#note("restart");
  }

  async block(): Promise<void> {
    const host = this.#outside.swampHost;
    await this.#run("host blocked", ["hosts", "block", host]);
  }

  async forgive(): Promise<void> {
    const host = this.#outside.swampHost;
    await this.#run("host forgiven", ["hosts", "forgive", host]);
  }

  async suspend(name: string): Promise<void> {
    const handle = this.#server.handle(name);
    await this.#run("account suspended", ["person", "suspend", handle]);
  }

  async unsuspend(name: string): Promise<void> {
    const handle = this.#server.handle(name);
    await this.#run("suspension lifted", ["person", "unsuspend", handle]);
  }

  async #run(name: string, args: readonly string[]): Promise<void> {
    const { code, output, complaint } = await this.#server.run(args);
    assert.equal(code, 0, `kith ${args.join(" ")}: ${output}${complaint}`);
    this.#note(name);
  }

  #note(name: string): void {
    this.did[name] = (this.did[name] ?? 0) + 1;
  }
}
