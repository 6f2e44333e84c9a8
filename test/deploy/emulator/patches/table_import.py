"""A table of CloudFormation with an import source.

AWS: the table is made by DynamoDB's import from S3, and the resource is complete when all items
are in. The emulator has the import, but its CloudFormation leaves the source out: an empty table.
"""

import base64
import json
import os
import time

from ministack.services import cloudformation, dynamodb
from ministack.services.cloudformation import provisioners

from .expected import expect, take

TABLE = "AWS::DynamoDB::Table"
SOURCE = "ImportSourceSpecification"

# What CreateTable takes as it stands in a template.
CREATED_WITH = ("AttributeDefinitions", "KeySchema", "BillingMode", "ProvisionedThroughput", "GlobalSecondaryIndexes")

# A test leaves this file, and a stack's name behind it, in the folder of faults: the stack's next
# import damages an item as the file says, and the file goes.
DAMAGE = "damage-an-item-of-"

IMPORTED_WITHIN_SECONDS = 60


def apply():
    create = take(provisioners, "_ddb_create")
    handlers = provisioners._RESOURCE_HANDLERS[TABLE]
    expect(handlers["create"] is create, f"{TABLE} is made by another function")
    for name in ("_import_table", "_delete_item", "_put_item", "_tables", "_tags", "_imports"):
        expect(hasattr(dynamodb, name), f"DynamoDB has no {name}")

    def create_with_source(logical_id, properties, stack_name):
        source = properties.get(SOURCE)
        name, attributes = create(logical_id, {k: v for k, v in properties.items() if k != SOURCE}, stack_name)
        if source is None:
            return name, attributes
        # Made above for its name alone: the import makes it itself, as it must.
        arn = dynamodb._tables.pop(name)["TableArn"]
        tags = dynamodb._tags.pop(arn, None)
        import_items(name, properties, source)
        if tags is not None:
            dynamodb._tags[arn] = tags
        fault = taken(DAMAGE + service_of(stack_name))
        if fault is not None:
            damage(name, fault)
        return name, attributes

    provisioners._ddb_create = create_with_source
    handlers["create"] = create_with_source


def service_of(stack_name):
    """The stack that a nested one belongs to."""
    return cloudformation._stacks.get(stack_name, {}).get("_parent_stack_name") or stack_name


def import_items(name, properties, source):
    parameters = {key: properties[key] for key in CREATED_WITH if properties.get(key)}
    status, _, body = dynamodb._import_table({**source, "TableCreationParameters": {"TableName": name, **parameters}})
    if status != 200:
        raise ValueError(f"The import of {name} is refused: {body!r}")
    job = dynamodb._imports[json.loads(body)["ImportTableDescription"]["ImportArn"]]
    until = time.monotonic() + IMPORTED_WITHIN_SECONDS
    while job["ImportStatus"] == "IN_PROGRESS" and time.monotonic() < until:
        time.sleep(0.02)
    if job["ImportStatus"] != "COMPLETED" or job["ErrorCount"]:
        raise ValueError(f"The import of {name} failed: {job}")


def taken(fault):
    file = os.path.join(os.environ.get("FAULTS", os.devnull), fault)
    try:
        with open(file) as opened:
            text = opened.read()
        os.remove(file)
    except OSError:
        return None
    return text


def damage(name, fault):
    """Loses the last row or column, or flips a bit of that column."""
    table = dynamodb._tables[name]
    all_items = [item for items in table["items"].values() for item in items.values()]
    is_damaged = (lambda item: item["~shard"]["S"].isdigit()) if fault == "row" else (lambda item: "data" in item)
    item = [item for item in all_items if is_damaged(item)][-1]
    key = {part["AttributeName"]: item[part["AttributeName"]] for part in table["KeySchema"]}
    if fault == "bit":
        bytes_ = bytearray(base64.b64decode(item["data"]["B"]))
        bytes_[len(bytes_) // 2] ^= 4
        changed = {**item, "data": {"B": base64.b64encode(bytes_).decode()}}
        status, _, body = dynamodb._put_item({"TableName": name, "Item": changed})
    else:
        status, _, body = dynamodb._delete_item({"TableName": name, "Key": key})
    expect(status == 200, f"no item can be damaged: {body!r}")
