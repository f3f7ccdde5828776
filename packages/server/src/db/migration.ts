import type { DialectName } from "./db.ts";

/**
 * One step of the schema. Never edited once released; slow data migrations are
 * jobs.
 */
export type Migration = {
  readonly number: number;
  readonly name: string;
  readonly statements: (dialect: DialectName) => string[];
};
