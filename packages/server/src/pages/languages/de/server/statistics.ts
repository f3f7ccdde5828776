import type { englishStatistics } from "../../en/server/statistics.ts";

/** The German texts of the numbers in the overview of the administration. */
export const germanStatistics: typeof englishStatistics = {
  title: "Der Server in Zahlen",
  spans: "Welche Zeiten gezeigt werden",
  of: { hours: "Stunden", days: "Tage", months: "Monate" },
  zones:
    "Stunden stehen in deiner Zeitzone; Tage und Monate sind die der UTC. Die laufende Zeit ist noch nicht vorbei.",
  asTable: "Als Tabelle",
  nothing: "Für diese Zeit ist noch nichts aufgezeichnet.",
  time: "Zeit",
  least: "mindestens",
  most: "höchstens",
  last: "zuletzt",
  plots: {
    people: "Menschen, die hier waren",
    written: "Von Menschen hier geschrieben",
    messages: "Nachrichten von anderen Servern",
    deliveries: "Zustellungen an andere Server",
    queue: "Wartende Aufträge, höchstens",
    storage: "Speicher",
    moderation: "Moderation",
  },
  series: {
    people: "Menschen",
    posts: "Beiträge",
    comments: "Kommentare",
    messages: "Angenommen",
    refused_messages: "Abgelehnt",
    delivered: "Zugestellt",
    failed: "Gescheitert",
    waiting_jobs: "Aufträge",
    database_bytes: "Datenbank",
    upload_bytes: "Hochgeladenes",
    remote_media_bytes: "Medien anderer Server",
    reports: "Meldungen",
    decisions: "Entscheidungen",
  },
  failing: "Server, an die in der letzten Woche Zustellungen scheiterten",
  noneFailing: "In der letzten Woche sind alle Zustellungen angekommen.",
  host: "Server",
};
