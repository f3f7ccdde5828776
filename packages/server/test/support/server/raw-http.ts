import { connect } from "node:net";
import { text } from "node:stream/consumers";

/** Sends bytes as they are and ends; resolves with all that comes back. */
export function sendRaw(
  baseUrl: string,
  bytes: string | Buffer,
): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect({ host: hostname, port: Number(port) }, () =>
      socket.end(bytes),
    );
    socket.setTimeout(5000, () => socket.destroy());
    socket.on("data", (chunk) => (answer += chunk.toString("latin1")));
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

/** Sends bytes as they are; resolves with all that comes back until the server closes the connection. */
export function sendAndRead(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(bytes);
  return text(socket);
}
