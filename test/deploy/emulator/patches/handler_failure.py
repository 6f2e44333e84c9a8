"""A function behind the API that fails.

AWS: API Gateway answers with its own refusal, which a gateway response may rewrite; what the
function said is for its log. The emulator answers 502 with the error's text and stack.
"""

from ministack.services import apigateway_v1

from .expected import take


class HandlerFailed(Exception):
    pass


def apply():
    read = take(apigateway_v1, "_lambda_proxy_response")
    invoke = take(apigateway_v1, "_invoke_lambda_proxy_v1")
    refusal = take(apigateway_v1, "_gw_error")

    def read_or_fail(result):
        answer, error = read(result)
        if error is not None:
            raise HandlerFailed
        return answer, None

    async def invoke_or_refuse(*args, **kwargs):
        try:
            return await invoke(*args, **kwargs)
        except HandlerFailed:
            return refusal("DEFAULT_5XX", "Internal server error")

    apigateway_v1._lambda_proxy_response = read_or_fail
    apigateway_v1._invoke_lambda_proxy_v1 = invoke_or_refuse
