"""The official client of the Model Context Protocol in Python: calls the tools that standard input names, one a line."""

import json
import sys

import anyio
from mcp import Client


async def main(url: str, mode: str) -> None:
    async with Client(url, mode=mode) as client:
        listed = await client.list_tools()
        print(json.dumps([client.protocol_version, [tool.name for tool in listed.tools]]), flush=True)
        while line := await anyio.to_thread.run_sync(sys.stdin.readline):
            name, given = json.loads(line)
            result = await client.call_tool(name, given)
            print(result.model_dump_json(by_alias=True, exclude_none=True), flush=True)


anyio.run(main, *sys.argv[1:])
