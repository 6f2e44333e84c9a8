"""Nested stacks are updated, cleaned up and rolled back with their parent.

AWS: "Because of potential resource dependencies between nested stacks, CloudFormation doesn't start
cleaning up nested stack resources until all nested stacks have been updated or have rolled back" (User
Guide, "Troubleshooting CloudFormation"); a nested stack that cannot be created is rolled back. The
emulator deletes what an update leaves out at once, in the middle of the parent's update, makes it anew
in a rollback, leaves behind what a nested stack had made before it failed, and forgets the attributes
of a nested stack's resources that an update leaves as they are.
"""

import contextvars
import copy

from ministack.core.concurrency import run_reentrant
from ministack.services import cloudformation
from ministack.services.cloudformation import changesets, handlers, provisioners, stacks

from .expected import expect, take

NESTED = "AWS::CloudFormation::Stack"

# By the parent's name: what its update leaves to delete, and the nested stacks' resources before it.
_operations = {}
_operation = contextvars.ContextVar("operation of the parent", default=None)


class Operation:
    def __init__(self):
        self.deletes = []
        self.before = {}


def apply():
    delete = take(provisioners, "_delete_resource")
    update_one = take(provisioners, "_update_resource")
    create_nested = take(provisioners, "_cfn_nested_stack_create")
    update_nested = take(provisioners, "_cfn_nested_stack_update")
    delete_nested = take(provisioners, "_cfn_nested_stack_delete")
    name_of = take(provisioners, "_nested_stack_lookup_name")
    deploy = take(stacks, "_deploy_stack_async")
    nested = provisioners._RESOURCE_HANDLERS[NESTED]
    expect(nested["update"] is update_nested and nested["create"] is create_nested, f"{NESTED} is made otherwise")

    def delete_later(resource_type, physical_id, properties, stack_name, logical_id):
        operation = _operation.get()
        if operation is None:
            return delete(resource_type, physical_id, properties, stack_name, logical_id)
        operation.deletes.append((resource_type, physical_id, properties, stack_name, logical_id))

    def update_with_attributes(resource_type, physical_id, old, new, stack_name, logical_id=None, attributes=None):
        if attributes is None and _operation.get() is not None:
            attributes = cloudformation._stacks[stack_name]["_resources"].get(logical_id, {}).get("Attributes")
        return update_one(resource_type, physical_id, old, new, stack_name, logical_id, attributes)

    def create_or_undo(logical_id, properties, stack_name):
        others = set(cloudformation._stacks)
        try:
            return create_nested(logical_id, properties, stack_name)
        except Exception:
            for name in set(cloudformation._stacks) - others:
                delete_nested(name, {})
            raise

    def update(physical_id, old, new, stack_name):
        operation = _operations.setdefault(stack_name, Operation())
        name = name_of(physical_id)
        resources = cloudformation._stacks[name]["_resources"]
        before = operation.before.get(name)
        if before is None:
            operation.before[name] = copy.deepcopy(resources)
        else:
            # The second time is the rollback: what was to be deleted is still there.
            for logical_id, record in before.items():
                resources.setdefault(logical_id, record)
            operation.deletes = [one for one in operation.deletes if one[3] != name]
        token = _operation.set(operation)
        try:
            return update_nested(physical_id, old, new, stack_name)
        finally:
            _operation.reset(token)

    async def deploy_and_clean_up(stack_name, *args, **kwargs):
        _operations.pop(stack_name, None)
        await deploy(stack_name, *args, **kwargs)
        operation = _operations.pop(stack_name, None)
        if operation is None:
            return
        stack = cloudformation._stacks[stack_name]
        status = stack["StackStatus"]
        stack["StackStatus"] = f"{status}_CLEANUP_IN_PROGRESS"
        for one in operation.deletes:
            await run_reentrant(delete, *one)
        stack["StackStatus"] = status

    provisioners._delete_resource = delete_later
    provisioners._update_resource = update_with_attributes
    nested["create"] = create_or_undo
    nested["update"] = update
    for module in (changesets, handlers, stacks):
        expect(module._deploy_stack_async is deploy, f"{module.__name__} deploys otherwise")
        module._deploy_stack_async = deploy_and_clean_up
