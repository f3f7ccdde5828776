import type { englishSpam } from "../../en/server/spam.ts";

export const germanSpam: typeof englishSpam = {
  title: "Spam-Regeln",
  about:
    "Regeln gelten für Beiträge, Kommentare und Nachrichten von anderen Servern und für die neuer Konten hier. Alle Bedingungen einer Regel müssen zutreffen. Keine Regel gilt für Texte von Menschen, denen die Empfänger hier folgen. Speichere eine Regel ausgeschaltet, probiere sie aus und schalte sie dann ein.",
  name: "Name der Regel",
  phrase: "Der Text enthält dieses Wort oder diese Wortfolge",
  linkHost: "Der Text verweist auf diesen Host oder einen darunter",
  mentions: "Mindestens so viele Menschen sind erwähnt",
  knownDays: "Der Verfasser ist hier bekannt seit weniger Tagen als",
  noContact: "Kontakte des Verfassers hier",
  noContactChoices: { no: "beliebig viele", yes: "keine" },
  action: "Aktion",
  actions: {
    note: "Nur im Protokoll vermerken",
    report: "Der Moderation melden",
    hold: "Zurückhalten, bis die Moderation entscheidet",
    refuse:
      "Abweisen: Es wird nicht gespeichert, und sein Server merkt es nicht",
  },
  state: "Zustand",
  states: { off: "ausgeschaltet", on: "eingeschaltet" },
  set: "Regel speichern",
  sameName: "Eine Regel mit demselben Namen wird ersetzt.",
  none: "Es gibt keine Regeln.",
  conditions: "Bedingungen",
  asPhrase: (phrase) => `Text enthält „${phrase}“`,
  asLinkHost: (host) => `Link zu ${host}`,
  asMentions: (count) => `mindestens ${count} Erwähnungen`,
  asKnownDays: (days) => `bekannt seit weniger als ${days} Tagen`,
  asNoContact: "kein Kontakt hier",
  switchOn: "Einschalten",
  switchOff: "Ausschalten",
  delete: "Löschen",
  rehearse: "Ausprobieren",
  rehearsed: (name, read, days) =>
    `Von ${read} Beiträgen und Kommentaren der letzten ${days} Tage hätte die Regel „${name}“ diese getroffen:`,
  rehearsedNone: (name, read, days) =>
    `Von ${read} Beiträgen und Kommentaren der letzten ${days} Tage hätte die Regel „${name}“ keinen getroffen.`,
  notWhole:
    "Es können mehr sein: Nur die neuesten wurden gelesen oder aufgeführt.",
  gone: "Diese Regel gibt es nicht mehr.",
  refused:
    "Nichts wurde gespeichert. Eine Regel braucht einen Namen mit höchstens 100 Zeichen und eine Wortfolge mit höchstens 200 Zeichen, einen Host wie spam.example oder eine Zahl von Erwähnungen bis 100. Tage sind es höchstens 3650.",
  refusedText: "Eine Regel dieses Servers weist diesen Text ab.",
  logTitle: "Spam-Protokoll",
  logAbout:
    "Was Regeln in den letzten 30 Tagen getroffen haben, höchstens die neuesten 10.000. Texte werden hier nicht aufbewahrt.",
  logNone: "Keine Regel hat etwas getroffen.",
  when: "Wann",
  rule: "Regel",
  author: "Verfasser",
  host: "Host",
  thing: "Beitrag oder Kommentar",
  done: "Ergebnis",
  doneActions: {
    note: "vermerkt",
    report: "gemeldet",
    hold: "zurückgehalten",
    refuse: "abgewiesen",
  },
};
