import type { englishSetup } from "../../en/server/setup.ts";

/** The German texts of the first run, and of what a server says about itself. */
export const germanSetup: typeof englishSetup = {
  title: "Diesen Server einrichten",
  about:
    "Noch betreibt niemand diesen Server. Leg dein Konto an: Es verwaltet dann den Server.",
  code: "Einrichtungscode",
  codeHint:
    "Der Server hat ihn beim Start ausgegeben. Er gilt einmal, für das erste Verwaltungskonto.",
  wrongCode: "Das ist nicht der Code, den der Server ausgegeben hat.",
  begin: "Konto anlegen",
  toSetup: "Diesen Server einrichten",

  server: "Dieser Server",
  serverAbout: "Was Besucher auf der Startseite und unter „Über“ lesen.",
  name: "Name",
  nameHint: "Steht oben auf jeder Seite. Die Adresse bleibt, wie sie ist.",
  description: "Wofür er da ist",
  descriptionHint: "Markdown geht. Ein paar Sätze genügen.",
  rules: "Regeln",
  rulesHint: "Markdown geht. Man sieht sie, bevor man ein Konto anlegt.",
  registration: "Wer ein Konto anlegen darf",
  registrations: {
    configured: "Wie es in der Konfiguration des Servers steht",
    open: "Alle",
    approval: "Alle, sobald die Moderation das Konto angenommen hat",
    closed: "Niemand ohne Einladung",
  },
  save: "Speichern",
  firstSteps: "Deine eigenen ersten Schritte",
  tooLong: (max) =>
    `Es wurde nichts gespeichert. Ein Name hat höchstens ${max.name} Zeichen, eine Beschreibung ${max.description} und die Regeln ${max.rules}.`,

  aboutServer: (name) => `Über ${name}`,
  noRules: "Dieser Server hat keine eigenen Regeln.",
  readRules: "Regeln und mehr über diesen Server",
  software: "Auf diesem Server läuft Kith.",
  api: "Seine Schnittstelle für Programme",

  welcome: "Willkommen",
  steps:
    "Vier kleine Schritte in beliebiger Reihenfolge, und du bist hier zu Hause.",
  allDone: "Du bist alle ersten Schritte gegangen. Viel Spaß!",
  done: "Erledigt.",
  step: {
    picture: {
      title: "Sag, wer du bist",
      about:
        "Gib ein Bild und deinen Namen an, damit deine Freunde dich erkennen.",
    },
    aspect: {
      title: "Leg deinen ersten Aspekt an",
      about:
        "Ein Aspekt ist eine Gruppe von Leuten, zum Beispiel Familie. Bei jedem Beitrag wählst du, welche von ihnen ihn sehen.",
    },
    person: {
      title: "Finde jemanden",
      about:
        "Such nach einem Namen oder einer Adresse wie name@host auf irgendeinem Server und nimm die Person in einen Aspekt auf.",
    },
    post: {
      title: "Schreib deinen ersten Beitrag",
      about: "Bevor du ihn veröffentlichst, siehst du, wer ihn lesen wird.",
    },
  },
  toHome: "Zur Startseite",
};
