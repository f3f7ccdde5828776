// The program of the child process that reads recordings: a file that makes it
// hang or use too much memory does not affect the server, and the memory is
// returned to the system when the child ends.
import { messageOf } from "../errors.ts";
import { dropPermissions } from "../isolation/restricted-process.ts";
import {
  RecordingRefused,
  type RecordingRequest,
  type RecordingResponse,
} from "./recording.ts";
import { remux } from "./remux.ts";

const MAX_RESIDENT_BYTES = 800_000_000;
/** The exit code for a recording that took too much memory. */
const OUT_OF_MEMORY = 77;

async function answer(request: RecordingRequest): Promise<RecordingResponse> {
  try {
    return { kind: "recording", recording: await remux(request) };
  } catch (error) {
    return error instanceof RecordingRefused
      ? { kind: error.kind, reason: error.message }
      : { kind: "broken", reason: messageOf(error) };
  }
}

// All code is loaded: from here on the process reads only the recording, which
// comes as a message.
dropPermissions();

process.on("message", (request: RecordingRequest) => {
  void answer(request).then((response) => process.send?.(response));
});
process.on("disconnect", () => process.exit());

setInterval(() => {
  if (process.memoryUsage.rss() > MAX_RESIDENT_BYTES)
    process.exit(OUT_OF_MEMORY);
}, 50).unref();
