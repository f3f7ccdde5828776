// Asks the browser for a place to push to, and sends it with the form. Without this script, or
// where the browser receives no pushes, the form stays hidden.

const WORKER = "/assets/push-worker.js";

const canReceive =
  "serviceWorker" in navigator &&
  "PushManager" in window &&
  "Notification" in window;

if (canReceive)
  for (const form of document.querySelectorAll("form[data-push-key]")) {
    form.hidden = false;
    for (const hint of document.querySelectorAll("[data-push-missing]"))
      hint.hidden = true;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void send(form);
    });
  }

async function send(form) {
  const alert = form.querySelector("[role=alert]");
  alert.hidden = true;
  try {
    const { endpoint, keys } = (await subscribe(form.dataset.pushKey)).toJSON();
    const values = { endpoint, p256dh: keys.p256dh, auth: keys.auth };
    for (const [name, value] of Object.entries(values))
      form.elements.namedItem(name).value = value;
    form.submit();
  } catch {
    alert.hidden = false;
    alert.focus();
  }
}

/** A subscription for another key, or another account, is of no use. */
async function subscribe(key) {
  if ((await Notification.requestPermission()) !== "granted")
    throw new Error("Not allowed");
  const registration = await navigator.serviceWorker.register(WORKER);
  await activated(registration);
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  return registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
}

/** `serviceWorker.ready` waits for a worker of this page, and this one has none. */
async function activated({ installing, waiting, active }) {
  const worker = installing ?? waiting;
  if (active || !worker) return;
  await new Promise((resolve) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve();
    });
  });
}
