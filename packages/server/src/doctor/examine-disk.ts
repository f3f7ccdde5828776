import { statfs } from "node:fs/promises";
import { codeOf, messageOf } from "../lib/errors.ts";
import { failed, ok, warning, type Finding } from "../lib/finding.ts";

const GIBIBYTE = 1024 ** 3;
const FAIL_BELOW = 0.2 * GIBIBYTE;
const WARN_BELOW = GIBIBYTE;

/** Examines the free space of the data directory. */
export async function examineDisk(dataDir: string): Promise<Finding> {
  const check = "disk";
  const advice =
    "Free some space, or move the data to a larger disk (KITH_DATA_DIR). A full disk stops everything.";
  try {
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    const says = `${(free / GIBIBYTE).toFixed(1)} GiB are free for ${dataDir}.`;
    if (free < FAIL_BELOW) return failed(check, says, advice);
    return free < WARN_BELOW ? warning(check, says, advice) : ok(check, says);
  } catch (error) {
    if (codeOf(error) === "ENOENT")
      return failed(
        check,
        `There is no data directory at ${dataDir} yet.`,
        "Start kith serve once, or correct KITH_DATA_DIR.",
      );
    return failed(check, `${dataDir}: ${messageOf(error)}.`, advice);
  }
}
