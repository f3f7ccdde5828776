import type { englishHeld } from "../../en/server/held.ts";

export const germanHeld: typeof englishHeld = {
  title: "Zurückgehaltene Texte",
  about:
    "Regeln halten diese Texte zurück, bis du entscheidest. Nur ihre Verfasser und die Moderation sehen sie. Freigegebene Texte werden ausgeliefert, und Menschen werden benachrichtigt. Abgelehnte werden gelöscht; ihre Verfasser hier erfahren es und können widersprechen.",
  none: "Es ist kein Text zurückgehalten.",
  author: "Verfasser",
  text: "Text",
  rule: "Regel",
  decision: "Entscheidung",
  kinds: { post: "Beitrag", comment: "Kommentar" },
  isPublic: "für alle",
  isLimited: "für einige",
  release: "Freigeben",
  refuse: "Ablehnen und löschen",
  own: "Deine zurückgehaltenen Texte",
  ownAbout:
    "Eine Regel dieses Servers hält sie zurück, bis die Moderation entscheidet. Bis dahin sehen nur du und die Moderation sie.",
  withdraw: "Zurückziehen und löschen",
  withdrawn: "Der Text ist gelöscht.",
  gone: "Dieser Text ist nicht mehr zurückgehalten.",
  waits:
    "Dein Text ist gespeichert und wartet auf die Moderation: Eine Regel dieses Servers hält ihn zurück. Du musst ihn nicht noch einmal senden. Er steht in deinen Einstellungen unter „Entscheidungen über dich“.",
  postWaits:
    "Eine Regel dieses Servers hält diesen Beitrag zurück, bis die Moderation entscheidet. Bis dahin sehen nur du und die Moderation ihn.",
};
