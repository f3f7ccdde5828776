import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const NANOSECONDS = 1_000_000_000;
/** Linux counts the processor time of ended processes in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** Seconds of processor time used so far by all threads of a process. */
export function cpuSecondsOf(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const schedstat = readIfAlive(`/proc/${pid}/task/${thread}/schedstat`);
    nanoseconds += Number(schedstat.split(" ")[0]);
  }
  return nanoseconds / NANOSECONDS;
}

/**
 * The same for a PostgreSQL on this machine, with its running and ended backends.
 * @param url names the data directory as the host
 */
export function cpuSecondsOfPostgres(url: string): number {
  const data = new URL(url).searchParams.get("host") ?? "";
  const [pid] = readFileSync(path.join(data, "postmaster.pid"), "utf8").split(
    "\n",
  );
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  const alive = [String(pid), ...children.trim().split(" ")];
  const nanoseconds = alive
    .map((one) => readIfAlive(`/proc/${one}/schedstat`).split(" ")[0])
    .reduce((sum, used) => sum + Number(used), 0);
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ended = Number(fields[13]) + Number(fields[14]);
  return nanoseconds / NANOSECONDS + ended / TICKS_PER_SECOND;
}

/** @returns nothing about a thread or a process that has just ended */
function readIfAlive(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
