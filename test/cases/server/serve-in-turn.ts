import { keepFilesPrivate } from "../../../packages/server/src/cli/keep-files-private.ts";
import {
  startServing,
  type Running,
} from "../../../packages/server/src/compose/process.ts";
import { readConfig } from "../../../packages/server/src/config/config.ts";
import { locateSecretKey } from "../../../packages/server/src/config/secret-key.ts";

// A process that is one server after the other, as its parent says: loading Kith
// takes longer than most cases.

/** Settings start a server; without any, the running one stops. */
export type Order = { readonly settings?: NodeJS.ProcessEnv };
export type Report = { readonly fault?: string };

keepFilesPrivate();
let running: Running | undefined;

async function start(settings: NodeJS.ProcessEnv): Promise<void> {
  const { config, secrets } = readConfig(settings, {});
  const secretKeyPlace = locateSecretKey(config.dataDir, secrets.secretKey);
  const input = { config, secrets, secretKeyPlace, version: "0" };
  running = await startServing(input);
}

async function stop(): Promise<void> {
  await running?.stop();
  running = undefined;
}

process.on("message", ({ settings }: Order) => {
  (settings ? start(settings) : stop()).then(
    () => report({}),
    (error: unknown) => report({ fault: String(error) }),
  );
});
process.on("disconnect", () => process.exit());

function report(message: Report): void {
  process.send?.(message);
}
