import { jobKind } from "../../../jobs/job.ts";

/** The job that rehearses or imports an uploaded file, a part of it in each run. */
export const RUN_IMPORT = jobKind<{ readonly id: number }>("run-import", {
  pool: "import",
});
