import type { englishPoll } from "../../en/posts/poll.ts";
import { counted } from "../../plurals.ts";

export const germanPoll: typeof englishPoll = {
  votes: (n) => `${n} ${counted(n, "Stimme", "Stimmen")}`,
  voters: (n) =>
    counted(n, "1 Person hat abgestimmt", `${n} Leute haben abgestimmt`),
  hidden: "Die Stimmen sind zu sehen, sobald die Umfrage beendet ist.",
  chosen: "Deine Wahl",
  chooseOne: "Wähle eine Antwort",
  chooseSeveral: "Wähle eine oder mehrere Antworten",
  vote: "Abstimmen",
  noChoice: "Wähle zuerst eine Antwort.",
  refused:
    "Deine Stimme wurde nicht gezählt: Die Umfrage ist zu Ende, oder du hast schon abgestimmt.",
  isFinal: "Du kannst deine Stimme später nicht ändern.",
  ends: "Endet am",
  ended: "Geendet am",
};
