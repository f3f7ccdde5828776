import { DatabaseSync } from "node:sqlite";
import { messageOf, OperatorError } from "../../lib/errors.ts";
import { APPLICATION_ID, type DatabaseCopy } from "./database-copy.ts";
import { describeSqlite } from "./sample-rows.ts";

/** Reads all of a copied database. @throws {OperatorError} if it is damaged, or not Kith's */
export function examineSqliteCopy(file: string): DatabaseCopy {
  try {
    const database = new DatabaseSync(file);
    try {
      const id = database.prepare("pragma application_id").get();
      if (id?.["application_id"] !== APPLICATION_ID)
        throw new OperatorError("The database of the backup is not Kith's.");
      const [found] = database.prepare("pragma integrity_check(1)").all();
      const says = String(found?.["integrity_check"]);
      if (says !== "ok")
        throw new OperatorError(
          `The database of the backup is damaged: ${says}.`,
        );
      return describeSqlite(database);
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `The database of the backup cannot be read: ${messageOf(error)}.`,
    );
  }
}
