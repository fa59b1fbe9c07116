"""Makes the calls on stdin (a JSON list) at the service sys.argv[2], with the client sys.argv[1]; prints a line for each."""

import importlib.util
import json
import re
import sys
from datetime import date, datetime, timedelta

spec = importlib.util.spec_from_file_location("mintick", sys.argv[1])
mintick = importlib.util.module_from_spec(spec)
sys.modules["mintick"] = mintick
spec.loader.exec_module(mintick)


def python_name(name):
    snake = re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)
    return snake + "_" if snake in ("import", "from") else snake


def wire(value):
    if isinstance(value, datetime):
        assert value.utcoffset() == timedelta(0), value
        return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert isinstance(value, date), value
    return value.isoformat()


def texts_of_times(value, path=""):
    """Returns the paths of times that are text."""
    if isinstance(value, dict):
        return [found for key, member in value.items() for found in texts_of_times(member, f"{path}.{key}")]
    if isinstance(value, list):
        return [found for item in value for found in texts_of_times(item, path + "[]")]
    is_time = isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d(T[\d:.]+Z)?", value)
    return [path] if is_time else []


for call in json.load(sys.stdin):
    make = mintick.Admin if call["client"] == "admin" else mintick.Client
    client = make(sys.argv[2], call["token"])
    found = client
    for name in call["method"]:
        found = getattr(found, python_name(name))
    result = found(*call["args"], **{python_name(name): value for name, value in (call["params"] or {}).items()})
    if call["isList"]:
        page = result.page()
        body = {"data": page.data, "meta": page.meta}
    else:
        body = {"data": result}
    response = client.last_response
    answer = {
        "name": call["name"],
        "body": {"success": True, **body},
        "requestId": response.request_id,
        "creditsCost": response.credits_cost,
        "rateLimits": len(response.rate_limits),
        "textsOfTimes": texts_of_times(body),
    }
    print(json.dumps(answer, default=wire), flush=True)
