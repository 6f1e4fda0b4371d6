"""A bare aiohttp loop: sends the requests of a batch file, so many at a time, reads the replies and keeps nothing."""
import asyncio
import json
import sys

import aiohttp


async def main(url, path, at_a_time):
    bodies = [json.dumps(json.loads(line)["body"]).encode() for line in open(path)]
    waiting = iter(bodies)
    answered = 0

    async def work(session):
        nonlocal answered
        for body in waiting:
            async with session.post(url + "/chat/completions", data=body, headers={"Content-Type": "application/json"}) as reply:
                content = await reply.json()
                content["choices"][0]["message"]["content"]
                answered += 1

    connector = aiohttp.TCPConnector(limit=at_a_time)
    async with aiohttp.ClientSession(connector=connector) as session:
        await asyncio.gather(*(work(session) for _ in range(at_a_time)))
    print(answered)


asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
