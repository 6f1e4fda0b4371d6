"""The same requests through inspect_ai, with its own log. With a fifth argument it retries the newest log of the folder."""
import glob
import json
import os
import sys

url, path, at_a_time, logs = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
os.environ["OPENAI_API_KEY"] = "none"
os.environ["INSPECT_DISPLAY"] = "none"

from inspect_ai import Task, eval, eval_retry, task  # noqa: E402
from inspect_ai.dataset import MemoryDataset, Sample  # noqa: E402
from inspect_ai.model import ChatMessageSystem, ChatMessageUser  # noqa: E402
from inspect_ai.scorer import includes  # noqa: E402
from inspect_ai.solver import generate  # noqa: E402

bodies = [json.loads(line)["body"] for line in open(path)]


def message(m):
    text = m["content"] if isinstance(m["content"], str) else m["content"][0]["text"]
    return (ChatMessageSystem if m["role"] == "system" else ChatMessageUser)(content=text)


@task
def captionqa():
    samples = [Sample(input=[message(m) for m in body["messages"]], target="A", id=i) for i, body in enumerate(bodies)]
    return Task(dataset=MemoryDataset(samples), solver=generate(), scorer=includes())


if __name__ == "__main__":
    common = dict(log_dir=logs, display="none", max_connections=at_a_time, max_samples=at_a_time)
    if len(sys.argv) > 5:
        found = sorted(glob.glob(logs + "/*.eval"), key=os.path.getmtime)
        done = eval_retry(found[-1], **common)
    else:
        done = eval(captionqa(), model="openai/" + bodies[0]["model"], model_base_url=url, temperature=0,
                    max_tokens=bodies[0].get("max_tokens") or bodies[0].get("max_completion_tokens"), model_args={"responses_api": False}, **common)
    print(done[0].status, done[0].results.completed_samples if done[0].results else 0)
