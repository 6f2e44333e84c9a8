"""Calls of AWS as its SDK makes them: a list of them in each line of the input, their answers in a line."""

import json
import sys

import botocore.session

session = botocore.session.get_session()


def ask(service, operation, parameters):
    client = session.create_client(service)
    if client.can_paginate(operation):
        return client.get_paginator(operation).paginate(**parameters).build_full_result()
    return getattr(client, operation)(**parameters)


for line in sys.stdin:
    try:
        answer = {"answers": [ask(*call) for call in json.loads(line)]}
    except Exception as error:
        answer = {"error": repr(error)}
    print(json.dumps(answer, default=str), flush=True)
