import type { Vector } from "./file.ts";
import type { Judgement } from "./judge.ts";

/** Counts results, and prints deviations. */
export class Tally {
  readonly #total: number;
  #passed = 0;
  #failed = 0;
  #hasMustFailed = false;
  readonly #unkept: string[] = [];

  constructor(total: number) {
    this.#total = total;
  }

  add(vector: Vector, { difference, unkept }: Judgement): void {
    const { id, severity = "must", note } = vector;
    this.#clearProgress();
    if (unkept !== undefined) this.#unkept.push(`${id} (${unkept})`);
    if (difference === undefined) this.#passed += 1;
    else if (severity === "info" && note !== undefined) {
      this.#passed += 1;
      console.log(`note: ${id} (info): ${difference}; its note: ${note}`);
    } else {
      this.#failed += 1;
      if (severity === "must") this.#hasMustFailed = true;
      console.log(`${id} (${severity}): ${difference}`);
    }
    this.#showProgress();
  }

  finish(): number {
    this.#clearProgress();
    if (this.#unkept.length > 0)
      console.log(`note: accepted, not kept: ${this.#unkept.join(", ")}`);
    console.log(`${this.#passed} passed, ${this.#failed} failed`);
    return this.#hasMustFailed ? 1 : 0;
  }

  #showProgress(): void {
    if (!process.stderr.isTTY) return;
    process.stderr.write(`\r${this.#passed + this.#failed}/${this.#total}`);
  }

  #clearProgress(): void {
    if (process.stderr.isTTY) process.stderr.write("\r\u001B[K");
  }
}
