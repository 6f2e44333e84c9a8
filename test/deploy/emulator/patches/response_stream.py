"""A function that streams its answers to API Gateway.

AWS: the integration names another call of Lambda, whose runtime for Node gives the function a
stream. The emulator knows neither.
"""

from pathlib import Path

from ministack.core import lambda_runtime
from ministack.services import apigateway_v1

from .expected import expect, take

RUNTIME = Path(__file__).with_suffix(".js").read_text()


def apply():
    function_of = take(apigateway_v1, "_extract_lambda_ref_from_integration_uri")
    script = getattr(lambda_runtime, "_NODEJS_WORKER_SCRIPT", "")
    expect("handlerFn(event, context" in script, "it calls a function of Node in another way")
    expect("awslambda" not in script, "it can stream")

    def function_of_either(uri):
        return function_of(uri.replace("/response-streaming-invocations", "/invocations"))

    apigateway_v1._extract_lambda_ref_from_integration_uri = function_of_either
    lambda_runtime._NODEJS_WORKER_SCRIPT = f"{RUNTIME}\n{script}"
