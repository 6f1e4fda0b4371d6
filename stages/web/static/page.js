// What every page for people does with a keyboard, a picture and the time. It sends no change of its own accord:
// every change is a form of the page, which works without this script, too.
"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // Time: how long the page was hidden is taken off the time of a decision.
  let away = 0, hiddenSince = document.hidden ? performance.now() : null;
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hiddenSince = performance.now();
    else if (hiddenSince !== null) { away += performance.now() - hiddenSince; hiddenSince = null; }
  });

  // tell says a person something at the top of the page, once.
  const tell = (text) => {
    const note = document.getElementById("said") ?? document.createElement("p");
    note.id = "said"; note.className = "note"; note.setAttribute("role", "status"); note.textContent = text;
    document.querySelector("main")?.prepend(note);
  };

  // A form is sent once, however often a key is pressed. If no answer comes in 20 seconds, or Escape stops the request, the form can be
  // sent again: the server keeps one decision of a person on an item.
  let sent = false;
  const again = () => {
    if (!sent) return;
    sent = false;
    all("button[data-sent]").forEach((b) => { b.disabled = false; b.removeAttribute("data-sent"); b.removeAttribute("aria-pressed"); });
    tell("No answer from the server yet. It may have stored your decision: try again, or load the page again.");
  };
  addEventListener("keydown", (event) => { if (event.key === "Escape") again(); }, true);
  document.addEventListener("submit", (event) => {
    if (event.target.matches("[data-wait]")) return;
    if (sent) { event.preventDefault(); return; }
    if (event.target.method !== "post") return;
    if (event.submitter?.matches("[data-look]") && all(".stage img").some((image) => !image.hidden && !image.naturalWidth)) {
      event.preventDefault();
      tell("The picture has not arrived, and nothing was stored: wait for it, or load it again.");
      return;
    }
    sent = true;
    setTimeout(again, 20_000);
    for (const field of all("input[name=away]", event.target)) field.value = (Number(field.defaultValue) + away / 1000).toFixed(3); // The value from the server is the time of an earlier page of this decision.
    event.submitter?.setAttribute("aria-pressed", "true");
    setTimeout(() => all("button:enabled").filter((b) => b.form?.method === "post").forEach((b) => { b.disabled = true; b.dataset.sent = ""; }), 0); // after the form's data were taken
  });
  addEventListener("pageshow", (event) => { if (event.persisted && !document.querySelector("form[data-wait]")) location.reload(); }); // "Back" would show what is decided.

  // A form whose answer may take long can be called off: the server stops when nobody waits any more. A download leaves the page as it is.
  for (const form of all("form[data-wait]")) {
    const says = form.querySelector(".waiting"), cancel = form.querySelector("[data-cancel]");
    const say = (text, running) => { says.textContent = text; cancel.hidden = !running; };
    form.addEventListener("submit", (event) => {
      const saves = event.submitter?.value !== "run";
      say(saves ? "The file comes when the query is done." : "Running…", !saves);
    });
    cancel.addEventListener("click", () => { stop(); say("Cancelled.", false); });
    addEventListener("pageshow", () => say("", false));
  }

  // A part of another page that is loaded when it is opened. Without this script, a link leads to that page.
  for (const part of all("details:has(a[data-part])")) {
    part.addEventListener("toggle", async () => {
      const link = part.querySelector("a[data-part]");
      if (!part.open || !link) return;
      const answer = await fetch(link.href);
      if (answer.ok) link.replaceWith(new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-part]"));
    });
  }

  // Dialogs, which are pages of their own without this script.
  const dialogOf = (opener) => document.getElementById(opener.dataset.dialog);
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-dialog]");
    if (opener && dialogOf(opener)) { event.preventDefault(); dialogOf(opener).showModal(); }
    if (event.target.closest("[data-close]")) event.target.closest("dialog").close();
    if (event.target instanceof HTMLDialogElement) event.target.close(); // outside of its content
  });

  // Keys: each key in data-keys clicks the element. While a dialog is open, only the dialog's keys count. All keys can be turned off, for
  // people who speak to their computer. While a person writes a text, only Ctrl+Enter counts.
  const off = () => localStorage.getItem("captionlake-keys") === "off";
  for (const box of all("input[data-toggle-keys]")) {
    box.closest("[hidden]")?.removeAttribute("hidden");
    box.checked = !off();
    box.addEventListener("change", () => localStorage.setItem("captionlake-keys", box.checked ? "on" : "off"));
  }
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.repeat || event.isComposing || off()) return;
    const control = event.ctrlKey || event.metaKey;
    const latin = /^[^\x00-\x7f]$/.test(event.key) ? event.code.replace(/^(Key|Digit)/, "") : event.key; // on Greek, Russian and other layouts
    const key = (control ? "ctrl+" : "") + latin.toLowerCase();
    const writing = event.target.closest("input[type=text], input[type=search], textarea, select, [contenteditable]");
    if ((writing || control) && key !== "ctrl+enter") return;
    const open = document.querySelector("dialog[open]");
    const hit = all("[data-keys]", open ?? document).find((e) => e.dataset.keys.split(" ").includes(key) && !e.disabled && e.offsetParent !== null);
    if (hit) {
      event.preventDefault();
      hit.click();
    } else if (open && all("[data-dialog]").some((e) => dialogOf(e) === open && e.dataset.keys?.split(" ").includes(key))) {
      event.preventDefault();
      open.close(); // The key that opened a dialog closes it.
    }
  });

  // The picture: zoom by wheel, pinch, double click, buttons and keys; moved by dragging and arrow keys; frames one at a time.
  for (const viewer of all(".viewer")) {
    const stage = viewer.querySelector(".stage"), frames = all("img", viewer), pointers = new Map();
    const shows = viewer.querySelector("output");
    const broken = () => { // A picture that did not load can be asked for again.
      if (stage.querySelector("button")) return;
      const retry = document.createElement("button");
      retry.type = "button"; retry.textContent = "Load the picture again";
      retry.addEventListener("click", () => { retry.remove(); frames.filter((f) => !f.naturalWidth).forEach((f) => { f.src = f.src; }); });
      stage.append(retry);
    };
    for (const frame of frames) {
      frame.addEventListener("error", broken);
      if (frame.complete && !frame.naturalWidth) broken();
    }
    let current = 0, scale = 1, x = 0, y = 0, moved = false;
    viewer.querySelector(".tools")?.removeAttribute("hidden");
    viewer.classList.add("single");

    const draw = (easing) => {
      const image = frames[current], most = 12;
      scale = Math.min(Math.max(scale, 1), most);
      const roomX = image.clientWidth * (scale - 1), roomY = image.clientHeight * (scale - 1);
      x = Math.min(0, Math.max(-roomX, x)); y = Math.min(0, Math.max(-roomY, y));
      viewer.classList.toggle("zoomed", scale > 1);
      viewer.classList.toggle("easing", Boolean(easing));
      image.style.transform = scale === 1 ? "" : `translate(${x}px, ${y}px) scale(${scale})`;
      if (shows) shows.textContent = `${Math.round(scale * 100)} %` + (frames.length > 1 ? `, frame ${current + 1} of ${frames.length}` : "");
    };
    const zoom = (factor, at, easing) => {
      const box = stage.getBoundingClientRect(), image = frames[current];
      const px = (at ? at.x - box.left : box.width / 2) - image.offsetLeft + stage.offsetLeft;
      const py = (at ? at.y - box.top : box.height / 2) - image.offsetTop + stage.offsetTop;
      const next = Math.min(Math.max(scale * factor, 1), 12);
      x = px - (px - x) * next / scale; y = py - (py - y) * next / scale; scale = next;
      draw(easing);
    };
    const fit = () => { scale = 1; x = y = 0; draw(true); };
    const show = (n) => {
      frames[current].style.transform = "";
      current = (n + frames.length) % frames.length;
      frames.forEach((f, i) => { f.hidden = i !== current; });
      scale = 1; x = y = 0; draw();
    };
    const acts = { "zoom-in": () => zoom(1.5, null, true), "zoom-out": () => zoom(1 / 1.5, null, true), fit, next: () => show(current + 1), previous: () => show(current - 1), focus: () => stage.focus() };
    for (const button of all("[data-view]", viewer)) button.addEventListener("click", () => acts[button.dataset.view]());

    stage.addEventListener("wheel", (event) => {
      // Where the picture is above the texts, the wheel scrolls the page, unless Ctrl is held or the picture is zoomed already.
      if (!event.ctrlKey && scale === 1 && getComputedStyle(viewer).position !== "sticky") return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), { x: event.clientX, y: event.clientY });
    }, { passive: false });
    stage.addEventListener("dblclick", (event) => { if (scale > 1) fit(); else zoom(3, { x: event.clientX, y: event.clientY }, true); });
    stage.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
      if (!step || scale === 1) return;
      event.preventDefault();
      x += step[0]; y += step[1]; draw(true);
    });
    stage.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, event);
      if (scale > 1 || pointers.size > 1) { stage.setPointerCapture(event.pointerId); viewer.classList.add("dragging"); }
      moved = false;
    });
    stage.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const others = [...pointers.values()].filter((p) => p.pointerId !== event.pointerId);
      pointers.set(event.pointerId, event);
      if (others.length === 1) {
        const far = (p) => Math.hypot(p.clientX - others[0].clientX, p.clientY - others[0].clientY);
        zoom(far(event) / Math.max(far(before), 1), { x: (event.clientX + others[0].clientX) / 2, y: (event.clientY + others[0].clientY) / 2 });
      } else if (scale > 1) {
        x += event.clientX - before.clientX; y += event.clientY - before.clientY; moved = true; draw();
      }
    });
    const lift = (event) => { pointers.delete(event.pointerId); if (!pointers.size) viewer.classList.remove("dragging"); };
    stage.addEventListener("pointerup", lift);
    stage.addEventListener("pointercancel", lift);
    addEventListener("resize", () => draw());
    show(0);
  }
})();
