"""Keys that an authorizer finds (`apiKeySourceType: AUTHORIZER`).

AWS: the key is the `usageIdentifierKey` of the authorizer's answer, and no header's. The emulator
knows the header alone, and its CloudFormation sets the source of an API that it changes, not of one
that it makes.
"""

from contextvars import ContextVar

from ministack.services import apigateway_v1
from ministack.services.cloudformation import provisioners

from .expected import expect, take

REST_API = "AWS::ApiGateway::RestApi"

# Each request is a task of its own, so this is one request's.
found_key = ContextVar("found_key", default=None)


def apply():
    invoke = take(apigateway_v1, "_invoke_authorizer_lambda")
    check = take(apigateway_v1, "_check_api_key")
    authorize = take(apigateway_v1, "_authorize_request_v1")

    async def authorize_anew(*args, **kwargs):
        found_key.set(None)
        return await authorize(*args, **kwargs)

    async def invoke_and_note(*args, **kwargs):
        result = await invoke(*args, **kwargs)
        answer = (result or {}).get("body")
        if isinstance(answer, dict):
            found_key.set(answer.get("usageIdentifierKey"))
        return result

    def check_by_source(method, api_id, stage_name, headers):
        if apigateway_v1._rest_apis[api_id]["apiKeySource"] != "AUTHORIZER":
            return check(method, api_id, stage_name, headers)
        key = found_key.get()
        return check(method, api_id, stage_name, {} if key is None else {"x-api-key": key})

    make = take(provisioners, "_apigw_rest_api_create")
    handlers = provisioners._RESOURCE_HANDLERS[REST_API]
    expect(handlers["create"] is make, f"{REST_API} is made by another function")

    def make_with_source(logical_id, properties, stack_name):
        api_id, attributes = make(logical_id, properties, stack_name)
        source = properties.get("ApiKeySourceType", "HEADER")
        apigateway_v1._rest_apis[api_id]["apiKeySource"] = source
        return api_id, attributes

    handlers["create"] = make_with_source
    apigateway_v1._authorize_request_v1 = authorize_anew
    apigateway_v1._invoke_authorizer_lambda = invoke_and_note
    apigateway_v1._check_api_key = check_by_source
