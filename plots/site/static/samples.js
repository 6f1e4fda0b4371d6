// The sample viewer. Data come as scripts when they are needed: an index, the outcomes of one condition after another, and the texts of a few
// pictures. Every text of the lake is put on the page as text.
"use strict";
(() => {
  const root = document.getElementById("samples");
  if (!root) return;
  const kinds = root.dataset.kinds.trim().split(" ").filter(Boolean);
  const form = root.querySelector(".filters"), found = root.querySelector(".found"), list = root.querySelector(".list"), pane = root.querySelector(".sample");
  const pageSize = 50;

  // On a phone the filters would fill the screen, so they are folded there until somebody wants them.
  const small = matchMedia("(max-width: 40rem)"), fold = () => { root.querySelector(".filtering").open = !small.matches; };
  small.addEventListener("change", fold);
  fold();

  const load = (name) => captionlake.load("data/samples/" + name);
  const keep = 12, recent = []; // shards of texts in memory
  const loadTexts = (name) => {
    const at = recent.indexOf(name);
    if (at >= 0) recent.splice(at, 1);
    recent.push(name);
    while (recent.length > keep) captionlake.forget("data/samples/" + recent.shift());
    return load(name);
  };

  // Making elements. Strings become text and nothing else. Characters that control a terminal or
  // turn the direction of writing become visible.
  const plain = (text) => String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (c) => c === "\r" ? "" : "\ufffd");
  const make = (tag, attributes = {}, ...children) => captionlake.make(tag, attributes, ...children.filter((c) => c !== null && c !== undefined && c !== false).map((c) => c instanceof Node ? c : plain(c)));
  const foreign = (tag, text, more = {}) => make(tag, { dir: "auto", ...more, class: ("foreign " + (more.class || "")).trim() }, text);
  const number = (n) => n.toLocaleString("en"), counted = (n, one) => `${number(n)} ${one}${n === 1 ? "" : "s"}`;

  // Sets: one for each kind, read when it is shown.
  const sets = new Map();
  const open = async (kind) => {
    if (!sets.has(kind)) {
      const x = await load(kind + "/index.js");
      const images = new Uint32Array(x.facets[0].codes.length);
      x.firsts.forEach((first, i) => images.fill(i, first, i + 1 < x.firsts.length ? x.firsts[i + 1] : images.length));
      const ids = x.ids.map((id, i) => id[0] === "/" ? x.images[images[i]] + id : id.slice(1));
      const places = new Map(ids.map((id, i) => [id, i]));
      const keys = x.conditions.map((c) => [c.who, c.prompt, c.by, c.form, c.protocol, c.repeat, c.provenance].join("~"));
      sets.set(kind, { ...x, size: ids.length, image: images, ids, places, keys, titles: null });
    }
    return sets.get(kind);
  };

  // The state is the address's fragment: kind, id of the sample, and the filter.
  const read = () => {
    const p = new URLSearchParams(location.hash.slice(1));
    return { kind: kinds.includes(p.get("kind")) ? p.get("kind") : kinds[0], id: p.get("id") || "", q: p.get("q") || "", facets: [0, 1, 2, 3].map((i) => p.get("f" + i)), a: p.get("a") || "", ao: p.get("ao") || "", b: p.get("b") || "", bo: p.get("bo") || "", from: Math.max(0, Number(p.get("from")) || 0), prompt: p.get("prompt") };
  };
  const write = (s, id = s.id) => {
    const p = new URLSearchParams();
    p.set("kind", s.kind);
    if (id) p.set("id", id);
    if (s.q) p.set("q", s.q);
    s.facets.forEach((f, i) => { if (f !== null) p.set("f" + i, f); });
    for (const name of ["a", "ao", "b", "bo"]) if (s[name]) p.set(name, s[name]);
    if (s.from) p.set("from", s.from);
    if (s.prompt !== null) p.set("prompt", s.prompt);
    return "#" + p;
  };
  let state = read();

  const labelOf = (set, c) => {
    const differs = (field) => set.conditions.some((o) => o[field] !== c[field]);
    const parts = [c.prompt && differs("prompt") && c.prompt, c.form && differs("form") && c.form, c.by && differs("by") && "by " + c.by, c.protocol && differs("protocol") && c.protocol, c.repeat ? "repetition " + c.repeat : "", c.provenance !== "measured" && c.provenance];
    return [c.name, ...parts.filter(Boolean)].join(", ");
  };

  // Filtering: outcomes of a condition are one digit for each sample, so a filter is one pass over some strings.
  const matches = async (set, s) => {
    const tests = [];
    s.facets.forEach((value, i) => {
      if (value === null || !set.facets[i]) return;
      const code = set.facets[i].values.indexOf(value), codes = set.facets[i].codes;
      tests.push((n) => codes[n] === code);
    });
    for (const [key, outcome] of [[s.a, s.ao], [s.b, s.bo]]) {
      const c = set.keys.indexOf(key);
      if (c < 0 || outcome === "") continue;
      const digits = await load(`${s.kind}/outcomes-${c}.js`);
      const good = 49; // the digit 1
      if (outcome === "not") tests.push((n) => { const d = digits.charCodeAt(n); return d !== good && d !== 48; });
      else { const code = 48 + Number(outcome); tests.push((n) => digits.charCodeAt(n) === code); }
    }
    if (s.q) {
      const words = s.q.toLowerCase().split(/\s+/).filter(Boolean);
      const titles = await titlesOf(set, s.kind);
      const told = await toldOf(set, s.kind, words);
      tests.push((n) => { const text = (titles[n] + " " + set.ids[n]).toLowerCase(); return words.every((w) => text.includes(w)) || told.has(set.images[set.image[n]]); });
    }
    const all = [];
    for (let n = 0; n < set.size; n++) if (tests.every((t) => t(n))) all.push(n);
    return all;
  };
  // toldOf returns the pictures that have a caption with all words. The captions are in the files
  // of the texts, so all these files are read, once for the same words.
  const toldOf = async (set, kind, words) => {
    const key = words.join(" ");
    if (set.told?.key !== key) {
      const pictures = new Set();
      found.textContent = "Looking through the captions";
      for (const i of set.shards.keys()) {
        const { captions } = await loadTexts(`${kind}/texts-${i}.js`);
        for (const [picture, of] of Object.entries(captions)) if (of.some((c) => { const text = c.text.toLowerCase(); return words.every((w) => text.includes(w)); })) pictures.add(picture);
      }
      set.told = { key, pictures };
    }
    return set.told.pictures;
  };
  const titlesOf = async (set, kind) => set.titles ??= await load(kind + "/titles.js");

  // The form.
  const field = (label, control) => make("label", {}, label, control);
  const select = (name, options, value) => {
    const e = make("select", { name });
    let group = null, target = e;
    for (const o of options) {
      if ((o.group || null) !== group) { group = o.group || null; target = group ? make("optgroup", { label: plain(group) }) : e; if (group) e.append(target); }
      const option = make("option", { value: o.value }, o.text);
      option.selected = o.value === value;
      target.append(option);
    }
    return e;
  };
  const drawForm = (set) => {
    const { kind } = set, any = [{ value: "", text: "any" }];
    const parts = [];
    if (kinds.length > 1) parts.push(field("Kind", select("kind", kinds.map((k) => ({ value: k, text: k[0].toUpperCase() + k.slice(1) })), state.kind)));
    kind.facets.forEach((name, i) => {
      const values = set.facets[i].values;
      if (values.length < 2) return;
      const options = values.map((v, code) => ({ value: "=" + v, text: v || "none", code })).sort((x, y) => i === 3 ? x.code - y.code : x.text < y.text ? -1 : 1);
      parts.push(field(name[0].toUpperCase() + name.slice(1), select("f" + i, [...any, ...options], state.facets[i] === null ? "" : "=" + state.facets[i])));
    });
    parts.push(field("Words in titles, ids and captions", make("input", { type: "search", name: "q", value: state.q })));
    const conditions = set.conditions.map((c, i) => ({ value: set.keys[i], text: labelOf(set, c), group: c.prompt || c.form || "" }));
    conditions.sort((x, y) => x.group < y.group ? -1 : x.group > y.group ? 1 : 0);
    const outcomes = [{ value: "", text: "any outcome" }, { value: "1", text: kind.outcomes[1] }, { value: "not", text: "not " + kind.outcomes[1] }, ...kind.outcomes.slice(2).map((o, i) => ({ value: String(i + 2), text: o })), { value: "0", text: kind.outcomes[0] }];
    for (const name of ["a", "b"]) {
      parts.push(make("fieldset", {}, make("legend", {}, name.toUpperCase()), field(kind.who, select(name, [{ value: "", text: "choose" }, ...conditions], state[name])), field("outcome", select(name + "o", outcomes, state[name + "o"]))));
    }
    parts.push(make("button", { type: "button", "data-preset": "split" }, kind.name === "battles" ? "A and B disagree" : "A right, B wrong"), make("button", { type: "button", "data-preset": "swap" }, "Swap A and B"), make("button", { type: "button", "data-preset": "clear" }, "Clear"));
    form.replaceChildren(...parts);
  };
  const taken = () => {
    const values = new FormData(form), get = (name) => values.get(name) ?? "";
    const s = { ...state, from: 0, q: get("q").trim(), facets: [0, 1, 2, 3].map((i) => get("f" + i) ? get("f" + i).slice(1) : null) };
    for (const name of ["a", "ao", "b", "bo"]) s[name] = get(name);
    if (get("kind") && get("kind") !== state.kind) return { kind: get("kind"), id: "", q: "", facets: [null, null, null, null], a: "", ao: "", b: "", bo: "", from: 0, prompt: null };
    if (s.a && s.a !== state.a && !s.ao) s.ao = "";
    return s;
  };
  const go = (s, id) => { const hash = write(s, id); if (hash !== location.hash) location.hash = hash; };
  form.addEventListener("change", () => go(taken()));
  form.addEventListener("submit", (event) => { event.preventDefault(); go(taken()); });
  form.addEventListener("click", (event) => {
    const preset = event.target.closest("[data-preset]")?.dataset.preset;
    if (!preset) return;
    const set = sets.get(state.kind);
    let s = taken();
    if (preset === "clear") s = { ...s, q: "", facets: [null, null, null, null], a: "", ao: "", b: "", bo: "", from: 0 };
    if (preset === "swap") s = { ...s, a: s.b, ao: s.bo, b: s.a, bo: s.ao, from: 0 };
    if (preset === "split") {
      const main = set.conditions.map((c, i) => i).filter((i) => set.conditions[i].main).sort((x, y) => set.conditions[y].good / set.conditions[y].n - set.conditions[x].good / set.conditions[x].n);
      if (!s.a) s.a = set.keys[main[0] ?? 0];
      if (!s.b) s.b = set.keys[main.find((i) => set.keys[i] !== s.a) ?? 0];
      s.ao = "1"; s.bo = state.kind === "battles" ? "2" : "not"; s.from = 0;
    }
    go(s);
  });

  // The list, a page at a time.
  let hits = [], drawn = 0;
  const drawList = async (set) => {
    const titles = await titlesOf(set, state.kind);
    const from = Math.min(state.from, Math.max(0, Math.floor((hits.length - 1) / pageSize) * pageSize)), to = Math.min(hits.length, from + pageSize);
    found.textContent = `${number(hits.length)} of ${number(set.size)} ${(set.size === 1 ? set.kind.one : set.kind.title).toLowerCase()}`;
    const items = hits.slice(from, to).map((n) => make("li", {}, make("a", { href: write(state, set.ids[n]), "data-place": n, "aria-current": set.ids[n] === state.id ? "true" : false },
      foreign("span", titles[n] || set.ids[n], { class: "title" }), make("small", {}, [set.ids[n], ...set.facets.map((f) => f.values[f.codes[n]]).filter(Boolean)].join(" · ")))));
    const pager = hits.length > pageSize ? [make("div", { class: "pager" },
      from > 0 && make("a", { href: write({ ...state, from: Math.max(0, from - pageSize) }) }, "‹ Before"), `${number(from + 1)}–${number(to)}`,
      to < hits.length && make("a", { href: write({ ...state, from: to }) }, "Next ›"))] : [];
    list.replaceChildren(make("ol", {}, ...items), ...pager);
  };

  // One sample.
  const decode = (set, marks) => {
    const all = new Map();
    for (let i = 0; i + 5 <= marks.length; i += 5) all.set(parseInt(marks.slice(i, i + 3), 36), { outcome: Number(marks[i + 3]), choice: marks[i + 4] });
    return all;
  };
  const letter = (i) => i < 26 ? String.fromCharCode(65 + i) : "?";
  const drawSample = async (set, place) => {
    const ticket = ++drawn;
    if (place === undefined) {
      pane.replaceChildren(make("p", {}, state.id ? `There is no ${set.kind.one} ${state.id}.` : `Choose a ${set.kind.one}.`));
      return;
    }
    let shardNumber = 0;
    for (let low = 0, high = set.shards.length - 1; low <= high;) { const mid = (low + high) >> 1; if (set.shards[mid] <= place) { shardNumber = mid; low = mid + 1; } else high = mid - 1; }
    const shard = await loadTexts(`${state.kind}/texts-${shardNumber}.js`);
    const titles = await titlesOf(set, state.kind);
    if (ticket !== drawn) return; // another sample was chosen meanwhile
    const item = shard.items[place - shard.first], image = set.images[set.image[place]], marks = decode(set, item.marks);
    const said = new Map((item.said || []).map((r) => [r[0], r]));
    const captions = shard.captions[image] || [];
    const prompts = [...new Set([...set.conditions.filter((c, i) => marks.has(i)).map((c) => c.prompt), ...captions.map((c) => c.prompt)])].filter(Boolean).sort();
    const best = set.conditions.find((c) => c.main)?.prompt ?? "";
    const chosenA = set.keys.indexOf(state.a), chosenB = set.keys.indexOf(state.b);
    const prompt = state.prompt ?? (prompts.includes(set.conditions[chosenA]?.prompt) ? set.conditions[chosenA].prompt : prompts.includes(best) ? best : prompts[0] ?? "");
    const shown = (p) => prompt === "" || !p || p === prompt;
    const parts = [];
    const here = hits.indexOf(place);
    parts.push(make("div", { class: "pager" }, here > 0 && make("a", { href: write(state, set.ids[hits[here - 1]]), "data-step": "k" }, "‹ Before (K)"), here >= 0 && here + 1 < hits.length && make("a", { href: write(state, set.ids[hits[here + 1]]), "data-step": "j" }, "Next (J) ›"),
      make("a", { href: write({ kind: state.kind, q: "", facets: [null, null, null, null], from: 0, prompt: null }, set.ids[place]) }, "Link to this " + set.kind.one)));
    parts.push(foreign("h2", titles[place] || set.ids[place]));
    parts.push(make("p", { class: "soft" }, [set.ids[place], ...set.kind.facets.map((f, i) => set.facets[i].values[set.facets[i].codes[place]]).filter(Boolean)].join(" · ")));
    const frames = shard.frames[image] || [], left = [], right = [];
    left.push(frames.length ? make("div", { class: "pictures", role: "group", "aria-label": "Picture", tabindex: frames.length > 1 ? "0" : false }, ...frames.map((f, i) => make("img", { src: f.file, alt: `Picture ${image}${frames.length > 1 ? ", frame " + (i + 1) : ""}`, width: f.width || false, height: f.height || false, loading: "lazy" }))) : make("p", { class: "soft" }, "The picture is not here."));
    for (const [name, text] of item.fields || []) if (text) left.push(make("p", {}, make("b", {}, name + ": "), foreign("span", text)));
    if (item.options) {
      const counts = new Map();
      for (const [c, m] of marks) if (shown(set.conditions[c].prompt)) counts.set(m.choice, (counts.get(m.choice) || 0) + 1);
      left.push(make("ol", { class: "options", "aria-label": "Options" }, ...item.options.map((o, i) => make("li", { class: i === item.key ? "key" : false }, make("span", {}, letter(i) + "."), foreign("span", o), i === item.key && make("span", { class: "soft" }, "(key)"), counts.get(letter(i)) && make("span", { class: "tally" }, `chosen by ${number(counts.get(letter(i)))}`)))));
    }
    if (prompts.length > 1) {
      const choose = select("prompt", [{ value: "", text: "all prompts" }, ...prompts.map((p) => ({ value: p, text: p }))], prompt);
      choose.addEventListener("change", () => go({ ...state, prompt: choose.value }));
      right.push(make("p", {}, field("Captions of the prompt", choose)));
    }
    // A card for each caption, with the replies about it. The cards of A and B come first, and the
    // cards of captions that no model was asked about come last.
    const order = [...marks.keys()].filter((c) => c === chosenA || c === chosenB || shown(set.conditions[c].prompt));
    const rank = (c) => c === chosenA ? 0 : c === chosenB ? 1 : set.conditions[c].prompt ? 2 : 3;
    order.sort((x, y) => rank(x) - rank(y) || x - y);
    // Words of the key that no other option has are marked in captions.
    const parted = (text) => (text ?? "").toLowerCase().match(/\p{N}+|[\p{L}\p{N}]{3,}/gu) ?? [];
    const wrong = new Set((item.options || []).filter((o, i) => i !== item.key).flatMap(parted)), keyWords = parted(item.options?.[item.key]).filter((w) => !wrong.has(w));
    const answer = keyWords.length > 0 && new RegExp(`(?<![\\p{L}\\p{N}])(${keyWords.join("|")})(?![\\p{L}\\p{N}])`, "giu");
    const marking = (box) => { if (answer) box.replaceChildren(...box.textContent.split(answer).map((s, i) => i % 2 ? make("mark", {}, s) : s)); return box; };
    const words = (text, caption) => [make("p", { class: "soft" }, `Caption, ${counted(caption.words, "word")}` + (caption.tokens ? `, ${counted(caption.tokens, "token")}` : "") + (caption.finish && caption.finish !== "stop" ? `, ended by ${caption.finish}` : "") + (caption.provenance !== "measured" ? `, ${caption.provenance}` : "")), marking(foreign("div", text, { class: "caption", tabindex: text.length > 900 ? "0" : false, role: text.length > 900 ? "region" : false, "aria-label": text.length > 900 ? "Caption" : false }))];
    const option = (choice) => `${choice}. ${item.options[choice.charCodeAt(0) - 65] ?? ""}`;
    const reply = (c) => {
      const condition = set.conditions[c], mark = marks.get(c), r = said.get(c);
      const choice = mark.choice !== "-" && item.options ? mark.choice : "";
      const body = [make("p", { class: "outcome" + (mark.outcome === 1 ? " good" : "") }, make("b", { "aria-hidden": "true" }, set.kind.signs[mark.outcome]), set.kind.outcomes[mark.outcome], choice && ": ", choice && foreign("span", option(choice)))];
      body.unshift(make("p", { class: "soft" }, [condition.by && "by " + condition.by, condition.protocol, condition.repeat ? "repetition " + condition.repeat : "", condition.provenance !== "measured" && condition.provenance].filter(Boolean).join(", ")));
      if (r) {
        const [, text, asked, replied, finish, thoughts, fault] = r;
        if (asked || replied) body.push(make("p", { class: "soft" }, `${counted(asked || 0, "token")} in, ${number(replied || 0)} out` + (finish && finish !== "stop" ? `, ended by ${finish}` : "")));
        // Each reader saw the options in an order of its own. So the page says for which option the
        // letter of a short reply stood: the option that was taken from the reply.
        const letter = set.kind.name === "questions" && text && /^\W*(?:answer\W*)?([A-Z])\W*$/i.exec(text)?.[1];
        const stood = letter && (choice ? option(choice) : mark.outcome === 3 ? "that it cannot be answered" : "");
        if (text) body.push(make("details", { open: text.length < 200 }, make("summary", {}, set.kind.name === "questions" ? "Raw reply, with the letters of the order that was shown" : "Raw reply"), foreign("pre", text), stood && make("p", { class: "soft" }, `In that order ${letter.toUpperCase()} was: `, foreign("span", stood))));
        if (thoughts) body.push(make("details", {}, make("summary", {}, "Thoughts"), foreign("pre", thoughts)));
        if (fault) body.push(make("p", {}, "Error: ", foreign("span", fault)));
      }
      return make("div", { class: "reply" }, ...body);
    };
    const groups = new Map(), used = new Set();
    for (const c of order) {
      const { who, prompt: p, form } = set.conditions[c], key = [who, p, form].join("~");
      groups.set(key, [...groups.get(key) ?? [], c]);
    }
    const cards = [...groups.values()].map((of) => {
      const { who, name, prompt: p, form } = set.conditions[of[0]];
      const caption = state.kind !== "battles" && form === "caption" ? captions.find((x) => x.who === who && (x.prompt === p || state.kind === "elements")) : null;
      if (caption) used.add(caption);
      const title = [name, p, form && form !== "caption" && { image: "looking at the picture", none: "without picture and caption" }[form]].filter(Boolean).join(", ");
      return make("article", { class: "card" + (of.includes(chosenA) || of.includes(chosenB) ? " chosen" : "") }, make("h3", {}, title), ...(caption ? words(caption.text, caption) : []), ...of.map(reply));
    });
    for (const caption of captions) {
      if (used.has(caption) || !shown(caption.prompt) || state.kind === "battles") continue;
      cards.push(make("article", { class: "card" }, make("h3", {}, [caption.who, caption.prompt].filter(Boolean).join(", ")), ...words(caption.text, caption)));
    }
    right.push(make("div", { class: "cards" }, ...cards));
    parts.push(make("div", { class: "sides" }, make("div", { class: "left" }, ...left), make("div", {}, ...right)));
    pane.replaceChildren(...parts);
  };

  // Keys, while the list or the sample has the focus, or nothing has.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !event.target.matches("body, .list, .list *, .sample, .sample *") || event.target.matches("input, select, textarea")) return;
    const step = pane.querySelector(`[data-step="${event.key.toLowerCase() === "j" ? "j" : event.key.toLowerCase() === "k" ? "k" : "none"}"]`);
    const first = event.key.toLowerCase() === "j" && !state.id && list.querySelector("a[data-place]");
    const target = step || first;
    if (target) { event.preventDefault(); location.hash = target.getAttribute("href"); if (pane.contains(document.activeElement)) pane.focus(); }
  });
  list.addEventListener("click", (event) => { if (event.target.closest("a[data-place]")) moved = true; });
  let moved = false, arrived = true;

  let shownForm = "";
  const show = async () => {
    state = read();
    try {
      const set = await open(state.kind), s = state;
      if (s.id && !set.places.has(s.id) && set.images.includes(s.id)) { location.replace(write({ ...s, q: s.id }, "")); return; }
      const signature = write({ ...s, from: 0, prompt: null }, "-");
      if (signature !== shownForm) {
        const all = await matches(set, s);
        if (s !== state) return;
        hits = all;
        if (!form.contains(document.activeElement) || shownForm.split("&")[0] !== signature.split("&")[0] || !sameForm(s)) drawForm(set);
        shownForm = signature;
      }
      if (s.id && !new URLSearchParams(location.hash.slice(1)).has("from")) { const at = hits.indexOf(set.places.get(s.id)); if (at >= pageSize) state.from = Math.floor(at / pageSize) * pageSize; }
      await drawList(set);
      // If nothing is chosen and there is room beside the list, the sample that models disagree
      // about most is shown.
      await drawSample(set, s.id ? set.places.get(s.id) : innerWidth >= 960 && hits.length === set.size ? set.first : undefined);
      if (arrived && s.id && innerWidth < 960) pane.scrollIntoView();
      arrived = false;
      if (moved) { moved = false; pane.focus({ preventScroll: innerWidth >= 960 }); if (innerWidth < 960) pane.scrollIntoView(); }
      root.dataset.shown = location.hash || "#";
    } catch (fault) {
      pane.replaceChildren(make("p", { role: "alert" }, `The samples cannot be shown: ${fault.message}. When the site was moved or made anew, load the page again.`));
      root.dataset.shown = "fault";
    }
  };
  // sameForm reports whether the fields have the values of the address. Then the form is not made
  // anew, so that a field in use stays.
  const sameForm = (s) => form.querySelector("[name=q]") && write({ ...taken(), from: 0, prompt: null }, "-") === write({ ...s, from: 0, prompt: null }, "-");
  addEventListener("hashchange", show);
  show();
})();
