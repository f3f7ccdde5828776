import type { Config, Secrets } from "../config/config.ts";
import type { DatabaseLocation } from "../db/open-database.ts";
import type { SecretKeyPlace } from "../lib/secret-key-place.ts";

/** The settings of one process or command. */
export type CommandInput = {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly secretKeyPlace: SecretKeyPlace;
  /** Of Kith. */
  readonly version: string;
  /** Is the page of all components served, for those who work on them? */
  readonly hasKitPage?: boolean;
  /** Tells an operator how far something long is. */
  readonly say?: (line: string) => void;
};

/** Where the database is. */
export function locateDatabase(
  config: Config,
  secrets: Secrets,
): DatabaseLocation {
  return config.database.kind === "sqlite"
    ? config.database
    : {
        kind: "postgres",
        url: secrets.databaseUrl ?? "",
        ...(secrets.databasePoolUrl !== undefined && {
          poolUrl: secrets.databasePoolUrl,
        }),
        ...(secrets.databaseReplicaUrl !== undefined && {
          replicaUrl: secrets.databaseReplicaUrl,
        }),
      };
}
