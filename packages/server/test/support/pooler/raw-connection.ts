import { Socket } from "node:net";
import pg from "pg";
import { FrameReader, type Frame } from "./frames.ts";

/** A connection to PostgreSQL that is signed in, and whose messages are passed on as they are. */
export type RawConnection = {
  /** Its `ParameterStatus` messages. */
  readonly parameters: readonly Buffer[];
  readonly send: (bytes: Buffer) => void;
  readonly listen: (listener: (given: Frame) => void) => void;
  readonly close: () => void;
};

/** Lets `pg` sign in, and then takes the socket over. */
export async function connectRaw(url: string): Promise<RawConnection> {
  const socket = new Socket();
  const parameters: Buffer[] = [];
  const reader = new FrameReader({ hasStartUp: false });
  const note = (bytes: Buffer) => {
    for (const { type, whole } of reader.read(bytes))
      if (type === "S") parameters.push(Buffer.from(whole));
  };
  socket.on("data", note);
  const client = new pg.Client({ connectionString: url, stream: () => socket });
  await client.connect();
  socket.removeAllListeners("data");
  socket.removeAllListeners("close");
  socket.removeAllListeners("end");
  socket.on("error", () => {});
  return {
    parameters,
    send: (bytes) => socket.write(bytes),
    listen: (listener) => {
      socket.on("data", (bytes: Buffer) => {
        for (const given of reader.read(bytes)) listener(given);
      });
      socket.resume();
    },
    close: () => socket.destroy(),
  };
}
