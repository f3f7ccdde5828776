import { runAccountCommand } from "./commands/account-commands.ts";
import { runAuditCommand } from "./commands/audit-commands.ts";
import { runHostsCommand } from "./commands/host-commands.ts";
import { runPersonCommand } from "./commands/person-commands.ts";
import { runInvitationCommand } from "./commands/invitation-commands.ts";
import { runPostCommand } from "./commands/post-commands.ts";
import { runQueueCommand } from "./commands/queue-commands.ts";
import { runRelaysCommand } from "./commands/relay-commands.ts";
import { runReportsCommand } from "./commands/report-commands.ts";
import { UsageError, type CommandOptions } from "./usage.ts";
import { withFeatures, type CommandInput } from "../compose/command.ts";

/**
 * Carries out a command that looks at or changes what is stored, also beside a
 * running server. @throws {UsageError} @throws {OperatorError}
 */
export async function runCommand(
  command: string,
  words: readonly string[],
  options: CommandOptions,
  input: CommandInput,
  write: (line: string) => void,
): Promise<void> {
  switch (command) {
    case "account":
      return withFeatures(input, (features) =>
        runAccountCommand(features, words, write),
      );
    case "audit":
      return withFeatures(input, ({ audit }) =>
        runAuditCommand(audit, words, write),
      );
    case "invitation": {
      const { baseUrl } = input.config;
      return withFeatures(input, ({ invitations }) =>
        runInvitationCommand({ invitations, baseUrl }, words, options, write),
      );
    }
    case "hosts":
      return withFeatures(input, (features) =>
        runHostsCommand(features, words, options.reason, write),
      );
    case "person":
      return withFeatures(input, (features) =>
        runPersonCommand(features, words, options.reason, write),
      );
    case "post":
      return withFeatures(input, (features) =>
        runPostCommand(features, words, options, write),
      );
    case "reports":
      return withFeatures(input, ({ moderation }) =>
        runReportsCommand(moderation, words, write),
      );
    case "relays":
      if (!input.config.protocols.activitypub)
        throw new UsageError("Relays need ActivityPub (KITH_PROTOCOLS).");
      return withFeatures(input, ({ relays }) =>
        runRelaysCommand(relays, words, write),
      );
    case "queue": {
      // To end what is dropped takes federation, and so all of Kith.
      const { withServer } = await import("../compose/process.ts");
      return withServer(input, ({ queue }) =>
        runQueueCommand(queue, words, options, write),
      );
    }
    default:
      throw new UsageError(`There is no command ${command}. See kith --help.`);
  }
}
