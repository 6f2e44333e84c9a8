"""Calls of AWS as its SDK makes them: a list of them from the standard input, the answers to the output."""

import json
import sys

import botocore.session

session = botocore.session.get_session()


def ask(service, operation, parameters):
    client = session.create_client(service)
    if client.can_paginate(operation):
        return client.get_paginator(operation).paginate(**parameters).build_full_result()
    return getattr(client, operation)(**parameters)


json.dump([ask(*call) for call in json.load(sys.stdin)], sys.stdout, default=str)
