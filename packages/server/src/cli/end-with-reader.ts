import { codeOf } from "../lib/errors.ts";

/** 128 and the number of SIGPIPE, which ends other programs then. Node ignores that signal. */
const READER_HAS_GONE = 141;

/** Ends quietly when nobody reads the output any more, as after `kith queue list | head`. */
export function endWithReader(): void {
  for (const output of [process.stdout, process.stderr])
    output.on("error", (error) => {
      if (codeOf(error) !== "EPIPE") throw error;
      process.exit(READER_HAS_GONE);
    });
}
