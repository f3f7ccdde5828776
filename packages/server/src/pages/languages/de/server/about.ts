import { counted } from "../../plurals.ts";
import type { englishAbout } from "../../en/server/about.ts";

/** The German texts of what a server says about itself. */
export const germanAbout: typeof englishAbout = {
  aboutServer: (name) => `Über ${name}`,
  rules: "Regeln",
  noRules: "Dieser Server hat keine eigenen Regeln.",
  readRules: "Regeln und mehr über diesen Server",
  contact: "Wer diesen Server betreibt",
  more: "Mehr über diesen Server",
  privacy: "Datenschutz",
  privacyLink: "Datenschutz: was dieser Server aufbewahrt, und wie lange",
  terms: "Nutzungsbedingungen",
  people: (n) =>
    `${n} ${counted(n, "Person hat", "Leute haben")} hier ein Konto`,
  posts: (n) =>
    `${n} ${counted(n, "Beitrag oder Kommentar", "Beiträge und Kommentare")} von ihnen`,
  software: "Auf diesem Server läuft Kith, freie Software.",
  source: "Der Quelltext",
  api: "Die Schnittstelle für Programme",
  feeds: "Feeds von Leuten und Tags sind auf deren Seiten verlinkt.",
  newest: "Neueste öffentliche Beiträge",
  agree: "Wer ein Konto anlegt, stimmt zu:",
  kept: "Was dieser Server aufbewahrt, und wie lange",
  facts: {
    writings:
      "Was du schreibst, deine Bilder, Termine und privaten Nachrichten bleiben, bis du sie löschst. Dann werden sie hier entfernt, und die Server, die sie bekommen haben, werden gebeten, sie ebenfalls zu löschen. In Sicherungen können sie noch eine Weile bleiben.",
    audiences:
      "Was du an einen Aspekt, an einzelne Leute oder als Nachricht schreibst, geht an die Server dieser Leute und an keine anderen. Es ist unterwegs verschlüsselt, aber nicht dort, wo es aufbewahrt wird: Wer einen dieser Server betreibt, könnte es lesen.",
    secrets:
      "Von deinem Passwort wird nur ein Hash aufbewahrt, aus dem es niemand berechnen kann. Eine E-Mail-Adresse wird nur aufbewahrt, wenn du eine angibst, und niemand sonst sieht sie.",
    access:
      "Ein Browser bleibt 30 Tage lang angemeldet. Der Zugang einer App endet, wenn sie ihn 400 Tage lang nicht benutzt oder wenn du ihn beendest.",
    addresses:
      "Die Adressen von Besuchern begrenzen, wie oft etwas abgefragt werden darf. Sie werden weder gespeichert noch protokolliert.",
    strangers:
      "Es gibt keine Werbung und keine Zähler anderer Firmen, und kein anderer Server erfährt, dass du hier liest: Bilder von dort kommen über diesen Server.",
    public:
      "Öffentliche Beiträge sind öffentlich: Andere dürfen sie kopieren, durchsuchen und aufbewahren.",
    leaving:
      "Du kannst in den Einstellungen alle deine Daten als Archiv mitnehmen, auf einen anderen Server umziehen oder dein Konto löschen.",
  },
};
