import type { englishSetup } from "../../en/server/setup.ts";

/** The German texts of the first run, and of what a server says about itself. */
export const germanSetup: typeof englishSetup = {
  title: "Diesen Server einrichten",
  about:
    "Noch betreibt niemand diesen Server. Leg dein Konto an: Es verwaltet dann den Server.",
  code: "Einrichtungscode",
  codeHint:
    "Der Server gibt ihn bei jedem Start aus, solange ihn niemand verwaltet: Sieh in seiner Ausgabe oder seinem Protokoll nach. Er gilt einmal, für das erste Verwaltungskonto.",
  wrongCode:
    "Das ist nicht der Code, den der Server ausgegeben hat. Starte ihn neu, um den Code noch einmal zu sehen, oder mach ein Konto mit diesem Befehl zum Verwaltungskonto: kith account promote NAME admin.",
  nobodyYet:
    "Noch betreibt niemand diesen Server. Richte ihn zuerst ein: Dabei entsteht das Konto, das ihn verwaltet. Andere Konten folgen danach.",
  noAdminYet: "Noch betreibt niemand diesen Server. Ist es deiner?",
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
  joining: "Bevor jemand ein Konto anlegt",
  joiningHint: "Markdown geht. Es steht über dem Formular für ein neues Konto.",
  privacy: "Datenschutz",
  privacyHint:
    "Markdown geht. Es steht bei „Über“, vor dem, was dieser Server ohnehin aufbewahrt.",
  terms: "Nutzungsbedingungen",
  termsHint: "Markdown geht. Wer ein Konto anlegt, stimmt ihnen zu.",
  contact: "Kontakt",
  contactHint: "Der Name eines Kontos auf diesem Server, zum Beispiel deines.",
  contactMail: "E-Mail für alle",
  contactMailHint: "Besucher sehen sie, auch in security.txt.",
  registration: "Wer ein Konto anlegen darf",
  registrations: {
    configured: "Wie es in der Konfiguration des Servers steht",
    open: "Alle",
    approval: "Alle, sobald die Moderation das Konto angenommen hat",
    closed: "Niemand ohne Einladung",
  },
  save: "Speichern",
  firstSteps: "Deine eigenen ersten Schritte",
  refused: (max) =>
    `Es wurde nichts gespeichert. Ein Name hat höchstens ${max.name} Zeichen, eine Beschreibung ${max.description}, die Regeln ${max.rules}, der Text vor dem Anlegen eines Kontos ${max.joining}, die Texte zu Datenschutz und Nutzung ${max.terms}. Der Kontakt hat ein Konto hier, und die E-Mail ist eine Adresse.`,

  look: "Das Aussehen dieses Servers",
  picture: "Bild des Servers",
  pictureHint:
    "JPEG, PNG, GIF, WebP oder AVIF. Es steht auf der Startseite, unter „Über“, in Apps und in Linkvorschauen.",
  savePicture: "Bild speichern",
  removePicture: "Bild entfernen",
  pictureRefused:
    "Nichts wurde gespeichert. Das Bild muss eine unbeschädigte Datei im Format JPEG, PNG, GIF, WebP oder AVIF mit höchstens 20 MB sein.",
  usualLanguage: "Übliche Sprache",
  usualLanguageHint:
    "Für Besucher, deren Browser keine Sprache der Seiten nennt. Konten wählen ihre eigene.",
  languages: { en: "English", de: "Deutsch" },
  accent_light: "Akzentfarbe auf hellem Grund",
  accent_dark: "Akzentfarbe auf dunklem Grund",
  accentHint: "Etwa #0b6157. Leer lassen für die übliche.",
  noColour:
    "Nichts wurde gespeichert. Eine Farbe ist # mit sechs Ziffern oder Buchstaben von a bis f, etwa #0b6157.",
  lowContrast: {
    light: (measured: string, min: number) =>
      `Nichts wurde gespeichert. Die Farbe für hellen Grund hat einen Kontrast von ${measured}; gut lesbar ist sie ab ${min}. Nimm eine dunklere.`,
    dark: (measured: string, min: number) =>
      `Nichts wurde gespeichert. Die Farbe für dunklen Grund hat einen Kontrast von ${measured}; gut lesbar ist sie ab ${min}. Nimm eine hellere.`,
  },
  style: "Stylesheet",
  styleHint:
    "CSS mit höchstens 20 kB, nach dem von Kith. Es lädt nichts von anderen Servern. Verwaltung und Anmeldung verwenden es nicht, sodass du es immer entfernen kannst.",
  nothingSaved: "Nichts wurde gespeichert.",
  styleFaults: {
    too_long: "Das Stylesheet ist zu lang.",
    unreadable: (line: number) =>
      `Das Stylesheet lässt sich nicht lesen: siehe Zeile ${line}.`,
    forbidden: (what: string) =>
      `Ein Stylesheet darf hier ${what} nicht verwenden.`,
    unclosed:
      "Im Stylesheet ist ein Text oder eine Adresse nicht abgeschlossen.",
    elsewhere:
      "Ein Stylesheet lädt hier nur Dateien dieses Servers; ihre Adressen beginnen mit /.",
  },
  saveLook: "Aussehen speichern",

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
