// The script of every page of the site: the theme (light or dark), tables that can be sorted and
// filtered, data that come as scripts, and printing. The script asks for no other files than the
// files of the site, and puts texts of the lake on a page as text only.
"use strict";
window.captionlake = (() => {
  const root = new URL("..", document.currentScript.src);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
    element.append(...children);
    return element;
  };
  const svg = (tag, attributes, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };

  // Storage may be refused; then a choice lasts as long as the page.
  const stored = {
    get: (key) => { try { return localStorage.getItem(key); } catch { return null; } },
    set: (key, value) => { try { localStorage.setItem(key, value); } catch { /* as said */ } },
  };

  // Light and dark: what the system says, until somebody chooses.
  const themes = ["auto", "light", "dark"];
  let theme = themes.includes(stored.get("captionlake-theme")) ? stored.get("captionlake-theme") : "auto";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const applyTheme = () => {
    if (theme === "auto") delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = theme;
    drawings(theme === "auto" ? dark.matches : theme === "dark");
  };
  // A figure has a drawing of its own for the dark.
  const drawings = (inDark) => {
    for (const e of all("picture > *")) {
      const name = e.localName === "img" ? "src" : "srcset", now = e.getAttribute(name), then = now.replace(/(-dark)?\.svg$/, inDark ? "-dark.svg" : ".svg");
      if (now !== then) e.setAttribute(name, then);
    }
  };
  applyTheme();
  dark.addEventListener("change", applyTheme);
  const themeButton = () => {
    const button = make("button", { class: "theme", type: "button" });
    const show = () => { button.textContent = `Theme: ${theme}`; };
    button.addEventListener("click", () => {
      theme = themes[(themes.indexOf(theme) + 1) % themes.length];
      stored.set("captionlake-theme", theme);
      applyTheme();
      show();
    });
    show();
    document.querySelector("header.top")?.append(button);
  };

  // Data come as scripts, because a page that is opened from a disk may load nothing else. A script of data calls data(path, value).
  const policy = window.trustedTypes?.createPolicy("captionlake", {
    createScriptURL: (path) => {
      if (!/^data\/[\w./-]+\.js$/.test(path) || path.includes("..")) throw new TypeError(`${path} is no data of this site`);
      return new URL(path, root).href;
    },
  });
  const waiting = new Map(), loaded = new Map();
  const data = (path, value) => { loaded.set(path, value); };
  const load = (path) => {
    if (!waiting.has(path)) {
      waiting.set(path, new Promise((resolve, reject) => {
        const script = make("script");
        script.addEventListener("load", () => { if (loaded.has(path)) resolve(loaded.get(path)); else reject(new Error(`${path} holds no data`)); });
        script.addEventListener("error", () => { waiting.delete(path); reject(new Error(`${path} cannot be read`)); });
        script.src = policy ? policy.createScriptURL(path) : new URL(path, root).href;
        document.head.append(script);
      }));
    }
    return waiting.get(path);
  };
  const forget = (path) => { waiting.delete(path); loaded.delete(path); };

  // Tables.
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const numbers = new Intl.NumberFormat("en");
  const mostChoices = 60;
  let named = 0;

  // readCell reads a cell of a table on the page: its text, and its number with the interval.
  const readCell = (element) => {
    const number = (name) => (element.dataset[name] === undefined ? null : Number(element.dataset[name]));
    return { text: (element.dataset.v === undefined ? element : element.firstChild).textContent.trim(), value: number("v"), low: number("low"), high: number("high"), best: number("best") };
  };

  // tableOf makes the model of a table that the page has.
  const tableOf = (table) => {
    const columns = all("thead th", table).map((th) => {
      const { id = "", page = "" } = th.dataset;
      return { th, id, head: th.textContent.trim(), number: th.classList.contains("num"), facet: page === "facet" || page === "first", first: page === "first", extra: page === "extra", main: page === "main", ascending: /place|rank/.test(id) };
    });
    const groups = all("tbody", table).map((body) => ({
      body, head: body.querySelector(":scope > tr > th[scope=rowgroup]")?.parentElement,
      rows: all(":scope > tr", body).filter((tr) => !tr.querySelector("th[scope=rowgroup]")).map((tr) => ({ cells: [...tr.children].map(readCell), tr })),
    }));
    return { columns, groups };
  };

  // The interval of a row, on the scale of all rows that are shown.
  const interval = (cell, least, greatest) => {
    const at = (v) => (greatest > least ? 4 + 168 * (v - least) / (greatest - least) : 88).toFixed(1);
    const low = cell.low ?? cell.value, high = cell.high ?? cell.value;
    const parts = [svg("line", { class: "whisker", x1: at(low), x2: at(high), y1: 12, y2: 12 }), svg("circle", { class: "point", cx: at(cell.value), cy: 12, r: 4 })];
    if (cell.best != null) parts.unshift(svg("circle", { class: "other", cx: at(cell.best), cy: 12, r: 5 }));
    if (least < 0 && greatest > 0) parts.unshift(svg("line", { class: "zero", x1: at(0), x2: at(0), y1: 0, y2: 24 }));
    return svg("svg", { class: "plot-line", viewBox: "0 0 176 24", "aria-hidden": "true" }, ...parts);
  };

  const csvCell = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  // board gives a table its controls.
  const board = (place, model) => {
    const { columns, groups } = model, every = groups.flatMap((g) => g.rows);
    const status = make("output", { "aria-live": "polite" }), controls = make("details", { class: "controls", open: innerWidth > 600 }, make("summary", {}, "Choose rows"));
    let sorted = null, descending = false, words = "", extras = false;
    const chosen = new Map(), fixed = [], prefix = `board${++named}`;

    const plotHead = columns.some((c) => c.number) && every.some((r) => r.cells.some((c) => c.low !== null || c.best != null)) ? make("th", { scope: "col", class: "plot" }) : null;
    const plotAt = columns.findIndex((c) => c.number);
    if (plotHead) columns[plotAt].th.before(plotHead);

    const matches = (row) => [...chosen].every(([k, v]) => row.cells[k].text === v) && (words === "" || row.cells.some((c) => c.text.toLowerCase().includes(words)));
    const compare = (a, b) => {
      const x = a.cells[sorted], y = b.cells[sorted];
      if (!columns[sorted].number) return (descending ? -1 : 1) * collator.compare(x.text, y.text);
      if (x.value === null || y.value === null) return (x.value === null) - (y.value === null);
      return (descending ? -1 : 1) * (x.value - y.value);
    };
    const visible = (c, k) => (extras || !c.extra) && !(k > 0 && chosen.has(k)); // what was chosen is said above
    let shownRows = [];
    const draw = () => {
      const found = groups.map((g) => { const rows = g.rows.filter(matches); return sorted === null ? rows : rows.toSorted(compare); });
      shownRows = found.flat();
      const plot = !plotHead ? -1 : sorted !== null && columns[sorted].number ? sorted : columns.findIndex((c) => c.main);
      const plotted = plot < 0 ? [] : shownRows.map((r) => r.cells[plot]).filter((c) => c.value !== null);
      const ends = plotted.flatMap((c) => [c.low ?? c.value, c.high ?? c.value, ...(c.best == null ? [] : [c.best])]);
      const least = ends.reduce((a, b) => Math.min(a, b), Infinity), greatest = ends.reduce((a, b) => Math.max(a, b), -Infinity);
      groups.forEach((g, i) => {
        const rows = found[i].map((row) => {
          const { tr } = row;
          tr.querySelector(":scope > td.plot")?.remove();
          [...tr.children].forEach((cell, k) => { cell.hidden = !visible(columns[k], k); });
          if (plotHead) {
            const cell = make("td", { class: "plot", hidden: plotted.length === 0 });
            if (plot >= 0 && row.cells[plot].value !== null) cell.append(interval(row.cells[plot], least, greatest));
            tr.children[plotAt].before(cell);
          }
          return tr;
        });
        g.body.replaceChildren(...(g.head && rows.length ? [g.head] : []), ...rows);
        g.body.hidden = rows.length === 0;
      });
      const seen = columns.filter(visible).length + (plotted.length ? 1 : 0);
      for (const g of groups) if (g.head) g.head.firstElementChild.colSpan = seen;
      if (plotHead) plotHead.hidden = plotted.length === 0;
      if (plotted.length) plotHead.textContent = `${columns[plot].head}: ${least.toLocaleString("en", { maximumSignificantDigits: 3 })} to ${greatest.toLocaleString("en", { maximumSignificantDigits: 3 })}`;
      columns.forEach((c, k) => {
        c.th.hidden = !visible(c, k);
        if (k === sorted) c.th.setAttribute("aria-sort", descending ? "descending" : "ascending"); else c.th.removeAttribute("aria-sort");
      });
      status.textContent = `${shownRows.length === every.length ? "" : `${numbers.format(shownRows.length)} of `}${numbers.format(every.length)} ${every.length === 1 ? "row" : "rows"}${fixed.map((f) => ` · ${f}`).join("")}`;
    };

    columns.forEach((c, k) => {
      const button = make("button", { type: "button" }, ...c.th.childNodes);
      c.th.replaceChildren(button);
      button.addEventListener("click", () => {
        descending = sorted === k ? !descending : c.number && !c.ascending;
        sorted = k;
        draw();
      });
    });

    if (every.length > 8) {
      const search = make("input", { type: "search", id: `${prefix}-find`, autocomplete: "off" });
      search.addEventListener("input", () => { words = search.value.trim().toLowerCase(); draw(); });
      controls.append(make("label", { for: search.id }, "Find", search));
    }
    const wanted = new URLSearchParams(location.hash.slice(1));
    columns.forEach((c, k) => {
      if (!c.facet) return;
      const values = [...new Set(every.map((r) => r.cells[k].text))].sort(collator.compare);
      if (values.length > mostChoices) return;
      if (values.length === 1) { // what all rows have in common is said once
        chosen.set(k, values[0]);
        if (values[0]) fixed.push(`${c.head}: ${values[0]}`);
        return;
      }
      const select = make("select", { id: `${prefix}-${k}`, "data-facet": c.id }, make("option", { value: "" }, "all"), ...values.map((v, i) => make("option", { value: String(i + 1) }, v === "" ? "–" : v)));
      const start = wanted.get(c.id) ?? (c.first ? every[0]?.cells[k].text : undefined);
      if (start !== undefined && values.includes(start)) { chosen.set(k, start); select.value = String(values.indexOf(start) + 1); }
      select.addEventListener("change", () => {
        if (select.value === "") chosen.delete(k); else chosen.set(k, values[Number(select.value) - 1]);
        draw();
      });
      controls.append(make("label", { for: select.id }, c.head, select));
    });
    if (columns.some((c) => c.extra)) {
      const box = make("input", { type: "checkbox" });
      box.addEventListener("change", () => { extras = box.checked; draw(); });
      controls.append(make("label", { class: "check" }, box, "All columns"));
    }
    if (every.length > 1) {
      const save = make("button", { type: "button" }, "Save as CSV");
      save.addEventListener("click", () => {
        const head = columns.flatMap((c, k) => [c.id || c.head, ...(every.some((r) => r.cells[k].low !== null) ? [`${c.id || c.head}_low`, `${c.id || c.head}_high`] : [])]);
        const lines = shownRows.map((r) => r.cells.flatMap((c, k) => [c.value === null ? (columns[k].number ? "" : c.text) : String(c.value), ...(every.some((x) => x.cells[k].low !== null) ? [c.low ?? "", c.high ?? ""] : [])]));
        const url = URL.createObjectURL(new Blob([[head, ...lines].map((l) => l.map((x) => csvCell(String(x))).join(",")).join("\r\n") + "\r\n"], { type: "text/csv" }));
        make("a", { href: url, download: `${place.dataset.name || "rows"}.csv` }).click();
        setTimeout(() => URL.revokeObjectURL(url), 10000);
      });
      controls.append(save);
    }
    place.prepend(...(controls.children.length > 1 ? [controls] : []), status);
    draw();
  };

  const boards = () => { for (const place of all("[data-board]")) board(place, tableOf(place.querySelector("table"))); };

  // Folded parts are opened for printing, and folded again afterwards.
  const opened = [];
  addEventListener("beforeprint", () => { drawings(false); for (const d of all("details:not([open])")) { d.open = true; opened.push(d); } });
  addEventListener("afterprint", () => { applyTheme(); for (const d of opened.splice(0)) d.open = false; });

  document.addEventListener("DOMContentLoaded", () => { applyTheme(); themeButton(); boards(); });
  return Object.freeze({ data, load, forget, make, svg, all });
})();
