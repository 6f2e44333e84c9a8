"""Calls of AWS as its SDK makes them: a list of them in each line of the input, their answers in a line."""

import base64
import json
import sys

import botocore.session

session = botocore.session.get_session()


def with_bytes(value):
    """JSON has no bytes: these are given in base64."""
    return base64.b64decode(value["base64"]) if list(value) == ["base64"] else value


def ask(service, operation, parameters):
    client = session.create_client(service)
    if client.can_paginate(operation):
        return client.get_paginator(operation).paginate(**parameters).build_full_result()
    return getattr(client, operation)(**parameters)


def text_of(value):
    """What JSON lacks: dates, and the payload of a call."""
    return value.read().decode() if hasattr(value, "read") else str(value)


for line in sys.stdin:
    try:
        answer = {"answers": [ask(*call) for call in json.loads(line, object_hook=with_bytes)]}
    except Exception as error:
        answer = {"error": repr(error)}
    print(json.dumps(answer, default=text_of), flush=True)
