"""What a notebook does with the foreign files: sums them with Python's json and keeps nothing. It prints a JSON list for each figure: where
it is from, what it is about, how many there are, and the values."""
import collections
import glob
import json
import os
import sys


def captionqa(folder):
    """Mean score, accuracy and cannot-rate of every result file, by domain."""
    for path in sorted(glob.glob(folder + "/*/*.json")):
        sums = collections.defaultdict(lambda: [0, 0.0, 0, 0])
        with open(path) as file:
            for image, answers in json.load(file).items():
                for a in answers:
                    s = sums[image.split("_")[0]]
                    s[0] += 1
                    s[1] += a["score"]
                    s[2] += a["is_correct"]
                    s[3] += a["is_cannot_answer"]
        for domain, s in sums.items():
            print(json.dumps([path, domain, s[0]] + [x / s[0] for x in s[1:]]))


def capability(folder):
    """Precision, recall and hit rate of every captioner, by dimension: positive over hit, positive over judged, hit over judged."""
    for model in sorted(glob.glob(folder + "/judge_output/*")):
        for path in sorted(glob.glob(model + "/*.jsonl")):
            dimension = os.path.basename(path)[: -len(".jsonl")]
            verdicts = collections.Counter()
            for line in open(path):
                verdicts[json.loads(line).get("score")] += 1
            hit, judged = verdicts[1] + verdicts[-1], verdicts[1] + verdicts[0] + verdicts[-1]
            if judged:
                print(json.dumps([model, dimension, judged, verdicts[1] / max(hit, 1), verdicts[1] / judged, hit / judged]))


{"captionqa": captionqa, "capability": capability}[sys.argv[1]](sys.argv[2])
