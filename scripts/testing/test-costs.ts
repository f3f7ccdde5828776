import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** The seconds that a file took, and the processor time of its threads and of its child processes. */
type Cost = {
  readonly file: string;
  readonly wallS: number;
  readonly ownS: number;
  readonly childrenS: number;
};

const MAX_LISTED = 60;
const TICKS_PER_SECOND = 100;

/** The file where the test processes of a run write what each test file took. */
export class CostLog {
  readonly file: string;
  readonly #folder = mkdtempSync(path.join(tmpdir(), "kith-costs-"));

  constructor() {
    this.file = path.join(this.#folder, "costs.jsonl");
  }

  /** @returns the costliest files first, and the sum */
  summarize(): readonly string[] {
    if (!existsSync(this.file)) return [];
    const costs = readFileSync(this.file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Cost)
      .sort((a, b) => sum(b) - sum(a));
    const total = costs.reduce((all, cost) => all + sum(cost), 0);
    return [
      "processor s   children's   wall s   file",
      ...costs.slice(0, MAX_LISTED).map(describe),
      `${total.toFixed(0)} s of processor time in ${costs.length} files`,
    ];
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function sum({ ownS, childrenS }: Cost): number {
  return ownS + childrenS;
}

function describe({ file, wallS, ownS, childrenS }: Cost): string {
  const columns = [ownS.toFixed(1), childrenS.toFixed(1), wallS.toFixed(1)];
  const [own = "", children = "", wall = ""] = columns;
  return `${own.padStart(11)}   ${children.padStart(10)}   ${wall.padStart(6)}   ${file}`;
}

/** Measures a test file from now on. @returns a function that writes what it took */
export function measureCost(log: string, file: string): () => void {
  const [start, own, children] = [Date.now(), process.cpuUsage(), waitedFor()];
  return () => {
    const { user, system } = process.cpuUsage(own);
    const cost: Cost = {
      file,
      wallS: (Date.now() - start) / 1000,
      ownS: (user + system) / 1e6,
      childrenS: waitedFor() - children,
    };
    appendFileSync(log, `${JSON.stringify(cost)}\n`);
  };
}

/** The processor time of the child processes that have ended, as far as the system tells it. */
function waitedFor(): number {
  if (process.platform !== "linux") return 0;
  // The name of the program, in parentheses, may contain spaces (proc_pid_stat(5)).
  const [, fields = ""] = readFileSync("/proc/self/stat", "utf8").split(") ");
  const [user = "0", system = "0"] = fields.split(" ").slice(13, 15);
  return (Number(user) + Number(system)) / TICKS_PER_SECOND;
}
