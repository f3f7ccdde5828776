import type { englishCompose } from "../en/compose.ts";

/** The German texts of the page that writes posts, and of drafts. */
export const germanCompose: typeof englishCompose = {
  title: "Schreiben",
  drafts: "Entwürfe und geplante Beiträge",
  check: "Prüfen, wer ihn sieht",
  save: "Als Entwurf speichern",
  publishTo: (n) =>
    n === 1 ? "Für 1 Person veröffentlichen" : `Für ${n} Leute veröffentlichen`,
  rendered: "Vorschau",
  publishToEveryone: "Für alle veröffentlichen",
  publishToMe: "Nur für mich veröffentlichen",
  reach: {
    everyone: "Alle im Netz sehen ihn, auch ohne Konto.",
    unlisted:
      "Alle, die den Link haben, sehen ihn, auch ohne Konto. In öffentlichen Listen fehlt er.",
    self: "Niemand außer dir sieht ihn.",
    nobody: "Niemand würde ihn bekommen.",
    people: (n, servers, isHere) => {
      const who = n === 1 ? "1 Person" : `${n} Leute`;
      if (servers === 0) return `${who} auf diesem Server.`;
      return isHere
        ? `${who} auf diesem Server und ${servers === 1 ? "1 anderen" : `${servers} anderen`}.`
        : `${who} auf ${servers === 1 ? "einem anderen Server" : `${servers} anderen Servern`}.`;
    },
    more: (n) => (n === 1 ? "und 1 weitere Person" : `und ${n} weitere`),
    noReshare: "Sie können ihn nicht teilen.",
  },
  shortfalls: {
    mentions: "Erwähnt, bekommen ihn aber nicht:",
    unreachable: "Nicht zu erreichen:",
    listed: "Diese Server zeigen ihn trotzdem in ihren öffentlichen Listen:",
    edits: "Spätere Änderungen kommen auf diesen Servern nicht an:",
    recordings:
      "Diese Server bekommen nur einen Link auf deinen Ton oder dein Video:",
  },
  pictures: "Bilder, Töne und Videos",
  describe: "Was ist zu sehen oder zu hören?",
  describeHint: "Für Leute, die es nicht sehen oder hören.",
  describeFirst:
    "Deine Dateien sind angehängt. Beschreib sie, wenn du kannst, und veröffentliche dann.",
  addPictures: "Bilder, Töne oder Videos hinzufügen",
  poll: "Umfrage",
  place: "Ort",
  placeName: "Sein Name",
  placeHint:
    "Wo du bist oder warst: Alle, die den Beitrag sehen, sehen es. Die beiden Zahlen eines Ortes zeigt jede Karte, zum Beispiel 52.52 und 13.405.",
  lat: "Breite",
  lng: "Länge",
  placeRefused:
    "Ein Ort hat eine Breite von -90 bis 90, eine Länge von -180 bis 180 und einen Namen mit höchstens 255 Zeichen.",
  more: "Inhaltswarnung, Sprache, Zeitpunkt",
  language: "Sprache des Beitrags",
  noLanguage: "Keine Angabe",
  quotableBy: "Wer ihn zitieren darf, wenn er öffentlich ist",
  quotableAsUsual: "Wie üblich",
  quotable: {
    everyone: "Alle",
    followers: "Leute, die mir folgen",
    nobody: "Nur ich",
  },
  time: "Veröffentlichen am",
  timeHint: (zone) =>
    `Leer lassen, um sofort zu veröffentlichen. Die Zeit gilt in ${zone}.`,
  timeRefused:
    "Wähle einen Zeitpunkt in der Zukunft, in den nächsten zwei Jahren.",
  saveRefused:
    "Der Entwurf wurde nicht gespeichert: Er ist zu lang, oder du hast schon 100 Entwürfe.",
  gone: "Diesen Entwurf gibt es nicht mehr: Er wurde veröffentlicht oder gelöscht.",
  failed: "Dieser Beitrag wurde zu seiner Zeit nicht veröffentlicht.",
  failedReason: (reason) => `Der Server hat dazu festgehalten: „${reason}“`,
  removeFile: (n) => `Datei ${n} entfernen`,
  faults: {
    noAudience: "Wähle, wer den Beitrag sieht.",
    partGone:
      "Ein Teil des Beitrags fehlt: Der Termin oder der Beitrag, der dazugehört, wurde gelöscht.",
    refused:
      "Der Beitrag wurde nicht veröffentlicht: Dieser Server nimmt ihn so nicht an.",
    warningTooLong: (max) =>
      `Eine Inhaltswarnung hat höchstens ${max} Zeichen.`,
    tooManyFiles: (max) =>
      `Es ist Platz für ${max} Bilder, Töne und Videos. Die ersten ${max} sind angehängt, die anderen nicht.`,
    filesGone:
      "Eine angehängte Datei ist nicht mehr da: Sie wurde gelöscht oder anderswo veröffentlicht. Sie ist hier weggelassen: Prüfe den Rest und schick ihn noch einmal ab.",
    uploadTooLarge: (max) =>
      `Die Dateien sind zu groß: Dieser Server nimmt höchstens ${max} auf einmal. Von den neuen ist keine angehängt. Prüfe den Rest des Formulars und wähle kleinere Dateien.`,
    bodyTooLarge: (max) =>
      `Was du geschickt hast, ist größer, als dieser Server erlaubt: höchstens ${max}. Geh zurück, wähle kleinere Dateien und schick es noch einmal ab.`,
    mentionsNobody:
      "Der Text erwähnt niemanden, der hier bekannt ist. Erwähne jemanden mit @name@host oder wähle andere, die den Beitrag sehen.",
  },
  list: {
    none: "Keine Entwürfe. Schreib etwas und speichere es für später.",
    write: "Schreiben",
    empty: "Ohne Text",
    edit: "Weiterschreiben",
    publish: "Jetzt veröffentlichen",
    delete: "Löschen",
    about: (beginning) => `„${beginning}“`,
    scheduled: "Wird veröffentlicht:",
    saved: "Gespeichert:",
    audience: "Wer ihn sieht:",
    refused:
      "Der Entwurf wurde nicht veröffentlicht. Öffne ihn: Vielleicht fehlt ein Text, oder seine Leserschaft oder ein Bild ist nicht mehr da.",
    newer: "Neuere Entwürfe",
    older: "Ältere Entwürfe",
  },
};
