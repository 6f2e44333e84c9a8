"""The resources of a stack that does not exist.

AWS: "Stack with id blockyard does not exist", by which the CDK's diff knows that a stack is new. The
emulator says it in other words.
"""

from ministack.services.cloudformation import handlers

from .expected import expect, take


def apply():
    list_resources = take(handlers, "_list_stack_resources")
    error = take(handlers, "_error")
    expect(
        handlers._ACTION_HANDLERS["ListStackResources"] is list_resources,
        "the resources of a stack are listed by another function",
    )

    def list_or_refuse(params):
        name = handlers._p(params, "StackName")
        if name and not handlers._resolve_stack(name):
            return error("ValidationError", f"Stack with id {name} does not exist")
        return list_resources(params)

    handlers._ACTION_HANDLERS["ListStackResources"] = list_or_refuse
