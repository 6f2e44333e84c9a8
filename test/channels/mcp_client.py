"""The official client of the Model Context Protocol in Python: lists the tools and calls them."""

import json
import re
import sys

import anyio
from mcp import Client


async def main(url: str, mode: str) -> None:
    async with Client(url, mode=mode) as client:
        listed = await client.list_tools()
        color = await client.call_tool("rgb-to-color-name", {"R": 255, "G": 127, "B": 80})
        found = await client.call_tool("find", {"words": "laundries"})
        refused = await client.call_tool("business-directory", {"catgory": "retail"})
        seen = {
            "revision": client.protocol_version,
            "tools": [tool.name for tool in listed.tools],
            "name": re.search(r"^name: (.*)$", color.content[0].text, re.MULTILINE)[1],
            "found": found.content[0].text,
            "refused": [refused.is_error, refused.content[0].text],
        }
        print(json.dumps(seen))


anyio.run(main, *sys.argv[1:])
