import { counted } from "../../plurals.ts";

/** The English texts of polls. */
export const englishPoll = {
  votes: (n: number) => `${n} ${counted(n, "vote", "votes")}`,
  voters: (n: number) => `${n} ${counted(n, "person voted", "people voted")}`,
  hidden: "The votes are shown when the poll has ended.",
  chosen: "Your choice",
  chooseOne: "Choose one answer",
  chooseSeveral: "Choose one or more answers",
  vote: "Vote",
  noChoice: "Choose an answer first.",
  refused:
    "Your vote was not counted: the poll has ended, or you have voted already.",
  isFinal: "You cannot change your vote later.",
  ends: "Ends",
  ended: "Ended",
};
