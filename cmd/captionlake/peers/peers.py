#!/usr/bin/env python3
"""Measures captionlake beside a bare aiohttp loop and inspect_ai on the same requests, and beside Python on the same files.

    python3 cmd/captionlake/peers/peers.py --captionlake ./captionlake

It makes an environment of its own in --folder from PyPI. Client and rehearsal server (no latency) have one core each; the
clients take turns, and of --runs runs each figure is the median. Where Python and captionlake compute the same, their answers are
compared, and a difference ends the script. Ratios within one report are worth more than its figures: the load of the machine is printed
beside them. It needs Linux, with taskset; syncs are counted by strace where that is there.

It prints Markdown, writes the same to report.json in --folder, and ends within --minutes, half of an hour unless told otherwise: when
the time runs out, there are fewer rounds than --runs, and the report says how many. On two quiet cores all of it takes some ten
minutes and 2 GB of disk.
"""
import argparse
import glob
import json
import os
import random
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = ["inspect_ai==0.3.285", "aiohttp==3.14.5", "openai==3.54.0"]
READER = "rehearsal/reader-careful"
AT_A_TIME = 64
CANNOT = "Cannot answer from the caption"
PROMPTS = {"long": "Long", "short": "Short", "simple": "Simple", "taxonomy-hinted": "Taxonomy-Hinted"}
DOMAINS = {"nat": "Natural", "doc": "Document", "ecom": "E-commerce", "emb": "Embodied AI"}
SYNCS = "fsync,fdatasync,sync_file_range,msync,syncfs,sync"


def environment(folder):
    """The Python of an environment with the peers in it; None where PyPI cannot be had."""
    python = os.path.join(folder, "env", "bin", "python")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", os.path.join(folder, "env")], check=True)
    got = subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES], capture_output=True, text=True)
    if got.returncode:
        print("skipped: the peers cannot be installed from PyPI:", got.stderr.strip().splitlines()[-1:], file=sys.stderr)
        return None
    return python


def tell(*what):
    print(*what, file=sys.stderr, flush=True)


class Clock:
    """The time that is left."""

    ends = time.monotonic() + 1800

    @classmethod
    def left(cls):
        return cls.ends - time.monotonic()

    @classmethod
    def rounds(cls, most, share):
        """Counts rounds while another one as long as the longest fits into a share of the time that is left."""
        until, longest = time.monotonic() + share * cls.left(), 0.0
        for n in range(most):
            began = time.monotonic()
            if n and began + longest > until:
                tell("the time is short: %d rounds of %d" % (n, most))
                return
            yield n
            longest = max(longest, time.monotonic() - began)


def apart(make, *args):
    """Makes files in a process of its own. The system counts the memory of this script, as it is when it starts a command, as that of the
    command, so this script stays small."""
    with tempfile.TemporaryFile() as file:
        child = os.fork()
        if not child:
            try:
                file.write(json.dumps(make(*args)).encode())
                file.flush()
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
        if os.waitpid(child, 0)[1]:
            raise SystemExit("the files cannot be made")
        file.seek(0)
        return json.load(file)


def own_mb():
    return int(re.search(r"VmRSS:\s*(\d+)", open("/proc/self/status").read())[1]) / 1024


def on_core(core, *command):
    cores = sorted(os.sched_getaffinity(0))
    return ["taskset", "-c", str(cores[core % len(cores)]), *command]


def measured(command, out=None, kill_after=None):
    """Runs a command and gives seconds, processor seconds and peak MB of it and its children; MB of 0 are fewer than this script's."""
    own = own_mb()
    with open(out or os.devnull, "w") as log:
        began = time.monotonic()
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        limit = threading.Timer(max(Clock.left(), 1), os.killpg, (process.pid, signal.SIGKILL))
        limit.daemon = True
        limit.start()
        try:
            if kill_after is not None:
                kill_after()
                os.killpg(process.pid, signal.SIGKILL)
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        finally:
            limit.cancel()
        seconds = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode and kill_after is None:
        raise SystemExit("%s\nended with %d:\n%s" % (" ".join(command), process.returncode, open(out).read()[-3000:] if out else ""))
    return {"seconds": seconds, "cpu": usage.ru_utime + usage.ru_stime, "mb": usage.ru_maxrss / 1024 if usage.ru_maxrss / 1024 > own + 1 else 0}


class Server:
    """The rehearsal server on a core of its own."""

    def __init__(self, binary, folder, core, port):
        self.port = port
        self.url = "http://127.0.0.1:%d/v1" % self.port
        self.process = subprocess.Popen(on_core(core, binary, "rehearse", "--address", "127.0.0.1:%d" % self.port, "--lake", os.path.join(folder, "none")),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                self.answered()
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit("the rehearsal server does not start")

    def answered(self):
        text = urllib.request.urlopen("http://127.0.0.1:%d/metrics" % self.port).read().decode()
        return sum(int(float(n)) for n in re.findall(r"^vllm:request_success_total\{[^}]*\} (\S+)$", text, re.M))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def bank(folder, questions, images):
    """A bank and one caption an image, in the authors' layouts."""
    draw = random.Random(1)
    words = "red blue left right small large cup table window lamp chair street tree person dog letter sign number".split()
    phrase = lambda n: " ".join(draw.choice(words) for _ in range(n))  # noqa: E731
    items, captions = {}, {}
    for i in range(questions):
        name = "%s_%03d" % (("nat", "doc", "ecom", "emb")[i % images % 4], i % images)
        options = ["%s %d" % (phrase(4), k) for k in range(4)]
        items.setdefault(name, []).append({"question": "Which %s is number %d?" % (phrase(6), i), "choices": options, "answer": options[i % 4], "category": "Spatial - Layout"})
        captions.setdefault(name, "A picture of " + phrase(200) + ".")
    os.makedirs(os.path.join(folder, "simple"), exist_ok=True)
    for name, content in (("bank.json", items), ("simple/org_model.json", captions)):
        with open(os.path.join(folder, name), "w") as file:
            json.dump(content, file, indent=1)


def write_config(folder, url):
    path = os.path.join(folder, "captionlake.yaml")
    with open(path, "w") as file:
        file.write("endpoints:\n  - name: rehearsal\n    replicas: [%s]\n    models: [%s]\n    concurrency: {initial: %d, max: %d}\n"
                   "answers:\n  readers: [%s]\n" % (url, READER, AT_A_TIME, AT_A_TIME, READER))
    return path


class Clients:
    """The clients, each as the command that asks all questions of a batch file or of a lake."""

    def __init__(self, a, python):
        self.a, self.python = a, python
        with socket.socket() as s:  # One port for all servers: a log of inspect_ai goes on at the address that it began with.
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        self.empty = os.path.join(a.folder, "template")
        shutil.rmtree(self.empty, ignore_errors=True)
        apart(bank, a.folder, a.questions, max(a.questions // 50, 4))
        self.lake_command("init")
        self.lake_command("ingest", os.path.join(a.folder, "bank.json"), os.path.join(a.folder, "simple", "org_model.json"))
        config = write_config(a.folder, "http://127.0.0.1:9/v1")
        shutil.rmtree(os.path.join(a.folder, "batches"), ignore_errors=True)
        self.lake_command("run", "answer", "--config", config, "--export", os.path.join(a.folder, "batches"))
        self.requests, self.few = os.path.join(a.folder, "requests.jsonl"), os.path.join(a.folder, "few.jsonl")
        count, size = apart(self.gather)
        self.count = {"captionlake": count, "aiohttp loop": count, "inspect_ai": min(count, a.inspect_questions)}
        self.bytes_each = round(size / count)

    def gather(self):
        """Writes the requests of the batch files into one, and the first of them into another."""
        lines = [line for path in sorted(glob.glob(self.a.folder + "/batches/*.requests.jsonl")) for line in open(path)]
        for path, some in (self.requests, lines), (self.few, lines[: self.a.inspect_questions]):
            with open(path, "w") as file:
                file.writelines(some)
        return len(lines), sum(map(len, lines))

    def lake_command(self, *args):
        measured([self.a.captionlake, *args, "--lake", self.empty], out=os.path.join(self.a.folder, "prepare.log"))

    def fresh(self):
        for name in ("lake", "logs"):
            shutil.rmtree(os.path.join(self.a.folder, name), ignore_errors=True)
        shutil.copytree(self.empty, os.path.join(self.a.folder, "lake"))

    def command(self, name, url, again=False):
        if name == "captionlake":
            return [self.a.captionlake, "run", "answer", "--lake", os.path.join(self.a.folder, "lake"), "--config", write_config(self.a.folder, url)]
        if name == "aiohttp loop":
            return [self.python, os.path.join(HERE, "loop.py"), url, self.requests, str(AT_A_TIME)]
        return [self.python, os.path.join(HERE, "evaluate.py"), url, self.few, str(AT_A_TIME), os.path.join(self.a.folder, "logs")] + (["again"] if again else [])

    def run(self, name, before=(), again=False, kill_after=None):
        with Server(self.a.captionlake, self.a.folder, 0, self.port) as server:
            stop = kill_after and (lambda: kill_after(server))
            got = measured(on_core(1, *before, *self.command(name, server.url, again)), out=os.path.join(self.a.folder, "client.log"), kill_after=stop)
            got["answered"] = server.answered()
        return got


def asking(a, python):
    clients = Clients(a, python)
    names = ["captionlake", "aiohttp loop", "inspect_ai"]
    runs = {name: [] for name in names}
    for _ in Clock.rounds(a.runs, 0.3):
        for name in names:  # in turn, so that other work on the machine disturbs all alike
            clients.fresh()
            runs[name].append(clients.run(name))
            tell(name, runs[name][-1])
    report = {"rounds": len(runs[names[0]]), "bytes_of_a_request": clients.bytes_each}
    for name in names:
        n = clients.count[name]
        mid = lambda key: statistics.median(r[key] for r in runs[name])  # noqa: E731
        report[name] = {"requests": n, "requests_per_second": n / mid("seconds"), "cpu_ms_per_request": 1000 * mid("cpu") / n, "peak_mb": mid("mb")}
    for name in names:
        report[name]["syncs"] = syncs(clients, name)
        report[name].update(killed(clients, name))
        tell(name, report[name])
    return report


def syncs(clients, name):
    """Syncs of a run as strace counts them; None without strace."""
    if not shutil.which("strace"):
        return None
    clients.fresh()
    counts = os.path.join(clients.a.folder, "strace.txt")
    clients.run(name, before=["strace", "-f", "-c", "-e", "trace=" + SYNCS, "-o", counts])
    return sum(int(line.split()[3]) for line in open(counts) if line.split() and line.split()[-1] in SYNCS.split(","))


def killed(clients, name):
    """What a kill halfway leaves, and what going on costs: requests that the server answers beyond those needed."""
    half = clients.count[name] // 2
    clients.fresh()

    def stop(server):
        while server.answered() < half and Clock.left() > 0:
            time.sleep(0.005)

    first = clients.run(name, kill_after=stop)
    second = clients.run(name, again=True)
    return {"answered_before_the_kill": first["answered"], "asked_after_it": second["answered"],
            "asked_beyond_the_questions": first["answered"] + second["answered"] - clients.count[name]}


def result_file(answers, kind):
    """A result file in the authors' layout."""
    content, images = {}, max(answers // 50, 4)
    for i in range(answers):
        options = ["the left one of them", "the right one of them", "neither of the two", "both, one after the other"]
        right, cannot = i % (3 + kind) > 0, i % 7 == 3
        image = "%s_%03d" % (("nat", "doc", "ecom", "emb")[i % images % 4], i % images)
        content.setdefault(image, []).append({
            "question": "Which of the things in the picture does number %d point at?" % i, "choices": options, "ground_truth": options[0],
            "model_answer": CANNOT if cannot else options[0 if right else 1], "model_response": "E" if cannot else "A" if right else "B",
            "is_correct": right and not cannot, "is_cannot_answer": cannot, "score": 0.3 if cannot else 1.0 if right else 0.0,
            "category": "Spatial - Layout"})
    return json.dumps(content, indent=2)


def result_files(folder, files, answers):
    """Captioners under four prompts, some better than others."""
    shutil.rmtree(folder, ignore_errors=True)
    kinds = [result_file(answers, kind) for kind in range(4)]
    for n in range(files):
        path = os.path.join(folder, list(PROMPTS)[n % 4])
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, "org_model-%02d.json" % (n // 4)), "w") as file:
            file.write(kinds[n // 3 % 4])
    return len(kinds[0])


def judgment_files(folder, models, samples):
    shutil.rmtree(folder, ignore_errors=True)
    dimensions = "object_category object_color object_number spatial_relation scene OCR character_identification".split()
    for dimension in dimensions:
        for who in ["annotations"] + ["judge_output/model-%d" % m for m in range(models)]:
            path = os.path.join(folder, who)
            os.makedirs(path, exist_ok=True)
            with open(os.path.join(path, dimension + ".jsonl"), "w") as file:
                for i in range(samples):
                    name = "%s_%d" % (dimension, i)
                    line = {"file_id": name, "annotation": {"thing": 3} if dimension in ("object_color", "object_number") else "thing", "task": dimension}
                    if who != "annotations":
                        line = {dimension: "thing", "score": i % 3 - 1, "reason": "The caption speaks of it in its second sentence and gives the right answer there.", "file_id": name}
                    file.write(json.dumps(line) + "\n")
    return len(dimensions) * samples * models


def of_python(name, path):
    """What summaries.py says, by what the query groups by."""
    figures = {}
    for line in open(path):
        source, group, *values = json.loads(line)
        if name == "captionqa":
            prompt, file = source.split("/")[-2:]
            key = (file[: -len(".json")].replace("_", "-"), PROMPTS[prompt], DOMAINS[group])
        else:
            key = (source.split("/")[-1], group)
        figures[key] = values
    return figures


def of_query(path, keys):
    return {tuple(list(row.values())[:keys]): list(row.values())[keys:] for row in json.load(open(path))}


def compare(name, python, query):
    """Ends the script unless both sides say the same: times of different answers compare nothing."""
    wrong = sorted(python.keys() ^ query.keys())
    wrong += [key for key in python.keys() & query.keys() if any(abs(x - y) > 1e-9 for x, y in zip(python[key], query[key], strict=True))]
    if wrong or not python:
        raise SystemExit("%s: Python and captionlake differ in %d of %d groups, such as %s: %s and %s" % (
            name, len(wrong), len(python), wrong[:1], [python.get(key) for key in wrong[:1]], [query.get(key) for key in wrong[:1]]))
    return len(python)


def files(a, python):
    results, judgments = os.path.join(a.folder, "results"), os.path.join(a.folder, "capability")
    size = apart(result_files, results, a.files, a.answers)
    judged = apart(judgment_files, judgments, 13, a.answers // 19 or 1)
    lake, log = os.path.join(a.folder, "filelake"), lambda step: os.path.join(a.folder, step + ".log")
    cases = {
        "captionqa": (results, a.files * a.answers, 3, "select captioner, prompt, domain, count(*), avg(score), avg((outcome = 'correct')::int), avg((outcome = 'cannot')::int) from answers group by all"),
        "capability": (judgments, judged, 2, "select captioner, dimension, count(*), count(*) filter (verdict = 'positive') / greatest(count(*) filter (verdict <> 'miss'), 1), "
                       "count(*) filter (verdict = 'positive') / count(*), count(*) filter (verdict <> 'miss') / count(*) from judgments group by all"),
    }
    report = {"bytes_of_a_result_file": size}
    for share, (name, (folder, rows, keys, query)) in zip((0.7, 0.9), cases.items()):
        steps = {"python": [], "ingest": [], "query": []}
        for _ in Clock.rounds(a.runs, share):
            shutil.rmtree(lake, ignore_errors=True)
            measured([a.captionlake, "init", "--lake", lake])
            steps["python"].append(measured([python, os.path.join(HERE, "summaries.py"), name, folder], out=log("python")))
            steps["ingest"].append(measured([a.captionlake, "ingest", "--reader", "qwen2.5-72b", folder, "--lake", lake], out=log("ingest")))
            steps["query"].append(measured([a.captionlake, "sql", query, "--format", "json", "--lake", lake], out=log("query")))
            groups = compare(name, of_python(name, log("python")), of_query(log("query"), keys))
        report[name] = {"rounds": len(steps["python"]), "rows": rows, "groups_that_agree": groups}
        tell(name, steps)
        for step, got in steps.items():
            report[name][step] = {key: round(statistics.median(g[key] for g in got), 3) for key in ("seconds", "cpu", "mb")}
    return report


def table(head, rows):
    return "\n".join("| %s |" % " | ".join(map(str, cells)) for cells in [head, ["---"] * len(head), *rows])


def markdown(report):
    """The report as tables."""
    load = lambda when: ", ".join("%.1f" % n for n in report["load_" + when])  # noqa: E731
    blocks = ["%s, load of %d cores before %s and after %s; medians." % (report["date"], report["cores"], load("before"), load("after"))]
    if "asking" in report:
        asking = report["asking"]
        rows = [[name, "%.0f (%d requests)" % (r["requests_per_second"], r["requests"]), "%.3f ms" % r["cpu_ms_per_request"], "%.0f MB" % r["peak_mb"],
                 "not counted" if r["syncs"] is None else r["syncs"], "%d, of %d before the kill" % (r["asked_beyond_the_questions"], r["answered_before_the_kill"])]
                for name, r in asking.items() if isinstance(r, dict)]
        blocks += [table(["client", "requests/s", "processor time a request", "peak memory", "syncs, by strace", "answered beyond need after a kill halfway"], rows)]
        own, loop = asking["captionlake"], asking["aiohttp loop"]
        blocks += ["%d rounds, %d bytes a request. captionlake: %.2f times the loop's rate with %.2f times its processor time." % (
            asking["rounds"], asking["bytes_of_a_request"], own["requests_per_second"] / loop["requests_per_second"], own["cpu_ms_per_request"] / loop["cpu_ms_per_request"])]
    if "files" in report:
        words = {"captionqa": "%d answers in result files", "capability": "%d CAPability judgments of 13 captioners"}
        cost = lambda step: "%.2f s of processor time, %.2f s on the clock, %s" % (  # noqa: E731
            step["cpu"], step["seconds"], "%.0f MB" % step["mb"] if step["mb"] else "less memory than the script")
        rows = [[words[name] % r["rows"], *(cost(r[step]) for step in ("python", "ingest", "query")),
                 "%.2f; %.2f" % (r["ingest"]["cpu"] / r["python"]["cpu"], r["ingest"]["seconds"] / r["python"]["seconds"]), r["rounds"]]
                for name, r in report["files"].items() if isinstance(r, dict)]
        blocks += [table(["files", "Python, `json` and sums", "`ingest`", "query over the lake", "ingest to Python: processor time; clock", "rounds"], rows)]
        blocks += ["Both sides gave the same figures: %s." % ", ".join("%d groups of %s" % (r["groups_that_agree"], name) for name, r in report["files"].items() if isinstance(r, dict))]
    return "\n\n".join(blocks)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--captionlake", required=True, help="the binary")
    p.add_argument("--folder", default="peers-work", help="folder for the environment, lakes and files")
    p.add_argument("--runs", type=int, default=5)
    p.add_argument("--questions", type=int, default=7000)
    p.add_argument("--inspect-questions", type=int, default=700, help="of them for inspect_ai, which is slower")
    p.add_argument("--files", type=int, default=96, help="result files")
    p.add_argument("--answers", type=int, default=33027, help="answers in each")
    p.add_argument("--minutes", type=float, default=30, help="in which it ends")
    p.add_argument("--only", choices=["asking", "files"])
    a = p.parse_args()
    Clock.ends = time.monotonic() + 60 * a.minutes
    a.captionlake, a.folder = os.path.abspath(a.captionlake), os.path.abspath(a.folder)
    os.makedirs(a.folder, exist_ok=True)
    os.chdir(a.folder)  # init writes a configuration where it runs
    python = environment(a.folder)
    if python is None:
        return 3
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what it has started ends with it
    report = {"date": time.strftime("%Y-%m-%d %H:%M"), "cores": len(os.sched_getaffinity(0)), "load_before": os.getloadavg(), "runs": a.runs, "strace": bool(shutil.which("strace"))}
    if a.only != "files":
        report["asking"] = asking(a, python)
    if a.only != "asking":
        report["files"] = files(a, python)
    report["load_after"] = os.getloadavg()
    with open(os.path.join(a.folder, "report.json"), "w") as file:
        json.dump(report, file, indent=1)
    print(markdown(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
