import type { englishNewcomers } from "../../en/server/newcomers.ts";

export const germanNewcomers: typeof englishNewcomers = {
  noLinks:
    "Neue Konten können hier noch keine Links schreiben. Lass den Link weg.",
  tooMany:
    "Neue Konten können hier nur eine begrenzte Menge am Tag schreiben. Versuch es später wieder, oder speichere einen Entwurf.",
  title: "Neue Konten",
  minAge: "Mindestalter",
  minAgeHint:
    "In Jahren; 0 für jedes. Beim Registrieren wird nach dem Geburtsdatum gefragt; es wird geprüft und nicht gespeichert.",
  days: "Wie viele Tage ein Konto neu ist",
  daysHint:
    "0 für keine Grenzen. Die Grenzen gelten nicht für Moderation und Admins.",
  posts: "Beiträge und Kommentare am Tag",
  follows: "Gefolgte Leute am Tag",
  limitHint: "0 für keine Grenze.",
  links: "Neue Konten dürfen Links schreiben",
  save: "Grenzen speichern",
  refused:
    "Nichts wurde gespeichert: Gib ganze Zahlen ein, höchstens 365 Tage, 10.000 am Tag und 120 Jahre.",
  born: "Geburtsdatum",
  bornHint: (years) =>
    years === 1
      ? "Du musst mindestens 1 Jahr alt sein. Das Datum wird geprüft und nicht gespeichert."
      : `Du musst mindestens ${years} Jahre alt sein. Das Datum wird geprüft und nicht gespeichert.`,
  faults: {
    username_reserved: "Dieser Name ist reserviert. Wähle einen anderen.",
    date_of_birth_blank: "Gib dein Geburtsdatum ein.",
    date_of_birth_malformed:
      "Gib dein Geburtsdatum als Datum ein, zum Beispiel 1990-12-31.",
    date_of_birth_too_late:
      "Du bist nicht alt genug, um diesem Server beizutreten.",
  },
};
