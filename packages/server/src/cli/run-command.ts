import { runAccountCommand } from "./commands/account-commands.ts";
import { runImportCommand } from "./commands/import-command.ts";
import { runServerImportCommand } from "./commands/server-import-command.ts";
import { runAppealsCommand } from "./commands/moderation/appeal-commands.ts";
import { runAuditCommand } from "./commands/audit-commands.ts";
import { runBansCommand } from "./commands/moderation/ban-commands.ts";
import {
  isAboutHeld,
  runHeldCommand,
} from "./commands/moderation/held-commands.ts";
import { runSpamCommand } from "./commands/moderation/spam-commands.ts";
import { runHostsCommand } from "./commands/moderation/host-commands.ts";
import { runInvitationCommand } from "./commands/invitation-commands.ts";
import { runPersonCommand } from "./commands/moderation/person-commands.ts";
import { runPostCommand } from "./commands/moderation/post-commands.ts";
import { runQueueCommand } from "./commands/queue-commands.ts";
import { runAnnouncementCommand } from "./commands/announcement-commands.ts";
import { runRelaysCommand } from "./commands/relay-commands.ts";
import { runReportsCommand } from "./commands/moderation/report-commands.ts";
import { runServerCommand } from "./commands/server-commands.ts";
import { runStorageCommand } from "./commands/storage/storage-commands.ts";
import type { Progress } from "./show-progress.ts";
import { UsageError, type CommandOptions } from "./usage.ts";

type First<Run extends (first: never, ...rest: never[]) => unknown> =
  Parameters<Run>[0];

/** The features that commands use. */
type CommandFeatures = First<typeof runAccountCommand> &
  First<typeof runHostsCommand> &
  First<typeof runPersonCommand> &
  First<typeof runAppealsCommand> &
  First<typeof runPostCommand> & {
    readonly announcements: First<typeof runAnnouncementCommand>;
    readonly audit: First<typeof runAuditCommand>;
    readonly bans: First<typeof runBansCommand>;
    readonly spamRules: First<typeof runSpamCommand>;
    readonly heldTexts: First<typeof runHeldCommand>;
    readonly invitations: First<typeof runInvitationCommand>["invitations"];
    readonly moderation: First<typeof runReportsCommand>;
    readonly relays: First<typeof runRelaysCommand>;
    readonly serverProfile: First<typeof runServerCommand>;
  };

type Storage = First<typeof runStorageCommand>;

type Queue = First<typeof runQueueCommand>;

export type CommandCall = {
  readonly words: readonly string[];
  readonly options: CommandOptions;
  readonly baseUrl: string;
  readonly speaksActivityPub: boolean;
  readonly write: (line: string) => void;
  /** Opens the features, without the web and without federation. */
  readonly withFeatures: (
    use: (features: CommandFeatures) => Promise<void>,
  ) => Promise<void>;
  /** Opens the queue, with all of Kith: dropping a job ends what depends on it. */
  readonly withQueue: (use: (queue: Queue) => Promise<void>) => Promise<void>;
  /** Opens the storage rules, with all of Kith. */
  readonly withStorage: (
    use: (storage: Storage) => Promise<void>,
  ) => Promise<void>;
  /** Opens the imports, with all of Kith: people are looked up on other servers. */
  readonly withImports: (
    use: (features: First<typeof runImportCommand>) => Promise<void>,
  ) => Promise<void>;
  /** Opens the imports of whole servers, with all of Kith. */
  readonly withServerImports: (
    use: (imports: First<typeof runServerImportCommand>) => Promise<void>,
  ) => Promise<void>;
  /** Shows how far it is; not more often than somebody can read. */
  readonly progress: Progress;
};

const COMMANDS: Readonly<Record<string, (call: CommandCall) => Promise<void>>> =
  {
    account: ({ withFeatures, withImports, words, options, ...shown }) => {
      const { write, progress } = shown;
      if (words[0] === "import")
        return withImports((features) =>
          runImportCommand(features, words, options, write, progress),
        );
      const { json, rehearse, move, kind } = options;
      const [foreign] = Object.entries({ json, rehearse, move, kind }).find(
        ([, value]) => value !== undefined && value !== false,
      ) ?? [undefined];
      if (foreign !== undefined)
        throw new UsageError(
          `kith account takes no --${foreign}, except for import.`,
        );
      return withFeatures((features) =>
        runAccountCommand(features, words, write),
      );
    },
    appeals: ({ withFeatures, words, write }) =>
      withFeatures((features) => runAppealsCommand(features, words, write)),
    audit: ({ withFeatures, words, write }) =>
      withFeatures(({ audit }) => runAuditCommand(audit, words, write)),
    bans: ({ withFeatures, words, options, write }) =>
      withFeatures(({ bans }) => runBansCommand(bans, words, options, write)),
    hosts: ({ withFeatures, words, options, write }) =>
      withFeatures((features) =>
        runHostsCommand(features, words, options, write),
      ),
    import: ({ withServerImports, words, options, write, progress }) =>
      withServerImports((imports) =>
        runServerImportCommand(imports, words, options, write, progress),
      ),
    announcement: ({ withFeatures, words, write }) =>
      withFeatures(({ announcements }) =>
        runAnnouncementCommand(announcements, words, write),
      ),
    invitation: ({ withFeatures, words, options, baseUrl, write }) =>
      withFeatures(({ invitations }) =>
        runInvitationCommand({ invitations, baseUrl }, words, options, write),
      ),
    person: ({ withFeatures, words, options, write }) =>
      withFeatures((features) =>
        runPersonCommand(features, words, options, write),
      ),
    post: ({ withFeatures, words, options, write }) =>
      withFeatures((features) =>
        runPostCommand(features, words, options, write),
      ),
    queue: ({ withQueue, words, options, write }) =>
      withQueue((queue) => runQueueCommand(queue, words, options, write)),
    relays: async ({ withFeatures, words, write, speaksActivityPub }) => {
      if (!speaksActivityPub)
        throw new UsageError("Relays need ActivityPub (KITH_PROTOCOLS).");
      await withFeatures(({ relays }) =>
        runRelaysCommand(relays, words, write),
      );
    },
    reports: ({ withFeatures, words, write }) =>
      withFeatures(({ moderation }) =>
        runReportsCommand(moderation, words, write),
      ),
    server: ({ withFeatures, words, options, write }) =>
      withFeatures(({ serverProfile }) =>
        runServerCommand(serverProfile, words, options, write),
      ),
    spam: ({ withFeatures, words, options, write }) =>
      withFeatures(({ spamRules, heldTexts }) =>
        isAboutHeld(words[0])
          ? runHeldCommand(heldTexts, words, options, write)
          : runSpamCommand(spamRules, words, options, write),
      ),
    storage: ({ withStorage, words, options, write, progress }) =>
      withStorage((storage) =>
        runStorageCommand(storage, words, options, write, progress),
      ),
  };

/** Runs a command on stored data, also beside a running server. @throws {UsageError} @throws {OperatorError} */
export async function runCommand(
  command: string,
  call: CommandCall,
): Promise<void> {
  const run = COMMANDS[command];
  if (!run)
    throw new UsageError(`There is no command ${command}. See kith --help.`);
  await run(call);
}
